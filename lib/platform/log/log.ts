import pino from "pino";
import { AccessLog } from "@/lib/platform/log/access-log";
import { createBlockOutput } from "@/lib/platform/log/block-output";
import { formatRequestLine, getRequestLevel, type RequestLine } from "@/lib/platform/log/request-line";
import type { AccessLogShares } from "@/lib/platform/settings/access-log-setting";
import { systemClock } from "@/lib/platform/timing/clock";

export type Logger = pino.Logger;

export interface Log {
  readonly log: Logger;
  /** Writes one line in pino's format, if its level is enabled and the access log selects the request. */
  readonly logRequest: (line: RequestLine) => void;
  /** Resolves once everything logged so far has left the process. */
  readonly flush: () => Promise<void>;
}

/**
 * Structured lines on standard output. Pending lines are written when the process ends.
 *
 * @param copy receives each line too
 */
export function createLog(threshold: string, shares: AccessLogShares, copy?: (line: string) => void): Log {
  const output = createBlockOutput(1);
  const log = pino(
    { level: threshold, base: null, timestamp: () => `,"time":"${isoNow()}"` },
    copy === undefined ? output : copyLines(output, copy),
  );
  // Pending lines must be written before the process ends for any reason.
  process.once("exit", () => output.flushSync());
  // pino takes a few microseconds for a line, as long as the rest of a request.
  const accessLog = new AccessLog(shares);
  const level = pino.levels.values[threshold] ?? Infinity;
  const logRequest = (line: RequestLine) => {
    if (getRequestLevel(line.path, line.status) < level || !accessLog.selects(line.path, line.status)) return;
    const text = formatRequestLine(line, isoNow());
    output.writeAscii(text);
    copy?.(text);
  };
  return { log, logRequest: log.isLevelEnabled("info") ? logRequest : () => {}, flush: output.flush };
}

function copyLines({ write }: ReturnType<typeof createBlockOutput>, copy: (line: string) => void) {
  return {
    write(line: string): void {
      write(line);
      copy(line);
    },
  };
}

/** A logger that writes nowhere, for tests and for commands whose output is their result. */
export const silentLog: Logger = pino({ level: "silent" });

let isoAtMs = 0;
let iso = "";

/** The current time in ISO 8601; the text is reused within a millisecond. */
function isoNow(): string {
  const nowMs = systemClock();
  if (nowMs !== isoAtMs) {
    isoAtMs = nowMs;
    iso = new Date(nowMs).toISOString();
  }
  return iso;
}
