import type { Pool } from "pg";
import type { HourStore, OpenHours, SpreadHistory } from "@/lib/history/history";
import { createSpreadStatistics } from "@/lib/history/spreads/period-statistics";
import { createSourceHistory } from "@/lib/history/spreads/source-history";
import { createSourceSpreads, type SourceSpreads } from "@/lib/history/spreads/source-spreads";
import { createSpreadDetails } from "@/lib/history/spreads/spread-detail";
import { readRecentHours, writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import { createSpreadStore } from "@/lib/history/spreads/spread-store";
import { createStoredHours } from "@/lib/history/spreads/written-hours";
import type { Sessions } from "@/lib/market/sessions";
import type { Clock } from "@/lib/platform/clock";
import { HOUR_MS } from "@/lib/time/units";

/** The spreads of a process: their history, and what fills it. */
export interface Spreads {
  readonly history: SpreadHistory;
  readonly store: HourStore;
  /** Takes a quote of any source. */
  readonly onQuote: SourceSpreads["onQuote"];
  /** Goes on from what an earlier run has saved of the sources' latest hours. Call it before the first quote. */
  restore(): Promise<void>;
  /** Writes down what is in memory of the sources' own spreads, which otherwise happens when an hour is closed. */
  save(): Promise<void>;
  /** Hours were written or removed. */
  invalidate(): void;
}

export interface SpreadsOptions {
  readonly pool: Pool;
  readonly openHours: OpenHours;
  readonly symbols: readonly string[];
  readonly sources: readonly string[];
  readonly sessions: Pick<Sessions, "openAt">;
  /** The market clock, in UTC milliseconds. */
  readonly now: Clock;
}

export function createSpreads({ pool, openHours, symbols, sources, sessions, now }: SpreadsOptions): Spreads {
  const sourceSpreads = createSourceSpreads();
  const writtenHours = createStoredHours(pool);
  const sourceHistory = createSourceHistory({ pool, sourceSpreads, now });
  return {
    history: {
      readStatistics: createSpreadStatistics({ openHours, writtenHours, sessions, now }),
      readDetail: createSpreadDetails({ pool, openHours, writtenHours, now }),
      readBySource: sourceHistory.bySource,
    },
    store: createSpreadStore(sourceSpreads),
    onQuote: sourceSpreads.onQuote,
    async restore() {
      const fromMs = Math.floor(now() / HOUR_MS) * HOUR_MS - HOUR_MS;
      sourceSpreads.restore(await readRecentHours(pool, { symbols, sources, fromMs }));
    },
    async save() {
      await writeSpreadHours(pool, sourceSpreads.collect(-Infinity, now()));
    },
    invalidate() {
      writtenHours.invalidate();
      sourceHistory.changed();
    },
  };
}
