import { type HourWindow, LEAD, type SourceWindow, WINDOW } from "@/lib/history/quality/judge-hour";
import type { TradingHours } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";

/** One accepted price of a source. Prices in points, the receipt in UTC milliseconds. */
export interface PointTick {
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
}

/** The ticks of an hour and of what is around it, second by second: the straight way, without any storage. */
export function createWindow(
  hourMs: number,
  hours: TradingHours,
  sources: ReadonlyMap<string, readonly PointTick[]>,
): HourWindow {
  const startMs = hourMs - LEAD * 1_000;
  const open = Uint8Array.from({ length: WINDOW }, (_, i) => (isMarketOpen(hours, startMs + i * 1_000) ? 1 : 0));
  const windows = Array.from(sources, ([source, ticks]) => createSource(source, ticks, hourMs));
  return { open, recorded: new Uint8Array(WINDOW).fill(1), sources: windows };
}

function createSource(source: string, ticks: readonly PointTick[], hourMs: number): SourceWindow {
  const startMs = hourMs - LEAD * 1_000;
  const column = (length: number) => new Float64Array(length).fill(NaN);
  const window = {
    ...{ source, bids: column(WINDOW), asks: column(WINDOW), updated: new Uint8Array(WINDOW) },
    ...{ highs: column(60), lows: column(60), lowAsks: column(60) },
  };
  // What was quoted a while before is the first price.
  let at = findFirst(ticks, startMs - FIRST_MS);
  let last: PointTick | undefined;
  for (let i = 0; i < WINDOW; i++) {
    const endMs = startMs + (i + 1) * 1_000;
    for (; at < ticks.length && (ticks[at] as PointTick).timeMs < endMs; at++) {
      const tick = ticks[at] as PointTick;
      last = tick;
      if (tick.timeMs < endMs - 1_000) continue;
      window.updated[i] = 1;
      const minute = Math.floor((i - LEAD) / 60);
      if (minute < 0 || minute >= 60) continue;
      if (!(tick.bid <= (window.highs[minute] as number))) window.highs[minute] = tick.bid;
      if (!(tick.bid >= (window.lows[minute] as number))) window.lows[minute] = tick.bid;
      if (!(tick.ask >= (window.lowAsks[minute] as number))) window.lowAsks[minute] = tick.ask;
    }
    if (last === undefined) continue;
    window.bids[i] = last.bid;
    window.asks[i] = last.ask;
  }
  return window;
}

const FIRST_MS = 15 * 60_000;

function findFirst(ticks: readonly PointTick[], atMs: number): number {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ticks[middle] as PointTick).timeMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
