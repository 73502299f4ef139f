import { crc32, deflateRawSync } from "node:zlib";

interface Form {
  /** Whether sizes and positions are those of 64 bits. */
  readonly isWide: boolean;
  /** Whether the sizes stand behind the data, as programs write them that do not know them before. */
  readonly isStreamed: boolean;
}

/** A zip of one file, in a form that streaming and large archives have. */
export function writeZip(name: string, bytes: Uint8Array, { isWide, isStreamed }: Form): Uint8Array {
  const packed = deflateRawSync(bytes);
  const sum = crc32(bytes);
  const label = Buffer.from(name);
  const wide = (...values: readonly number[]) => {
    const extra = Buffer.alloc(4 + values.length * 8);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(values.length * 8, 2);
    values.forEach((value, i) => extra.writeBigUInt64LE(BigInt(value), 4 + i * 8));
    return extra;
  };
  const none = Buffer.alloc(0);
  const head = (signature: number, sizes: readonly number[], extra: Buffer, isEntry: boolean) => {
    const fields = Buffer.alloc(isEntry ? 46 : 30);
    let at = fields.writeUInt32LE(signature, 0);
    if (isEntry) at = fields.writeUInt16LE(45, at);
    at = fields.writeUInt16LE(isWide ? 45 : 20, at);
    at = fields.writeUInt16LE(isStreamed ? 8 : 0, at);
    at = fields.writeUInt16LE(8, at);
    at = fields.writeUInt32LE(0, at);
    for (const value of sizes) at = fields.writeUInt32LE(value, at);
    at = fields.writeUInt16LE(label.length, at);
    fields.writeUInt16LE(extra.length, at);
    if (isEntry && isWide) fields.writeUInt32LE(0xffff_ffff, 42);
    return Buffer.concat([fields, label, extra]);
  };
  const large = 0xffff_ffff;
  const sizes = isStreamed ? [0, 0, 0] : isWide ? [sum, large, large] : [sum, packed.length, bytes.length];
  const local = head(0x04034b50, sizes, isWide ? wide(bytes.length, packed.length) : none, false);
  const behind = Buffer.alloc(isStreamed ? 16 : 0);
  if (isStreamed)
    [0x08074b50, sum, packed.length, bytes.length].forEach((value, i) => behind.writeUInt32LE(value, i * 4));
  const own = isWide ? [sum, large, large] : [sum, packed.length, bytes.length];
  const entry = head(0x02014b50, own, isWide ? wide(bytes.length, packed.length, 0) : none, true);
  const start = local.length + packed.length + behind.length;
  const tail: Buffer[] = [];
  if (isWide) {
    const end = Buffer.alloc(56);
    end.writeUInt32LE(0x06064b50, 0);
    end.writeBigUInt64LE(44n, 4);
    for (const at of [24, 32]) end.writeBigUInt64LE(1n, at);
    end.writeBigUInt64LE(BigInt(entry.length), 40);
    end.writeBigUInt64LE(BigInt(start), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(start + entry.length), 8);
    locator.writeUInt32LE(1, 16);
    tail.push(end, locator);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(1, at);
  end.writeUInt32LE(isWide ? large : entry.length, 12);
  end.writeUInt32LE(isWide ? large : start, 16);
  return Buffer.concat([local, packed, behind, entry, ...tail, end]);
}
