import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const pool = Buffer.allocUnsafe(ID_BYTES * 1024);
let used = pool.length;

/**
 * Creates 32 hexadecimal characters. Random bytes are read in blocks, because one system call per request would take
 * longer than the request.
 */
export function createRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString("hex", used - ID_BYTES, used);
}
