import { write, writeSync } from "node:fs";
import pino from "pino";

export type Logger = pino.Logger;

/** Structured lines on standard output. `flush` on shutdown loses nothing. */
export function createLog(level: string): Logger {
  const output = bufferedOutput(1);
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
  // What is still held must come out before the process ends, whatever ends it.
  process.once("exit", () => output.flushSync());
  return log;
}

/** A logger that writes nowhere, for tests and for commands whose output is their answer. */
export const silentLog: Logger = pino({ level: "silent" });

const FLUSH_AT_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 200;

/**
 * Gathers lines and hands them to the system in large blocks, in the background: a line a request must not cost a
 * system call a request, nor wait for a terminal or a disk. pino's own destination measures everything it holds anew
 * with each line, which at tens of thousands of lines a second costs more than the requests.
 */
function bufferedOutput(fd: number) {
  let lines: string[] = [];
  let held = 0;
  let writing: Buffer | null = null;

  function flush(): void {
    if (held === 0 || writing !== null) return;
    send(take());
  }

  function take(): Buffer {
    const block = Buffer.from(lines.join(""));
    lines = [];
    held = 0;
    return block;
  }

  function send(block: Buffer): void {
    writing = block;
    write(fd, block, (error, written) => {
      // A full pipe answers EAGAIN: its reader is slow, and the block waits for it.
      if (error?.code === "EAGAIN") setTimeout(send, 20, block);
      else if (error === null && written < block.length) send(block.subarray(written));
      else {
        writing = null;
        if (held >= FLUSH_AT_BYTES) flush();
      }
    });
  }

  setInterval(flush, FLUSH_EVERY_MS).unref();
  return {
    write(line: string): void {
      lines.push(line);
      held += line.length;
      if (held >= FLUSH_AT_BYTES) flush();
    },
    flushSync(): void {
      if (held > 0) writeSync(fd, take());
    },
  };
}
