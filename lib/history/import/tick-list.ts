import { decodeColumns, encodeColumns } from "@/lib/history/import/column-block";

/** Ticks of one hour in the order of time; prices in points. Ticks of one millisecond keep their order. */
export interface TickList {
  /** Milliseconds since the hour began. */
  readonly ms: Int32Array;
  readonly bid: Int32Array;
  readonly ask: Int32Array;
}

export function encodeTicks({ ms, bid, ask }: TickList): Buffer {
  return encodeColumns([ms, bid, ask.map((price, i) => price - (bid[i] as number))]);
}

/** Throws an Error for a damaged block. */
export function decodeTicks(block: Buffer): TickList {
  const [ms, bid, spread] = decodeColumns(block, 3) as [Int32Array, Int32Array, Int32Array];
  return { ms, bid, ask: spread.map((points, i) => points + (bid[i] as number)) };
}
