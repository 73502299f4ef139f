const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** CRC-32 as zip and gzip have it (node:zlib offers its own only since 20.15). Finds every error of up to 32 bits in a row. */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    remainder = (remainder >>> 8) ^ (table[(remainder ^ (bytes[i] as number)) & 255] as number);
  }
  return ~remainder >>> 0;
}
