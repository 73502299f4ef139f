import type { Logger } from "@/lib/platform/log/log";

/**
 * Logs every exception and rejected promise that nothing handles, with its number. The first one calls `end`: the
 * process may have lost data that it does not know of, so it must not go on.
 */
export function endOnFault(log: Logger, end: () => void): void {
  let faults = 0;
  // Node raises this event for unhandled rejections as well.
  process.on("uncaughtException", (error, origin) => {
    log.fatal({ err: error, origin, fault: ++faults }, "unexpected error; the process ends");
    if (faults === 1) end();
  });
}
