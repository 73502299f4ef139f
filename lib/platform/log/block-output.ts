import { write, writeSync } from "node:fs";

const BLOCK_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 200;
/** Blocks held for a slow reader: sixteen megabytes. Later lines are lost, so that memory stays bounded. */
const MAX_BLOCKS = 256;

/**
 * Collects lines in a block of memory and writes full blocks in the background, so that a log line costs no system call
 * and does not wait for a terminal or a disk. pino's own destination measures all pending text with each line, which at
 * tens of thousands of lines a second costs more than the requests.
 */
export function createBlockOutput(fd: number) {
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
    if (waiting.length < MAX_BLOCKS) waiting.push(bytes);
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
      // A full pipe fails with EAGAIN: its reader is slow, and the block is retried.
      if (error?.code === "EAGAIN") return void setTimeout(writeNext, 20);
      // The log has no reader any more, so nothing can be reported.
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
    /** The same for a short ASCII line, which needs no measuring and no encoding. */
    writeAscii(line: string): void {
      if (used + line.length > BLOCK_BYTES) close();
      used += block.write(line, used, "latin1");
    },
    /** Resolves once everything written so far has been passed to the system. */
    flush(): Promise<void> {
      close();
      return writing ? new Promise((resolve) => whenEmpty.push(resolve)) : Promise.resolve();
    },
    /** For the end of a process, when nothing can be awaited. */
    flushSync(): void {
      // The first block has been passed to the system if a write is under way.
      for (const bytes of waiting.splice(writing ? 1 : 0)) writeSync(fd, bytes);
      writeSync(fd, block, 0, used);
      used = 0;
    },
  };
}
