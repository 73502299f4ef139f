import pino from "pino";
import * as z from "zod";
import { createBlockOutput } from "@/lib/platform/log/block-output";
import { formatRequestLine, getRequestLevel, type RequestLine } from "@/lib/platform/log/request-line";
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

/** Selects the answers that the log has a line for: of each endpoint evenly, and every one that failed on our side. */
export class AccessLog {
  readonly #shares: AccessLogShares;
  /** The lines that are due by endpoint; one is written when a whole one is. */
  readonly #due = new Map<string, number>();

  constructor(shares: AccessLogShares) {
    this.#shares = shares;
  }

  /** @param path the endpoint's path template, of which there are few */
  selects(path: string, status: number): boolean {
    if (status >= 500) return true;
    const { share, paths } = this.#shares;
    const own = paths.get(path) ?? share;
    if (own === 1 || own === 0) return own === 1;
    const due = (this.#due.get(path) ?? 1 - own) + own;
    this.#due.set(path, due < 1 ? due : due - 1);
    return due >= 1;
  }
}

/** Which answered calls the log has a line for. */
interface AccessLogShares {
  /** The share of the calls, from 0 to 1. */
  readonly share: number;
  /** The share of the calls of single endpoints, by their path as the log has it. */
  readonly paths: ReadonlyMap<string, number>;
}

const FORM = "must be a share from 0 to 1, or several like 0.01,/v1/quote=0.001,/health=0";

/** "0.01,/v1/quote=0.001,/health=0": a share of all calls, and others for single endpoints. */
export const accessLogSetting = z.string().transform((text, context): AccessLogShares => {
  const paths = new Map<string, number>();
  let share = 1;
  for (const entry of text.split(",").map((part) => part.trim())) {
    const [, path, digits] = /^(?:(\/\S+|unmatched)=)?(\d(?:\.\d+)?)$/.exec(entry) ?? [];
    const value = Number(digits);
    if (!(value <= 1)) {
      context.addIssue({ code: "custom", message: `${FORM}; ${JSON.stringify(entry)} is not` });
      return z.NEVER;
    }
    if (path === undefined) share = value;
    else paths.set(path, value);
  }
  return { share, paths };
});
