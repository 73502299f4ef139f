import pino from "pino";
import { createBlockOutput } from "@/lib/platform/block-output";
import { systemClock } from "@/lib/platform/clock";

export type Logger = pino.Logger;

/** The fields of a request's log line. All texts are ASCII without quotes or backslashes. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The id of the key; null without one. */
  readonly key: string | null;
}

export interface Log {
  readonly log: Logger;
  /** Writes one line in pino's format at level info; does nothing if that level is disabled. */
  readonly logRequest: (line: RequestLine) => void;
  /** Resolves once everything logged so far has left the process. */
  readonly flush: () => Promise<void>;
}

/** Structured lines on standard output. Pending lines are written when the process ends. */
export function createLog(level: string): Log {
  const output = createBlockOutput(1);
  const log = pino({ level, base: null, timestamp: () => `,"time":"${isoNow()}"` }, output);
  // Pending lines must be written before the process ends for any reason.
  process.once("exit", () => output.flushSync());
  // pino takes a few microseconds for a line, as long as the rest of a request.
  const logRequest = ({ id, method, path, status, ms, key }: RequestLine) =>
    output.writeAscii(
      `{"level":30,"time":"${isoNow()}","id":"${id}","method":"${method}","path":"${path}",` +
        `"status":${status},"ms":${ms}${key === null ? "" : `,"key":"${key}"`}}\n`,
    );
  return { log, logRequest: log.isLevelEnabled("info") ? logRequest : () => {}, flush: output.flush };
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
