import type { Pool } from "pg";
import type { BookUpdate } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { createBars } from "@/lib/history/bars/bars";
import type { BarHistory, HourStore, OpenHours, SpreadHistory } from "@/lib/history/history";
import { writeHour } from "@/lib/history/hour-closing";
import type { HourColumns, SecondRow } from "@/lib/history/hour-columns";
import { readJournal } from "@/lib/history/journal";
import { createOpenHours, type OpenHoursKeeper } from "@/lib/history/open-hours";
import { createSpreads, type SpreadsOptions } from "@/lib/history/spreads/spreads";
import { createTickHistory, type TickHistory } from "@/lib/history/ticks/tick-history";
import { readHour, tickHourStore } from "@/lib/history/ticks/tick-hour-store";
import type { Instrument } from "@/lib/market/instrument";
import { openSessions } from "@/lib/market/sessions";
import { type Clock, systemClock } from "@/lib/platform/clock";

/** Everything recorded, as endpoints and pages read it. */
export interface History {
  readonly openHours: OpenHours;
  readonly bars: BarHistory;
  readonly ticks: TickHistory;
  readonly spreads: SpreadHistory;
}

/** Whoever holds the open hours, and must hear what becomes of them. */
export interface HistoryFollower {
  /** Rows that were recorded, and how far recording has come: UTC milliseconds on the market clock. */
  onRecorded(rows: readonly SecondRow[], completeUntilMs: number): void;
  /** The hour that began then was closed: it is in the database now. */
  onClosed(hourMs: number): void;
  /** Hours that were not recorded live were written, or old ones removed. */
  onRewritten(): void;
}

/** History with all its parts, alike in the process that records and in one that is told what was recorded. */
export interface HistoryKeeper extends HistoryFollower {
  readonly history: History;
  readonly openHours: OpenHoursKeeper;
  /** Takes a quote of any source, for the comparison of their spreads. */
  onQuote(quote: BookUpdate): void;
  /** Has another process told everything that this one is told. */
  follow(follower: HistoryFollower): void;
  /** Fills the open hours with what the journal holds, and the sources' latest with what an earlier run saved. */
  readJournal(): Promise<void>;
  /** Writes down what is not in the journal and would be lost with this process. */
  save(): Promise<void>;
  /** Writes an open hour for good and forgets it. What readers see does not change by it. */
  close(hourMs: number): Promise<void>;
  /**
   * Writes whole hours that were not recorded live, such as back-filled ones: each hour in a transaction of its own,
   * replacing what was there of the same symbols. Throws an Error for an hour that is still being recorded.
   */
  writeHours(columns: readonly HourColumns[]): Promise<void>;
}

export function createHistory({
  pool,
  instruments,
  sources = [],
  sessions = { openAt: openSessions },
  marketNow = systemClock,
}: {
  pool: Pool;
  instruments: readonly Instrument[];
  /** Those whose own spreads are taken up again after a restart. */
  sources?: readonly FeedSource[];
  /** What spreads are told apart by; the usual ones unless the installation has its own. */
  sessions?: SpreadsOptions["sessions"];
  marketNow?: Clock;
}): HistoryKeeper {
  const openHours = createOpenHours(instruments);
  const bars = createBars({ pool, openHours, instruments });
  const ticks = createTickHistory({ openHours, readHour: (symbol, hourMs) => readHour(pool, symbol, hourMs) });
  const spreads = createSpreads({
    ...{ pool, openHours, sessions, now: marketNow },
    symbols: instruments.map(({ symbol }) => symbol),
    sources: sources.map(({ name }) => name),
  });
  /** Each writes its part of every hour that is closed. */
  const stores: readonly HourStore[] = [tickHourStore, bars.store, spreads.store];
  let followers: readonly HistoryFollower[] = [];

  const keeper: HistoryKeeper = {
    history: { openHours, bars, ticks, spreads: spreads.history },
    openHours,
    onQuote: spreads.onQuote,
    save: spreads.save,
    follow: (follower) => void (followers = [...followers, follower]),

    async readJournal() {
      for (const row of await readJournal(pool)) openHours.write(row);
      await spreads.restore();
    },

    onRecorded(rows, completeUntilMs) {
      for (const row of rows) openHours.write(row);
      openHours.advance(completeUntilMs);
      for (const follower of followers) follower.onRecorded(rows, completeUntilMs);
    },

    async close(hourMs) {
      await writeHour(pool, stores, hourMs, openHours.getColumns(hourMs));
      keeper.onClosed(hourMs);
    },

    onClosed(hourMs) {
      bars.applyClosed(openHours.getColumns(hourMs));
      openHours.drop(hourMs);
      spreads.invalidate();
      for (const follower of followers) follower.onClosed(hourMs);
    },

    async writeHours(columns) {
      const byHour = new Map<number, HourColumns[]>();
      for (const each of columns) byHour.set(each.hourMs, [...(byHour.get(each.hourMs) ?? []), each]);
      for (const [hourMs, ofHour] of [...byHour].sort(([a], [b]) => a - b)) {
        if (openHours.listStarts().includes(hourMs)) {
          throw new Error(`The hour from ${new Date(hourMs).toISOString()} is still being recorded`);
        }
        await writeHour(pool, stores, hourMs, ofHour);
      }
      keeper.onRewritten();
    },

    onRewritten() {
      bars.invalidate();
      ticks.invalidate();
      spreads.invalidate();
      for (const follower of followers) follower.onRewritten();
    },
  };
  return keeper;
}
