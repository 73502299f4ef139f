import type { DetailReader } from "@/lib/history/spreads/detail-reader";
import type { SpreadPercentiles, StepMinutes } from "@/lib/history/spreads/spread-history";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getPercentiles } from "@/lib/history/spreads/spread-rollup";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** Every symbol over one period, and some over others. */
const MAX_ENTRIES = 256;

interface Entry {
  readonly minute: number;
  readonly percentiles: Promise<SpreadPercentiles | null>;
}

interface Options {
  readonly detailReader: Pick<DetailReader, "read">;
  /** The step of a period that its readers share. */
  readonly getStep: (period: SpreadPeriod) => StepMinutes;
  readonly now: Clock;
}

/** Reads percentiles once a minute for all readers: SpreadHistory.readPercentiles. */
export class PercentileReader {
  readonly #options: Options;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: Options) {
    this.#options = options;
  }

  read(symbol: string, period: SpreadPeriod): Promise<SpreadPercentiles | null> {
    const minute = Math.floor(this.#options.now() / MINUTE_MS);
    const key = `${symbol} ${period}`;
    const known = this.#entries.get(key);
    if (known?.minute === minute) return known.percentiles;
    const entry = { minute, percentiles: this.#compute(symbol, period) };
    entry.percentiles.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key));
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
    return entry.percentiles;
  }

  async #compute(symbol: string, period: SpreadPeriod): Promise<SpreadPercentiles | null> {
    const { detailReader, getStep } = this.#options;
    const { histogram } = await detailReader.read(symbol, period, getStep(period));
    const [p5, p50, p95] = getPercentiles(histogram, [5, 50, 95]);
    return p5 === undefined || p50 === undefined || p95 === undefined ? null : { p5, p50, p95 };
  }
}
