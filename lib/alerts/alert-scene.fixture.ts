import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createDirectory } from "@/lib/access/admission/directory";
import type { PlanName } from "@/lib/access/plans";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { type AlertSettings, createAlerts } from "@/lib/alerts/alerts";
import { AlertEngine, type CrossingNow } from "@/lib/alerts/engine";
import { createBook } from "@/lib/book/book";
import type { CalendarEvent } from "@/lib/calendar/event";
import { applyChanges, type Entry } from "@/lib/calendar/sorted-events";
import type { FeedSource } from "@/lib/feeds/feed";
import { readFence } from "@/lib/history/recording/lease.fixture";
import type { Bar } from "@/lib/market/bar";
import { instruments } from "@/lib/market/catalog";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { SECOND_MS } from "@/lib/time/units";

/** A Wednesday. */
const START_MS = Date.UTC(2026, 6, 15, 12);

/** An account, a book and an engine of alerts on a real database, with a clock that the test moves. */
export async function createAlertScene(database: Database, plan: PlanName = "pro") {
  let nowMs = START_MS;
  const now = () => nowMs;
  const account = await someAccount(database, plan, now);
  const directory = createDirectory(database, { now, log: silentLog });
  await directory.start();
  const sources = [
    { name: "first", mode: "live" },
    { name: "second", mode: "live" },
  ] as const;
  const book = createBook({ sources, now });
  const byId = new Map<string, Entry>();
  const calendar = { events: [] as readonly Entry[], revision: 0 };
  const setUp: FeedSource[] = [...sources];
  const listSources = () => setUp;
  const past = {
    bars: [] as Bar[],
    crossing: null as CrossingNow | null,
    usual: new Map<string, { p5: number; p95: number }>(),
  };
  const history = {
    bars: { readRange: () => Promise.resolve(past.bars) },
    usualSpreads: { read: () => Promise.resolve(past.usual) },
  };
  const by = { kind: "owner", accountId: account.id } as const;
  const caller = { by, reader: { role: "member", plan } } as const;
  const alerts = createAlerts(database, { now, book, listSources });

  const fence = await readFence(database.pool);
  function createEngine(ownFence = fence): AlertEngine {
    const readings = { read: () => Promise.resolve(past.crossing) };
    const stores = { pool: database.pool, book, calendar, directory, history, listSources, readings };
    return new AlertEngine({ ...stores, marketNow: now, now, log: silentLog, fence: ownFence, onFiring: () => {} });
  }
  let engine = createEngine();

  /** Reads the messages of all firings so far, in their order. */
  async function readMessages(): Promise<string[]> {
    await engine.settle();
    const { rows } = await database.pool.query<{ message: string }>(
      "SELECT message FROM alert_firing WHERE account_id = $1 ORDER BY at, key",
      [account.id],
    );
    return rows.map(({ message }) => message);
  }

  return {
    ...{ account, alerts, caller, past, setUp, now, readMessages },
    get engine() {
      return engine;
    },
    /** Another server on the same database, which gets no prices by itself. Its fence is that of the server that records. */
    createEngine,
    /** Ends the engine as a crash would, and starts another. */
    async restart(): Promise<void> {
      engine = createEngine();
      await engine.check();
    },
    async create(condition: object, settings: Partial<AlertSettings> = {}) {
      const usual = { name: "", cooldownS: 60, active: true, webhookId: null, byMail: false, byPush: false };
      const alert = await alerts.create(
        { ...usual, condition: condition as AlertSettings["condition"], ...settings },
        caller,
      );
      await engine.check();
      return alert;
    },
    /** Passes a price of EURUSD to the book and the engine, a second after the one before. */
    async quote(bid: number, { source = "first", spread = 0.0002, engines = [engine] } = {}): Promise<void> {
      nowMs += SECOND_MS;
      const instrument = instruments.find(({ symbol }) => symbol === "EURUSD");
      if (instrument === undefined) throw new Error("the catalog has no EURUSD");
      book.accept({ source, instrument, bid, ask: bid + spread, timeMs: nowMs });
      for (const each of engines) each.onQuote({ source, instrument });
      for (const each of engines) await each.settle();
    },
    /** Moves the clock, and lets the engine see it. */
    async pass(ms: number): Promise<void> {
      nowMs += ms;
      await engine.check();
      await engine.settle();
    },
    async suspend(isSuspended: boolean): Promise<void> {
      const status = createAccountStatus(database, { now, directory });
      await status.setSuspended(account.id, isSuspended);
    },
    /** Adds or changes an event of the primary stream. */
    report(id: string, timeMs: number, change: Partial<CalendarEvent> = {}): void {
      const event: CalendarEvent = {
        ...{ id, timeMs, key: id, zone: "UTC", certainty: "exact", currency: "USD", title: "CPI", impact: "high" },
        ...{ forecast: "0.3%", previous: "0.2%", revised: null, actual: null, seriesId: null, stream: "primary" },
        ...{ provider: "mt5", withdrawn: false, ...change },
      };
      calendar.events = applyChanges(calendar.events, byId, [event]);
      calendar.revision += 1;
    },
    stop: () => directory.stop(),
  };
}
