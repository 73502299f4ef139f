import type { PointBar } from "@/lib/history/bars/point-bar";
import { decodeColumns, encodeColumns } from "@/lib/history/import/column-block";
import { MINUTE_MS } from "@/lib/time/units";

/** Bars of one timeframe and hour, oldest first. */
export type BarList = readonly PointBar[];

export function encodeBars(bars: BarList, hourMs: number): Buffer {
  const column = (pick: (bar: PointBar) => number) => Int32Array.from(bars, pick);
  return encodeColumns([
    column(({ timeMs }) => (timeMs - hourMs) / MINUTE_MS),
    column(({ open }) => open),
    column(({ high, open }) => high - open),
    column(({ low, open }) => low - open),
    column(({ close, open }) => close - open),
    column(({ volume }) => volume),
  ]);
}

/** Throws an Error for a damaged block. */
export function decodeBars(block: Buffer, hourMs: number): BarList {
  const [minute, open, high, low, close, volume] = decodeColumns(block, 6) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  return Array.from(minute, (each, i) => {
    const first = open[i] as number;
    return {
      timeMs: hourMs + each * MINUTE_MS,
      open: first,
      high: first + (high[i] as number),
      low: first + (low[i] as number),
      close: first + (close[i] as number),
      volume: volume[i] as number,
    };
  });
}

/** The union of two lists: of two bars that opened together, the added one stays. */
export function mergeBars(stored: BarList, added: BarList): BarList {
  const byTime = new Map([...stored, ...added].map((bar) => [bar.timeMs, bar]));
  return [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs);
}
