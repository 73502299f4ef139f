import type { PointBar } from "@/lib/history/bars/point-bar";
import type { TradingDay } from "@/lib/market/day-change";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, getBarStart } from "@/lib/market/timeframe";
import { getNextOpening } from "@/lib/market/trading-hours";
import { QUARTER_HOUR_MS } from "@/lib/time/units";

type Track = Pick<Instrument, "symbol" | "digits" | "tradingHours">;
type Span = Pick<PointBar, "timeMs" | "open" | "high" | "low" | "close">;

/** The running day of one symbol. Prices are in points. Adding a span twice changes nothing. */
export class DayTrack {
  readonly #instrument: Track;
  #startMs = -Infinity;
  #endMs = -Infinity;
  #previousClose: number | null = null;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  #lastMs = -Infinity;
  /** The last bid of each quarter of an hour of the day; undefined where there was none. */
  #quarters: (number | undefined)[] = [];
  #day: TradingDay | null = null;

  constructor(instrument: Track) {
    this.#instrument = instrument;
  }

  /** Adds a recorded second, or a bar of at most a quarter of an hour. Those of earlier days are ignored. */
  add({ timeMs, open, high, low, close }: Span): void {
    if (timeMs < this.#startMs) return;
    if (timeMs >= this.#endMs) this.#begin(timeMs, open);
    if (timeMs >= this.#lastMs) {
      this.#lastMs = timeMs;
      this.#close = close;
      this.#quarters[Math.floor((timeMs - this.#startMs) / QUARTER_HOUR_MS)] = close;
    }
    if (high <= this.#high && low >= this.#low) return;
    this.#high = Math.max(this.#high, high);
    this.#low = Math.min(this.#low, low);
    this.#day = null;
  }

  /** The day; the same object until one of its figures changes. Undefined without a price. */
  read(): TradingDay | undefined {
    if (this.#endMs === -Infinity) return undefined;
    if (this.#day !== null) return this.#day;
    const scale = 10 ** this.#instrument.digits;
    this.#day = {
      startMs: this.#startMs,
      previousClose: this.#previousClose === null ? null : this.#previousClose / scale,
      open: this.#open / scale,
      high: this.#high / scale,
      low: this.#low / scale,
    };
    return this.#day;
  }

  /** The last bid of each quarter of an hour since the start of the day, in points; null before the first. */
  readQuarters(): (number | null)[] {
    return Array.from(this.#quarters, (price) => price ?? null);
  }

  #begin(timeMs: number, open: number): void {
    const startMs = getBarStart("D1", timeMs);
    const isNext = this.#endMs !== -Infinity && !isTradedBetween(this.#instrument, this.#endMs, startMs);
    this.#previousClose = isNext ? this.#close : null;
    this.#startMs = startMs;
    this.#endMs = getBarEnd("D1", startMs);
    this.#open = this.#high = this.#low = open;
    this.#quarters = [];
    this.#day = null;
  }
}

/** Whether the market was open for a moment in [fromMs, toMs), so that a trading day without prices lies between. */
function isTradedBetween({ tradingHours }: Track, fromMs: number, toMs: number): boolean {
  if (fromMs >= toMs) return false;
  const openingMs = getNextOpening(tradingHours, fromMs);
  return openingMs !== null && openingMs < toMs;
}
