import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import { type HourStore, inLeasedTransaction } from "@/lib/history/hour-store";
import type { OpenHours } from "@/lib/history/open-hours";
import { DetailReader } from "@/lib/history/spreads/detail-reader";
import { PercentileReader } from "@/lib/history/spreads/percentile-reader";
import { readMinutes } from "@/lib/history/spreads/read-minutes";
import { SourceReader } from "@/lib/history/spreads/source-reader";
import { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import { DRAWN_STEPS, type SpreadHistory } from "@/lib/history/spreads/spread-history";
import { toSpreadHour } from "@/lib/history/spreads/spread-hour";
import {
  encodeSpreadHours,
  readRecentHours,
  writeEncodedHours,
  writeSpreadHours,
} from "@/lib/history/spreads/spread-rows";
import { StatisticsReader } from "@/lib/history/spreads/statistics-reader";
import { StoredHours } from "@/lib/history/spreads/stored-hours";
import { WeekReader } from "@/lib/history/spreads/week-reader";
import type { Sessions } from "@/lib/market/sessions/sessions";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly openHours: OpenHours;
  readonly symbols: readonly string[];
  readonly sources: readonly string[];
  readonly sessions: Pick<Sessions, "openAt">;
  /** The market clock, in UTC milliseconds. */
  readonly now: Clock;
}

/** The spreads of a process: their history, and the stores that fill it. */
export class Spreads {
  readonly history: SpreadHistory;
  readonly store: HourStore;
  /** Accepts a quote of any source. */
  readonly onQuote: SourceSpreads["onQuote"];
  readonly #options: Options;
  readonly #sourceSpreads = new SourceSpreads();
  readonly #sourceReader: SourceReader;
  readonly #storedHours: StoredHours;

  constructor(options: Options) {
    const { pool, openHours, sessions, now } = options;
    const sourceSpreads = this.#sourceSpreads;
    const storedHours = new StoredHours(pool);
    const sourceReader = new SourceReader({ pool, sourceSpreads, now });
    const statisticsReader = new StatisticsReader({ openHours, storedHours, sessions, now });
    const detailReader = new DetailReader({ pool, openHours, storedHours, now });
    const percentileReader = new PercentileReader({ detailReader, getStep: (period) => DRAWN_STEPS[period], now });
    const weekReader = new WeekReader({ pool, storedHours, now });
    this.#options = options;
    this.#storedHours = storedHours;
    this.#sourceReader = sourceReader;
    this.onQuote = (quote) => sourceSpreads.onQuote(quote);
    this.store = { writeHour: (client, columns) => this.#writeHour(client, columns) };
    this.history = {
      readStatistics: (symbol, period) => statisticsReader.read(symbol, period),
      readDetail: (symbol, period, stepMinutes) => detailReader.read(symbol, period, stepMinutes),
      readBySource: (symbol, period) => sourceReader.read(symbol, period),
      readSourceSteps: (symbol, period, stepMinutes) => sourceReader.readSteps(symbol, period, stepMinutes),
      readPercentiles: (symbol, period) => percentileReader.read(symbol, period),
      readMinutes: (symbol, hoursMs) => readMinutes({ pool, openHours }, symbol, hoursMs),
      readWeek: (symbol, zone) => weekReader.read(symbol, zone),
    };
  }

  /** Restores the sources' latest hours that an earlier run or another process saved. */
  async restore(): Promise<void> {
    const { pool, symbols, sources, now } = this.#options;
    const fromMs = Math.floor(now() / HOUR_MS) * HOUR_MS - HOUR_MS;
    this.#sourceSpreads.restore(await readRecentHours(pool, { symbols, sources, fromMs }));
  }

  /**
   * Stores the sources' own spreads in memory, which otherwise happens when an hour is closed. Throws LeaseLost unless
   * `fence` holds the lease: another server may have closed these hours with more samples.
   */
  async save(fence: number): Promise<void> {
    const { pool, now } = this.#options;
    // Encoding takes longer than a transaction may.
    const encoded = await encodeSpreadHours(this.#sourceSpreads.collect(-Infinity, now()));
    await inLeasedTransaction(pool, fence, (client) => writeEncodedHours(client, encoded));
  }

  /** Drops cached hours, because hours were written or removed. */
  invalidate(): void {
    this.#storedHours.invalidate();
    this.#sourceReader.invalidate();
  }

  /** Stores the spreads of a closed hour: the served quotes', and every source's own. */
  async #writeHour(client: PoolClient, columns: readonly HourColumns[]): Promise<void> {
    const starts = new Set(columns.map(({ hourMs }) => hourMs));
    const bySource = [...starts].flatMap((hourMs) => this.#sourceSpreads.collect(hourMs, hourMs + HOUR_MS));
    await writeSpreadHours(client, [...columns.map(toSpreadHour), ...bySource]);
  }
}
