import type { Pool } from "pg";
import { readRevision } from "@/lib/access/admission/access-rows";
import type { Directory } from "@/lib/access/admission/directory";
import { mayRead } from "@/lib/access/plans";
import { findEntitlement } from "@/lib/alerts/check-alert";
import { AlertIndex } from "@/lib/alerts/engine/alert-index";
import { checkEvents } from "@/lib/alerts/engine/check-events";
import { checkQuote, explainQuote, type UsualPoints } from "@/lib/alerts/engine/check-quote";
import { fillWindow } from "@/lib/alerts/engine/fill-window";
import { FiringWriter } from "@/lib/alerts/engine/firing-writer";
import { WatchedAlert } from "@/lib/alerts/engine/watched-alert";
import { readActiveIds, readChangedAlerts, saveStates, type WatchedRow } from "@/lib/alerts/engine/watched-rows";
import type { Book } from "@/lib/book/book";
import type { ServedQuote } from "@/lib/book/quote";
import type { Calendar } from "@/lib/calendar/calendar";
import type { History } from "@/lib/history/history";
import { BEFORE_ALL, createUpdate } from "@/lib/platform/database/revision";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

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
  /** The clock of prices, and the wall clock. */
  readonly marketNow: Clock;
  readonly now: Clock;
  readonly log: Logger;
  /** Called after a firing was written: its deliveries are due. */
  readonly onFiring: () => void;
}

const PAUSE_MS = SECOND_MS;

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
  #usual: UsualPoints = new Map();

  constructor(options: Options) {
    const { pool, log } = options;
    this.#options = options;
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
    this.#checkQuote(alerts, quote);
  };

  /** Loads changes, finds what only time changes, and stores what alerts remember. */
  async check(): Promise<void> {
    await this.#refresh();
    this.#readUsualSpreads();
    const { book, calendar, marketNow } = this.#options;
    const nowMs = marketNow();
    for (const symbol of [...this.#index.symbols]) {
      const [alerts, quote] = [this.#index.findBySymbol(symbol), book.served(symbol, nowMs)];
      if (alerts !== undefined && quote !== undefined) this.#checkQuote(alerts, quote);
    }
    for (const alert of [...this.#index.ofEvents]) await this.#checkEvents(alert, calendar.events, nowMs);
    await this.#writer.retry();
    await this.#save();
  }

  #checkQuote(alerts: readonly WatchedAlert[], quote: ServedQuote): void {
    const moment = { nowMs: this.#options.marketNow(), usual: this.#usual };
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

  /** Writes the firings of all new events, one after the other. */
  async #checkEvents(alert: WatchedAlert, events: Calendar["events"], nowMs: number): Promise<void> {
    while (this.#index.has(alert) && !alert.isFiring && this.#mayFire(alert)) {
      const found = checkEvents(alert, events, { nowMs, isCoolingDown: alert.isCoolingDown(this.#options.now()) });
      if (found === null) return;
      await this.#writer.write({ alert, ...found });
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
