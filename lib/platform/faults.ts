import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { Logger } from "@/lib/platform/log/log";

/** Goes on with work that nothing waits for. A failure is logged with the name of the work: "sending a snapshot". */
export function inBackground(work: Promise<unknown>, log: Logger, name: string): void {
  work.catch((error: unknown) => log.error({ err: error }, `${name} failed`));
}

/**
 * Logs every exception and rejected promise that nothing handles, with its number. The first one calls `end`: the
 * process may have lost data that it does not know of, so it must not go on. Only a read or a write that failed because
 * the database was away ends nothing: its transaction has changed nothing, and a process that ended would lose what
 * still answers from memory.
 */
export function endOnFault(log: Logger, end: () => void): void {
  let faults = 0;
  // Node raises this event for unhandled rejections as well.
  process.on("uncaughtException", (error, origin) => {
    if (origin === "unhandledRejection" && isDatabaseUnavailable(error)) {
      log.error({ err: error, origin }, "the database was away for work that nothing waits for");
      return;
    }
    log.fatal({ err: error, origin, fault: ++faults }, "unexpected error; the process ends");
    if (faults === 1) end();
  });
}
