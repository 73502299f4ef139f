import { openBlock, readVarint, readWideColumn, sealBlock, writeVarint, writeWideChange } from "@/lib/history/block";
import { findLeastDigits } from "@/lib/history/points";
import { alignPoints } from "@/lib/market/price";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * Bars in whole points, and bars of one symbol and timeframe as one small block. Its payload has digits, count, the first
 * time and the length of a bar, then a column for each field: bars skipped, the close from the close before, the open
 * from the close before, the high from the higher of open and close, the low from the lower, and the volume.
 */

/** A bar whose prices are whole points (price × 10^digits), so that bars can be compared and joined exactly. */
export interface PointBar {
  /** When it opened: UTC milliseconds. */
  readonly timeMs: number;
  digits: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The same bar with its prices in so many digits, which are not fewer. */
export function raiseBar<Raised extends Omit<PointBar, "timeMs">>(bar: Raised, digits: number): Raised {
  if (digits === bar.digits) return bar;
  const raise = (points: number) => alignPoints(points, bar.digits, digits);
  const { open, high, low, close } = bar;
  return { ...bar, digits, open: raise(open), high: raise(high), low: raise(low), close: raise(close) };
}

const VERSION = 1;
/** Five columns of at most eight bytes a bar, one of five, and the head of the payload. */
const BYTES_PER_BAR = 45;
const PAYLOAD_HEAD_BYTES = 40;
const LEVEL = 9;

/** @param bars in order, at least one, whose times are multiples of `minutes` apart */
export function encodeBars(bars: readonly PointBar[], minutes: number): Buffer {
  const finest = Math.max(...bars.map(({ digits }) => digits));
  const raised = bars.map((bar) => raiseBar(bar, finest));
  const prices = raised.flatMap(({ open, high, low, close }) => [open, high, low, close]);
  const digits = findLeastDigits(finest, prices);
  const points = (value: number) => alignPoints(value, finest, digits);
  const payload = Buffer.allocUnsafe(PAYLOAD_HEAD_BYTES + bars.length * BYTES_PER_BAR);
  const stepMs = minutes * MINUTE_MS;
  const firstMs = raised[0]?.timeMs ?? 0;
  let at = writeVarint(payload, 0, digits);
  at = writeVarint(payload, at, bars.length);
  at = writeVarint(payload, at, firstMs / 1000);
  at = writeVarint(payload, at, minutes);
  const column = (value: (bar: PointBar, before: PointBar | undefined) => number) => {
    raised.forEach((bar, index) => (at = writeWideChange(payload, at, value(bar, raised[index - 1]))));
  };
  column(({ timeMs }, before) => (before === undefined ? 0 : (timeMs - before.timeMs) / stepMs - 1));
  column(({ close }, before) => points(close - (before?.close ?? 0)));
  column(({ open }, before) => points(open - (before?.close ?? 0)));
  column(({ open, high, close }) => points(high - Math.max(open, close)));
  column(({ open, low, close }) => points(Math.min(open, close) - low));
  column(({ volume }) => volume);
  return sealBlock(VERSION, payload.subarray(0, at), LEVEL);
}

/** Throws an Error for a damaged block or one of an unknown version; never misreads it. */
export function decodeBars(block: Uint8Array): PointBar[] {
  const { reader } = openBlock(block, { content: "bars", versions: [VERSION] });
  const [digits, count] = [readVarint(reader), readVarint(reader)];
  let timeMs = readVarint(reader) * 1000;
  const stepMs = readVarint(reader) * MINUTE_MS;
  const column = () => readWideColumn(reader, count);
  const [skipped, closes, opens, highs, lows, volumes] = [column(), column(), column(), column(), column(), column()];
  const bars = new Array<PointBar>(count);
  let before = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0) timeMs += ((skipped[i] as number) + 1) * stepMs;
    const close = before + (closes[i] as number);
    const open = before + (opens[i] as number);
    before = close;
    const [top, bottom] = open > close ? [open, close] : [close, open];
    const [high, low] = [top + (highs[i] as number), bottom - (lows[i] as number)];
    bars[i] = { timeMs, digits, open, high, low, close, volume: volumes[i] as number };
  }
  return bars;
}
