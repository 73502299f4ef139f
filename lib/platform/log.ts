import pino from "pino";
import { blockOutput } from "@/lib/platform/block-output";
import { systemClock } from "@/lib/platform/clock";

export type Logger = pino.Logger;

/** What is told of each request. All texts are ASCII without quotes or backslashes. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Id of the key that was used; null without one. */
  readonly key: string | null;
}

export interface Log {
  readonly log: Logger;
  /** Writes one line of pino's form at level info; free of charge where that level is not written. */
  readonly logRequest: (line: RequestLine) => void;
  /** Resolves once everything logged so far has left the process. */
  readonly flush: () => Promise<void>;
}

/** Structured lines on standard output; nothing is lost when the process ends. */
export function createLog(level: string): Log {
  const output = blockOutput(1);
  const log = pino({ level, base: null, timestamp: () => `,"time":"${isoNow()}"` }, output);
  // What is still held must come out before the process ends, whatever ends it.
  process.once("exit", () => output.flushSync());
  // pino takes a few microseconds for a line, which is as long as the rest of a request takes.
  const logRequest = ({ id, method, path, status, ms, key }: RequestLine) =>
    output.writeAscii(
      `{"level":30,"time":"${isoNow()}","id":"${id}","method":"${method}","path":"${path}",` +
        `"status":${status},"ms":${ms}${key === null ? "" : `,"key":"${key}"`}}\n`,
    );
  return { log, logRequest: log.isLevelEnabled("info") ? logRequest : () => {}, flush: output.flush };
}

/** A logger that writes nowhere, for tests and for commands whose output is their answer. */
export const silentLog: Logger = pino({ level: "silent" });

let isoAtMs = 0;
let iso = "";

/** The present moment in ISO 8601; the same text serves every line of a millisecond. */
function isoNow(): string {
  const nowMs = systemClock();
  if (nowMs !== isoAtMs) {
    isoAtMs = nowMs;
    iso = new Date(nowMs).toISOString();
  }
  return iso;
}
