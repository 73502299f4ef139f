import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;
const ID_LENGTH = 2 * ID_BYTES;
const pool = Buffer.allocUnsafe(ID_BYTES * 1024);
let ids = "";
let used = 0;

/**
 * Creates 32 hexadecimal characters. Random bytes are read and written as text in blocks, because one system call per
 * request would take longer than the request.
 */
export function createRequestId(): string {
  if (used === ids.length) {
    ids = randomFillSync(pool).toString("hex");
    used = 0;
  }
  used += ID_LENGTH;
  return ids.slice(used - ID_LENGTH, used);
}
