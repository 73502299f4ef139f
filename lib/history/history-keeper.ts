import type { Pool } from "pg";
import type { BookUpdate } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { Bars } from "@/lib/history/bars/bars";
import { JoinedBars } from "@/lib/history/bars/joined-bars";
import { findGrowthStart } from "@/lib/history/bars/series";
import { Days } from "@/lib/history/days";
import type { History, HistoryFollower } from "@/lib/history/history";
import type { HourColumns, SecondRow } from "@/lib/history/hour-columns";
import { closeHour, type HourStore } from "@/lib/history/hour-store";
import { createImportedHourStore } from "@/lib/history/import/imported-hours";
import { readClosedHours, readJournal, readRecentRows } from "@/lib/history/journal";
import { OpenHoursKeeper } from "@/lib/history/open-hours";
import { proofStore, readOrigins } from "@/lib/history/proof/hour-proofs";
import { Spreads } from "@/lib/history/spreads/spreads";
import { UsualSpreads } from "@/lib/history/spreads/usual-spreads";
import { readHours, TickHistory, tickHourStore } from "@/lib/history/ticks/tick-history";
import type { Instrument } from "@/lib/market/instrument";
import type { PriceSide } from "@/lib/market/price";
import { getOpenSessions, type Sessions } from "@/lib/market/sessions/sessions";
import { type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Read, Replica } from "@/lib/platform/database/replica";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";

export interface HistoryOptions {
  readonly pool: Pool;
  readonly instruments: readonly Instrument[];
  /** Sources whose own spreads continue after a restart. */
  readonly sources?: readonly FeedSource[];
  /** The sessions by which spreads are grouped; by default the usual ones. */
  readonly sessions?: Pick<Sessions, "openAt">;
  /** Names of imported sources, most trusted first; others follow by name. */
  readonly importPriority?: readonly string[];
  readonly marketNow: Clock;
  /** Where bars and ticks are read instead of the database. */
  readonly replica?: Pick<Replica, "read" | "onChange"> | null;
}

/** All parts of the history. It is the same in the process that records and in one that follows it. */
export class HistoryKeeper implements HistoryFollower {
  readonly history: History;
  readonly openHours: OpenHoursKeeper;
  /** Accepts a quote of any source, for the comparison of their spreads. */
  readonly onQuote: (quote: BookUpdate) => void;
  readonly #pool: Pool;
  readonly #instruments: readonly Instrument[];
  readonly #bars: Bars;
  readonly #joined: readonly JoinedBars[];
  readonly #days: Days;
  readonly #ticks: TickHistory;
  readonly #spreads: Spreads;
  /** Each store writes its part of every closed hour. */
  readonly #stores: readonly HourStore[];
  readonly #followers: HistoryFollower[] = [];
  readonly #onChange: () => void;

  constructor({
    pool,
    instruments,
    sources = [],
    sessions,
    importPriority = [],
    marketNow,
    replica = null,
  }: HistoryOptions) {
    const openHours = new OpenHoursKeeper(instruments);
    this.#pool = pool;
    this.#instruments = instruments;
    this.openHours = openHours;
    const read: Read = replica?.read ?? ((work) => work(pool));
    this.#onChange = replica?.onChange ?? (() => {});
    this.#bars = new Bars({ read, openHours, instruments });
    this.#days = new Days({ pool, openHours, instruments, monotonic: monotonicClock });
    this.#ticks = new TickHistory({
      openHours,
      readHours: (hours) => read((from) => readHours(from, hours)),
    });
    this.#spreads = new Spreads({
      pool,
      openHours,
      sessions: sessions ?? { openAt: getOpenSessions },
      now: marketNow,
      instruments,
      sources: sources.map(({ name }) => name),
    });
    this.#stores = [
      tickHourStore,
      proofStore,
      this.#bars.store,
      this.#spreads.store,
      createImportedHourStore(importPriority),
    ];
    this.onQuote = this.#spreads.onQuote;
    const [days, ticks] = [this.#days, this.#ticks];
    const join = (side: PriceSide) => new JoinedBars({ bars: this.#bars, ticks, openHours, side });
    const [bars, ask, mid] = [join("bid"), join("ask"), join("mid")];
    this.#joined = [bars, ask, mid];
    const usualSpreads = new UsualSpreads({ pool, openHours, instruments, now: marketNow, monotonic: monotonicClock });
    this.history = {
      ...{ openHours, bars, sides: { ask, mid }, days, ticks, spreads: this.#spreads.history, usualSpreads },
      readOrigins: (symbols, hours) => read((from) => readOrigins(from, symbols, hours)),
    };
  }

  /** See `Bars.loadUsual`. */
  loadUsualBars(): Promise<void> {
    return this.#bars.loadUsual();
  }

  /** Passes every later event on to another process's copy. */
  follow(follower: HistoryFollower): void {
    this.#followers.push(follower);
  }

  /** Fills the open hours from the journal, and the sources' latest spreads from those that an earlier run saved. */
  async restore(): Promise<void> {
    await this.readJournal();
    await this.#spreads.restore();
  }

  /** Adds all rows of the journal to the open hours. */
  async readJournal(): Promise<void> {
    this.onRecorded(await readJournal(this.#pool), this.openHours.completeUntilMs);
  }

  /** Follows the hours that another process has closed or rewritten, and drops what comes after `presentMs`, if given. */
  async followClosedHours(presentMs?: number): Promise<void> {
    const closed = new Set(await readClosedHours(this.#pool));
    for (const hourMs of this.openHours.listStarts()) if (closed.has(hourMs)) this.onClosed(hourMs);
    this.onRewritten(presentMs);
  }

  /** Adds the rows of the journal from `fromSecond` (Unix time) on to the open hours. */
  async readRecentRows(fromSecond: number): Promise<void> {
    const symbols = this.#instruments.map(({ symbol }) => symbol);
    this.onRecorded(await readRecentRows(this.#pool, symbols, fromSecond), this.openHours.completeUntilMs);
  }

  /** Saves what is only in memory and not in the journal. Throws LeaseLost without the lease. */
  async save(fence: number): Promise<void> {
    await this.#spreads.save(fence);
  }

  /** Passes on only what is new here: what is read from the journal is mostly known already. */
  onRecorded(rows: readonly SecondRow[], completeUntilMs: number): void {
    const changed = rows.filter((row) => this.openHours.write(row));
    if (changed.length === 0 && completeUntilMs <= this.openHours.completeUntilMs) return;
    this.openHours.advance(completeUntilMs);
    this.#days.onRecorded(changed);
    for (const follower of this.#followers) follower.onRecorded(changed, completeUntilMs);
  }

  /** The moment from which the bars of each timeframe may still grow. */
  findGrowthStarts(): ReadonlyMap<StoredTimeframe, number> {
    return new Map(TIMEFRAMES.map((timeframe) => [timeframe, findGrowthStart(timeframe, this.openHours)]));
  }

  /** Moves an open hour from the journal to the stores. Readers see no change. Throws LeaseLost without the lease. */
  async close(hourMs: number, fence: number): Promise<void> {
    const parts = { stores: this.#stores, fence, hourMs };
    const columns = await closeHour(this.#pool, parts);
    this.#applyClosed(hourMs, columns ?? this.openHours.getColumns(hourMs));
  }

  onClosed(hourMs: number): void {
    this.#applyClosed(hourMs, this.openHours.getColumns(hourMs));
  }

  #applyClosed(hourMs: number, columns: readonly HourColumns[]): void {
    this.#onChange();
    this.#bars.applyClosed(columns);
    this.openHours.remove(hourMs);
    this.#days.onClosed();
    this.#spreads.invalidate();
    for (const follower of this.#followers) follower.onClosed(hourMs);
  }

  onRewritten(presentMs?: number): void {
    if (presentMs !== undefined) this.openHours.setBack(presentMs);
    this.#onChange();
    this.#bars.invalidate();
    for (const joined of this.#joined) joined.invalidate();
    this.#days.invalidate();
    this.#ticks.invalidate();
    this.#spreads.invalidate();
    for (const follower of this.#followers) follower.onRewritten(presentMs);
  }
}
