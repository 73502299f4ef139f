import type { Pool } from "pg";
import { type Directory, readRevision } from "@/lib/access/admission/directory";
import { mayRead } from "@/lib/access/plans";
import { findEntitlement } from "@/lib/alerts/alerts";
import { readJudgedDays } from "@/lib/alerts/completeness";
import { type IndicatorCondition, isEventCondition, isQuoteCondition } from "@/lib/alerts/conditions";
import {
  type AlertState,
  computeMoves,
  evaluateEvents,
  evaluateIndicator,
  evaluateMove,
  evaluatePrice,
  evaluateSpread,
  evaluateState,
  findMove,
  type Verdict,
} from "@/lib/alerts/evaluation";
import { findDue, findReleased, formatEventKey } from "@/lib/alerts/events";
import {
  buildEventFacts,
  buildIndicatorFacts,
  buildQuoteFacts,
  type FiringFacts,
  FiringWriter,
  type Occasion,
} from "@/lib/alerts/firing";
import { LineLevels } from "@/lib/alerts/line-levels";
import { COLUMNS, endAlert, parseRow, WatchedAlert, type WatchedRow } from "@/lib/alerts/watched-alert";
import type { Book } from "@/lib/book/book";
import type { ServedQuote } from "@/lib/book/quote";
import type { Calendar } from "@/lib/calendar/calendar";
import type { Entry } from "@/lib/calendar/sorted-events";
import type { FeedSource } from "@/lib/feeds/feed";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { History } from "@/lib/history/history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { getSpreadPips } from "@/lib/market/price";
import { BEFORE_ALL, createUpdate } from "@/lib/platform/database/revision";
import { inBackground } from "@/lib/platform/faults";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Reads indicators as the API answers them. */
export interface IndicatorReadings {
  /** What a condition compares at the newest closed bar; null without one. */
  read(condition: IndicatorCondition): Promise<CrossingNow | null>;
}

export interface CrossingNow {
  /** Null where there are too few bars. */
  readonly value: number | null;
  readonly against: number | null;
  /** When the bar ended, and when the next one does, UTC milliseconds. */
  readonly barEndMs: number;
  readonly nextCloseMs: number;
}

interface Options {
  readonly pool: Pool;
  /** The number under which this server records. Once another one does, nothing is written. */
  readonly fence: number;
  readonly book: Pick<Book, "served">;
  readonly calendar: Pick<Calendar, "events" | "revision">;
  readonly directory: Pick<Directory, "account">;
  readonly history: {
    readonly bars: Pick<History["bars"], "readRange">;
    readonly usualSpreads: History["usualSpreads"];
  };
  readonly readings: IndicatorReadings;
  readonly listSources: () => readonly FeedSource[];
  /** The clock of prices, and the wall clock. */
  readonly marketNow: Clock;
  readonly now: Clock;
  readonly log: Logger;
  /** Called after a firing was written: its deliveries are due. */
  readonly onFiring: () => void;
}

const PAUSE_MS = SECOND_MS;
/** How long an alert on an indicator waits for a bar that is due. */
const BAR_PAUSE_MS = 2 * SECOND_MS;

/**
 * Evaluates the alerts of all accounts: those on prices with each new price of their symbol, the others every second.
 * A price of a symbol without alerts costs one look-up. Each firing is written with its deliveries in one transaction.
 */
export class AlertEngine {
  readonly #options: Options;
  readonly #index = new AlertIndex();
  readonly #refresh: () => Promise<void>;
  readonly #checking: ReturnType<typeof repeat>;
  readonly #writer: FiringWriter;
  readonly #lines: LineLevels;
  #usual: UsualSpreadMap = new Map();

  constructor(options: Options) {
    const { pool, log } = options;
    this.#options = options;
    this.#lines = new LineLevels({ bars: options.history.bars, log });
    this.#writer = new FiringWriter({
      ...options,
      has: (alert) => this.#index.has(alert),
      remove: (id) => this.#index.remove(id),
      reload: (row, id) => this.#reload(row, id),
    });
    this.#refresh = createUpdate(
      () => readRevision(pool),
      (since) => this.#load(since),
    );
    this.#checking = repeat(() => this.check(), {
      pauseMs: PAUSE_MS,
      onFailure: (error) => log.error({ err: error }, "alerts cannot be checked; trying again"),
      onRecovery: () => log.info("alerts can be checked again"),
    });
  }

  /** The number of active alerts. */
  get size(): number {
    return this.#index.size;
  }

  /** Loads the alerts, then follows their changes. Rejects if they cannot be read. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#checking.start();
  }

  async stop(): Promise<void> {
    this.#checking.stop();
    await this.settle();
    await this.#save();
  }

  /** Resolves when the firings so far are written. */
  async settle(): Promise<void> {
    await this.#writer.settle();
  }

  /** To be called when the book has a new quote. */
  readonly onQuote = ({
    source,
    instrument,
  }: {
    readonly source: string;
    readonly instrument: { readonly symbol: string };
  }): void => {
    const alerts = this.#index.findBySymbol(instrument.symbol);
    if (alerts === undefined) return;
    const quote = this.#options.book.served(instrument.symbol);
    // A price of a source that is not served changes nothing.
    if (quote === undefined || quote.source !== source) return;
    for (const { window } of alerts) window?.add(quote.bid, quote.timeMs);
    this.#lines.addPrice(quote);
    this.#checkQuote(alerts, quote);
  };

  /** Loads changes, finds what only time changes, and stores what alerts remember. */
  async check(): Promise<void> {
    await this.#refresh();
    this.#readUsualSpreads();
    const { book, calendar, marketNow } = this.#options;
    const nowMs = marketNow();
    // No other alert waits for it.
    inBackground(this.#lines.refresh(this.#index.all, nowMs), this.#options.log, "reading the bars of alerts on lines");
    await this.#endOver(nowMs);
    for (const symbol of [...this.#index.symbols]) {
      const [alerts, quote] = [this.#index.findBySymbol(symbol), book.served(symbol, nowMs)];
      if (alerts !== undefined && quote !== undefined) this.#checkQuote(alerts, quote);
    }
    for (const alert of [...this.#index.ofEvents]) {
      await this.#fireEach(alert, () => findEvents(alert, calendar.events, nowMs));
    }
    await this.#checkDays();
    await this.#checkBars(nowMs);
    await this.#writer.retry();
    await this.#save();
  }

  #checkQuote(alerts: readonly WatchedAlert[], quote: ServedQuote): void {
    const moment = { nowMs: this.#options.marketNow(), usual: this.#usual, lines: this.#lines };
    for (const alert of alerts) {
      if (alert.isFiring) continue;
      const verdict = checkQuote(alert, quote, moment);
      if (verdict === null) continue;
      const { state, fires } = verdict;
      if (!fires || alert.isCoolingDown(this.#options.now()) || !this.#mayFire(alert)) alert.setState(state);
      else {
        const facts = explainQuote(alert, quote, moment);
        this.#writer.begin({ alert, key: `price ${alert.firings + 1}`, state, facts });
      }
    }
  }

  /** Ends the alerts whose line is over. */
  async #endOver(nowMs: number): Promise<void> {
    const { pool, fence } = this.#options;
    for (const alert of [...this.#index.all]) {
      if (alert.isFiring || !alert.isOver(nowMs)) continue;
      await endAlert(pool, fence, alert);
      this.#index.remove(alert.id);
    }
  }

  /** Writes the firings of all new events or days, one after the other. */
  async #fireEach(alert: WatchedAlert, find: () => readonly Occasion[]): Promise<void> {
    while (this.#index.has(alert) && !alert.isFiring && this.#mayFire(alert)) {
      const firing = takeNext(alert, find(), { isCoolingDown: alert.isCoolingDown(this.#options.now()) });
      if (firing === null) return;
      await this.#writer.write({ alert, ...firing });
    }
  }

  /** Evaluates the alerts on completeness when more hours are judged. Without such alerts it reads nothing. */
  async #checkDays(): Promise<void> {
    const alerts = [...this.#index.ofDays];
    if (alerts.length === 0) return;
    const { untilMs, find } = await readJudgedDays(this.#options);
    for (const alert of alerts) {
      const { condition } = alert;
      if (condition.type !== "completeness" || alert.judgedUntilMs === untilMs) continue;
      const found = await find(condition);
      // What a suspended account misses does not fire later.
      if (!this.#mayFire(alert)) alert.setState({ seen: found.map(({ key }) => key) });
      await this.#fireEach(alert, () => found);
      if (!alert.isFiring) alert.judgedUntilMs = untilMs;
    }
  }

  /** Evaluates the alerts on indicators whose next bar has closed. Without such alerts it reads nothing. */
  async #checkBars(nowMs: number): Promise<void> {
    const { readings, now, book } = this.#options;
    for (const alert of [...this.#index.ofBars]) {
      const { condition } = alert;
      const isRead = nowMs >= alert.readAtMs && nowMs < alert.nextBarMs;
      if (condition.type !== "indicator" || alert.isFiring || isRead) continue;
      const found = await readings.read(condition);
      alert.readAtMs = nowMs;
      // A bar is closed a moment after its end, once all of its ticks are stored.
      alert.nextBarMs = Math.max(found?.nextCloseMs ?? 0, nowMs + BAR_PAUSE_MS);
      if (found === null || found.value === null || found.against === null || !this.#index.has(alert)) continue;
      const { value, against, barEndMs } = found;
      const verdict = evaluateIndicator(condition, alert.state, { value, against });
      if (verdict === null) continue;
      if (!verdict.fires || alert.isCoolingDown(now()) || !this.#mayFire(alert)) alert.setState(verdict.state);
      else {
        const mode = book.served(condition.symbol)?.mode ?? "live";
        const facts = buildIndicatorFacts(condition, { value, against, barEndMs, mode });
        await this.#writer.write({ alert, key: `bar ${barEndMs}`, state: verdict.state, facts });
      }
    }
  }

  /** An account that is suspended, or whose plan lacks the data, gets nothing. */
  #mayFire({ accountId, condition }: WatchedAlert): boolean {
    const account = this.#options.directory.account(accountId);
    if (account === undefined || account.suspended) return false;
    const entitlement = findEntitlement(condition.type);
    return entitlement === null || mayRead(account, entitlement);
  }

  async #load(since: bigint): Promise<void> {
    const { pool } = this.#options;
    for (const row of await readChangedAlerts(pool, since)) this.#reload(row, row.id);
    // A change of any account raises the revision, and a deleted alert has no row.
    if (since === BEFORE_ALL || this.#index.size > 0) this.#index.retain(await readActiveIds(pool));
  }

  #reload(row: WatchedRow | null, id: string): void {
    if (row === null || !row.active) return this.#index.remove(id);
    const alert = new WatchedAlert(row);
    this.#index.add(alert);
    const { history, marketNow, log } = this.#options;
    if (alert.window === null) return;
    fillWindow(alert, history.bars, marketNow()).catch((error: unknown) => {
      log.error({ err: error, alert: id }, "the past prices of an alert cannot be read");
    });
  }

  /** The history keeps them for hours. Computing them takes seconds, for which no other alert waits. */
  #readUsualSpreads(): void {
    const { history, log } = this.#options;
    if (![...this.#index.all].some(({ condition }) => condition.type === "spread")) return;
    history.usualSpreads.read().then(
      (usual) => void (this.#usual = usual),
      (error: unknown) => log.error({ err: error }, "usual spreads cannot be read for alerts; trying again"),
    );
  }

  async #save(): Promise<void> {
    const unsaved = [...this.#index.all].filter(({ isUnsaved, isFiring }) => isUnsaved && !isFiring);
    if (unsaved.length === 0) return;
    for (const alert of unsaved) alert.isUnsaved = false;
    try {
      await saveStates(this.#options.pool, this.#options.fence, unsaved);
    } catch (error) {
      for (const alert of unsaved) alert.isUnsaved = true;
      throw error;
    }
  }
}

/** The active alerts in memory, by what can fire them. */
class AlertIndex {
  readonly #byId = new Map<string, WatchedAlert>();
  readonly #bySymbol = new Map<string, WatchedAlert[]>();
  readonly #ofEvents = new Map<string, WatchedAlert>();
  readonly #ofDays = new Map<string, WatchedAlert>();
  readonly #ofBars = new Map<string, WatchedAlert>();

  /** The alerts on the prices of a symbol; undefined if there are none. */
  findBySymbol(symbol: string): readonly WatchedAlert[] | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** The symbols that have alerts. */
  get symbols(): Iterable<string> {
    return this.#bySymbol.keys();
  }

  get ofEvents(): Iterable<WatchedAlert> {
    return this.#ofEvents.values();
  }

  get ofDays(): Iterable<WatchedAlert> {
    return this.#ofDays.values();
  }

  get ofBars(): Iterable<WatchedAlert> {
    return this.#ofBars.values();
  }

  get all(): Iterable<WatchedAlert> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  has(alert: WatchedAlert): boolean {
    return this.#byId.get(alert.id) === alert;
  }

  /** Adds an alert, in place of one with the same id. */
  add(alert: WatchedAlert): void {
    const before = this.#byId.get(alert.id);
    if (before !== undefined) {
      alert.continueFrom(before);
      this.remove(alert.id);
    }
    this.#byId.set(alert.id, alert);
    const { condition } = alert;
    if (isEventCondition(condition)) this.#ofEvents.set(alert.id, alert);
    else if (condition.type === "indicator") this.#ofBars.set(alert.id, alert);
    else if (!isQuoteCondition(condition)) this.#ofDays.set(alert.id, alert);
    else this.#bySymbol.set(condition.symbol, [...(this.#bySymbol.get(condition.symbol) ?? []), alert]);
  }

  remove(id: string): void {
    const alert = this.#byId.get(id);
    if (alert === undefined) return;
    this.#byId.delete(id);
    this.#ofEvents.delete(id);
    this.#ofDays.delete(id);
    this.#ofBars.delete(id);
    if (!isQuoteCondition(alert.condition)) return;
    const { symbol } = alert.condition;
    const others = this.#bySymbol.get(symbol)?.filter((each) => each !== alert) ?? [];
    if (others.length === 0) this.#bySymbol.delete(symbol);
    else this.#bySymbol.set(symbol, others);
  }

  retain(ids: ReadonlySet<string>): void {
    for (const id of [...this.#byId.keys()]) if (!ids.has(id)) this.remove(id);
  }
}

/** Finds the events that fulfil the condition of an alert now. */
function findEvents({ condition }: WatchedAlert, events: readonly Entry[], nowMs: number): Occasion[] {
  if (!isEventCondition(condition)) return [];
  const { type } = condition;
  const found =
    type === "release"
      ? findReleased(events, condition, nowMs)
      : findDue(events, condition, { nowMs, minutes: condition.minutes });
  return found.map((entry) => ({
    key: formatEventKey(type, entry),
    explain: () => buildEventFacts(type, entry.event, nowMs),
  }));
}

interface OccasionFiring {
  readonly key: string;
  readonly state: AlertState;
  readonly facts: FiringFacts;
}

/**
 * Takes the next event or day that fires an alert; null if there is none. Several at once are taken one after the other.
 * Changes the state of the alert where nothing fires.
 */
function takeNext(
  alert: WatchedAlert,
  found: readonly Occasion[],
  { isCoolingDown }: { readonly isCoolingDown: boolean },
): OccasionFiring | null {
  const keys = found.map(({ key }) => key);
  // An event may be due when its alert begins.
  const change = evaluateEvents(keys, alert.state, { ignoresFirst: alert.condition.type !== "upcoming" });
  if (change === null) return null;
  const next = found.find(({ key }) => key === change.fresh[0]);
  if (next === undefined || isCoolingDown) {
    alert.setState(change.state);
    return null;
  }
  const seen = keys.filter((each) => each === next.key || !change.fresh.includes(each));
  return { key: next.key, state: { seen }, facts: next.explain() };
}

/** The usual spreads of symbols, in price units. */
type UsualSpreadMap = ReadonlyMap<string, { readonly p95: number }>;

interface Moment {
  /** The market clock, UTC milliseconds. */
  readonly nowMs: number;
  readonly usual: UsualSpreadMap;
  readonly lines: LineLevels;
}

/**
 * Evaluates a condition on a symbol. Returns null if nothing has changed. Only a live or delayed price counts: a stale
 * one was evaluated when it was fresh, and one outside trading hours cannot be dealt at.
 */
function checkQuote(alert: WatchedAlert, quote: ServedQuote, { nowMs, usual, lines }: Moment): Verdict | null {
  const { condition, state, window } = alert;
  if (!isQuoteCondition(condition)) return null;
  if (condition.type === "state") return evaluateState(condition, state, quote.state);
  const isTradable = (quote.state === "live" || quote.state === "delayed") && quote.ask >= quote.bid;
  if (!isTradable) return null;
  if (condition.type === "price") return evaluatePrice(condition, state, quote);
  if (condition.type === "line") {
    const level = lines.find(alert, nowMs);
    return level === null ? null : evaluatePrice({ ...condition, level }, state, quote);
  }
  if (condition.type === "move") {
    return window === null ? null : evaluateMove(condition, state, computeMoves(quote.bid, window, nowMs));
  }
  const p95 = usual.get(condition.symbol)?.p95;
  return p95 === undefined ? null : evaluateSpread(quote.spread, p95, state);
}

/** Puts the reason of a firing in words and values. */
function explainQuote(alert: WatchedAlert, quote: ServedQuote, moment: Moment): FiringFacts {
  const { condition, window } = alert;
  if (!isQuoteCondition(condition)) throw new Error("A condition on events or days has no quote.");
  if (condition.type === "move" && window !== null) {
    const moves = computeMoves(quote.bid, window, moment.nowMs);
    return buildQuoteFacts(condition, quote, findMove(moves, condition.percent, condition.direction) ?? 0);
  }
  if (condition.type === "line") return buildQuoteFacts(condition, quote, moment.lines.find(alert, moment.nowMs) ?? 0);
  const usual = moment.usual.get(condition.symbol)?.p95 ?? 0;
  return buildQuoteFacts(condition, quote, toPips(usual, condition.symbol));
}

function toPips(spread: number, symbol: string): number {
  const instrument = instrumentBySymbol.get(symbol);
  return instrument === undefined ? 0 : getSpreadPips(0, spread, instrument);
}

/** Adds the recorded prices of the window of a move, so that it is complete after a restart. */
async function fillWindow(
  { condition, window }: WatchedAlert,
  bars: Pick<BarHistory, "readRange">,
  nowMs: number,
): Promise<void> {
  if (condition.type !== "move" || window === null) return;
  const fromMs = nowMs - condition.minutes * MINUTE_MS;
  const read = await bars.readRange(condition.symbol, "M1", { fromMs, toMs: nowMs, limit: condition.minutes });
  for (const { timeMs, low, high } of read) {
    window.add(low, timeMs);
    window.add(high, timeMs);
  }
}

/** The alerts that were changed after a revision, also those that are no longer active. */
async function readChangedAlerts(pool: Pool, since: bigint): Promise<WatchedRow[]> {
  const { rows } = await pool.query<WatchedRow>(`SELECT ${COLUMNS} FROM alert WHERE revision > $1`, [String(since)]);
  return rows.map(parseRow);
}

/** The ids of all active alerts, to find those that were deleted. */
async function readActiveIds(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM alert WHERE active");
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores states that changed without a firing, except of alerts that were changed or fired meanwhile, and of all unless
 * `fence` is the number of the server that records.
 */
async function saveStates(pool: Pool, fence: number, alerts: readonly WatchedAlert[]): Promise<void> {
  await pool.query(
    `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $5 FOR KEY SHARE)
     UPDATE alert SET state = saved.state::jsonb
       FROM lease, unnest($1::uuid[], $2::text[], $3::bigint[], $4::int4[]) AS saved (id, state, revision, firings)
      WHERE alert.id = saved.id AND alert.revision = saved.revision AND alert.firings = saved.firings AND active`,
    [
      alerts.map(({ id }) => id),
      alerts.map(({ state }) => JSON.stringify(state)),
      alerts.map(({ revision }) => revision),
      alerts.map(({ firings }) => firings),
      fence,
    ],
  );
}
