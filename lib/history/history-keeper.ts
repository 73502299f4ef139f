import type { Pool } from "pg";
import type { BookUpdate } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { Bars } from "@/lib/history/bars/bars";
import type { History, HistoryFollower } from "@/lib/history/history";
import type { HourColumns, SecondRow } from "@/lib/history/hour-columns";
import { type HourStore, writeHour } from "@/lib/history/hour-store";
import { readJournal } from "@/lib/history/journal";
import { OpenHoursKeeper } from "@/lib/history/open-hours";
import { Spreads } from "@/lib/history/spreads/spreads";
import { TickHistory } from "@/lib/history/ticks/tick-history";
import { readHour, tickHourStore } from "@/lib/history/ticks/tick-hour-store";
import type { Instrument } from "@/lib/market/instrument";
import { getOpenSessions, type Sessions } from "@/lib/market/sessions/sessions";
import type { Clock } from "@/lib/platform/clock";

export interface HistoryOptions {
  readonly pool: Pool;
  readonly instruments: readonly Instrument[];
  /** Sources whose own spreads continue after a restart. */
  readonly sources?: readonly FeedSource[];
  /** The sessions by which spreads are grouped; by default the usual ones. */
  readonly sessions?: Pick<Sessions, "openAt">;
  readonly marketNow: Clock;
}

/** All parts of the history. It is the same in the process that records and in one that follows it. */
export class HistoryKeeper implements HistoryFollower {
  readonly history: History;
  readonly openHours: OpenHoursKeeper;
  /** Accepts a quote of any source, for the comparison of their spreads. */
  readonly onQuote: (quote: BookUpdate) => void;
  readonly #pool: Pool;
  readonly #bars: Bars;
  readonly #ticks: TickHistory;
  readonly #spreads: Spreads;
  /** Each store writes its part of every closed hour. */
  readonly #stores: readonly HourStore[];
  readonly #followers: HistoryFollower[] = [];

  constructor({ pool, instruments, sources = [], sessions, marketNow }: HistoryOptions) {
    const openHours = new OpenHoursKeeper(instruments);
    this.#pool = pool;
    this.openHours = openHours;
    this.#bars = new Bars({ pool, openHours, instruments });
    this.#ticks = new TickHistory({ openHours, readHour: (symbol, hourMs) => readHour(pool, symbol, hourMs) });
    this.#spreads = new Spreads({
      pool,
      openHours,
      sessions: sessions ?? { openAt: getOpenSessions },
      now: marketNow,
      symbols: instruments.map(({ symbol }) => symbol),
      sources: sources.map(({ name }) => name),
    });
    this.#stores = [tickHourStore, this.#bars.store, this.#spreads.store];
    this.onQuote = this.#spreads.onQuote;
    this.history = { openHours, bars: this.#bars, ticks: this.#ticks, spreads: this.#spreads.history };
  }

  /** Passes every later event on to another process's copy. */
  follow(follower: HistoryFollower): void {
    this.#followers.push(follower);
  }

  /** Fills the open hours from the journal, and the sources' latest spreads from those that an earlier run saved. */
  async readJournal(): Promise<void> {
    for (const row of await readJournal(this.#pool)) this.openHours.write(row);
    await this.#spreads.restore();
  }

  /** Saves what is only in memory and not in the journal. */
  async save(): Promise<void> {
    await this.#spreads.save();
  }

  onRecorded(rows: readonly SecondRow[], completeUntilMs: number): void {
    for (const row of rows) this.openHours.write(row);
    this.openHours.advance(completeUntilMs);
    for (const follower of this.#followers) follower.onRecorded(rows, completeUntilMs);
  }

  /** Moves an open hour into the database. Readers see no change. */
  async close(hourMs: number): Promise<void> {
    await writeHour(this.#pool, this.#stores, hourMs, this.openHours.getColumns(hourMs));
    this.onClosed(hourMs);
  }

  onClosed(hourMs: number): void {
    this.#bars.applyClosed(this.openHours.getColumns(hourMs));
    this.openHours.remove(hourMs);
    this.#spreads.invalidate();
    for (const follower of this.#followers) follower.onClosed(hourMs);
  }

  /**
   * Writes whole hours that were not recorded live, such as back-filled ones. Each hour has its own transaction and
   * replaces the same symbols' existing hour. Throws an Error for an hour that is still being recorded.
   */
  async writeHours(columns: readonly HourColumns[]): Promise<void> {
    const starts = new Set(columns.map(({ hourMs }) => hourMs));
    for (const hourMs of [...starts].sort((a, b) => a - b)) {
      if (this.openHours.listStarts().includes(hourMs)) {
        throw new Error(`The hour from ${new Date(hourMs).toISOString()} is still being recorded`);
      }
      const hours = columns.filter((each) => each.hourMs === hourMs);
      await writeHour(this.#pool, this.#stores, hourMs, hours);
    }
    this.onRewritten();
  }

  onRewritten(): void {
    this.#bars.invalidate();
    this.#ticks.invalidate();
    this.#spreads.invalidate();
    for (const follower of this.#followers) follower.onRewritten();
  }
}
