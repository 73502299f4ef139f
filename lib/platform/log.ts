import pino from "pino";

export type Logger = pino.Logger;

/**
 * Structured lines on standard output. Written in the background in blocks, because a request on the hot path
 * must not wait for a terminal or a disk; `flush` on shutdown loses nothing.
 */
export function createLog(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 250 });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** A logger that writes nowhere, for tests and for commands whose output is their answer. */
export const silentLog: Logger = pino({ level: "silent" });
