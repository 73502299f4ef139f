import { write, writeSync } from "node:fs";

const BLOCK_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 200;
/** Blocks kept for a reader that does not keep up: sixteen megabytes. What comes then is lost, rather than memory. */
const MOST_BLOCKS = 256;

/**
 * Gathers lines in a block of memory and hands full blocks to the system in the background: a line a request must
 * not cost a system call a request, nor wait for a terminal or a disk. pino's own destination measures all it holds
 * anew with each line, which at tens of thousands of lines a second costs more than the requests.
 */
export function blockOutput(fd: number) {
  let block = Buffer.allocUnsafe(BLOCK_BYTES);
  let used = 0;
  let waiting: Buffer[] = [];
  let writing = false;
  const whenEmpty: (() => void)[] = [];

  function close(): void {
    if (used === 0) return;
    enqueue(block.subarray(0, used));
    block = Buffer.allocUnsafe(BLOCK_BYTES);
    used = 0;
  }

  function enqueue(bytes: Buffer): void {
    if (waiting.length < MOST_BLOCKS) waiting.push(bytes);
    if (!writing) writeNext();
  }

  function writeNext(): void {
    const next = waiting[0];
    writing = next !== undefined;
    if (next === undefined) {
      for (const done of whenEmpty.splice(0)) done();
      return;
    }
    write(fd, next, (error, written) => {
      // A full pipe answers EAGAIN: its reader is slow, and the block waits for it.
      if (error?.code === "EAGAIN") return void setTimeout(writeNext, 20);
      // Nobody reads the log any more, and there is nowhere left to say so.
      if (error !== null) waiting = [];
      else if (written < next.length) waiting[0] = next.subarray(written);
      else waiting.shift();
      writeNext();
    });
  }

  setInterval(close, FLUSH_EVERY_MS).unref();

  return {
    write(line: string): void {
      const bytes = Buffer.byteLength(line);
      if (used + bytes > BLOCK_BYTES) close();
      if (bytes > BLOCK_BYTES) enqueue(Buffer.from(line));
      else used += block.write(line, used);
    },
    /** The same for a short line known to be ASCII, which needs no measuring and no encoding. */
    writeAscii(line: string): void {
      if (used + line.length > BLOCK_BYTES) close();
      used += block.write(line, used, "latin1");
    },
    /** Resolves once everything written so far is with the system. */
    flush(): Promise<void> {
      close();
      return writing ? new Promise((resolve) => whenEmpty.push(resolve)) : Promise.resolve();
    },
    /** For the last moment of a process, when nothing can be waited for. */
    flushSync(): void {
      // The first is with the system already while a write is under way.
      for (const bytes of waiting.splice(writing ? 1 : 0)) writeSync(fd, bytes);
      writeSync(fd, block, 0, used);
      used = 0;
    },
  };
}
