import type { ApiRequest } from "@/components/shared/write-code";
import { summariseMarket } from "@/features/overview/market";
import type {
  AlertsPart,
  CalendarPart,
  FirstSteps,
  NextEvent,
  NoticesPart,
  OverviewData,
  SessionNow,
  SourceNow,
  StrengthNow,
  UsagePart,
} from "@/features/overview/types";
import { readWireDay, toNextRow, withDay } from "@/features/quotes/board-row";
import { awaitDays, readBoard, readUsual } from "@/features/quotes/data";
import type { BoardRow } from "@/features/quotes/types";
import { readSoon } from "@/features/session/page-parts";
import { findWidestPair } from "@/features/strength/data";
import { readLimits } from "@/features/usage/data";
import type { Account } from "@/lib/access/accounts/account";
import type { Key } from "@/lib/access/keys/key";
import { findNoticePath, formatNoticeTitle } from "@/lib/access/notices/notices";
import { formatPlansWith, mayRead } from "@/lib/access/plans";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import { rateHeatmap } from "@/lib/analytics/strength/heatmaps";
import { CURRENCIES } from "@/lib/analytics/strength/strength";
import type { ServedQuote } from "@/lib/book/quote";
import type { CalendarEvent } from "@/lib/calendar/event";
import { getWholeDay } from "@/lib/calendar/whole-day";
import { SESSION_NAMES } from "@/lib/market/sessions/session-hours";
import type { Runtime } from "@/lib/runtime";
import { WEEK_MS } from "@/lib/time/units";

/** The timeframes whose strength is shown. */
const TIMEFRAMES: readonly HeatmapTimeframe[] = ["H1", "D1"];
const SHOWN_NOTICES = 2;
const SHOWN_ALERTS = 3;
/** Bars and usual spreads are in memory except after a start, when they take seconds. */
const COLD_WAIT_MS = 200;

/** Reads everything on an account's overview. What needs the database is null while it cannot be read. */
export async function readOverview(runtime: Runtime, account: Account): Promise<OverviewData> {
  const keys = runtime.keys.list(account.id);
  const [strength, history, usual, usage, start, notices, alerts] = await Promise.all([
    readSoon(runtime, readStrengths(runtime), COLD_WAIT_MS),
    readSoon(runtime, readFilling(runtime)),
    readSoon(runtime, readUsualHighs(runtime), COLD_WAIT_MS),
    readSoon(runtime, readUsage(runtime, account, keys)),
    readSoon(runtime, keys.then(readFirstSteps)),
    readSoon(runtime, readNotices(runtime, account.id)),
    readSoon(runtime, readAlerts(runtime, account.id)),
    awaitDays(runtime),
  ]);
  const nowMs = Math.floor(runtime.marketNow());
  const digits = Object.fromEntries(runtime.instruments.map((each) => [each.symbol, each.digits]));
  return {
    nowMs,
    sessions: readSessions(runtime, nowMs),
    calendar: readCalendarPart(runtime, account, nowMs),
    strength,
    history,
    market: summariseMarket(readRows(runtime), { usual, digits }),
    usual,
    digits,
    sources: readSources(runtime),
    usage,
    notices,
    alerts,
    start,
  };
}

/** A second of the past has no state of the server. */
async function readFilling({ serverStatus }: Partial<Pick<Runtime, "serverStatus">>): Promise<OverviewData["history"]> {
  const { phase, done, total } = (await serverStatus?.())?.backfill ?? { phase: "off", done: 0, total: 0 };
  return phase === "filling" ? { done, total } : null;
}

async function readUsage(runtime: Runtime, account: Account, keys: Promise<readonly Key[]>): Promise<UsagePart> {
  const { nowMs, quotas } = await readLimits(runtime, account, await keys);
  return { nowMs, quotas };
}

const readStrengths = (runtime: Pick<Runtime, "heatmaps" | "marketNow">): Promise<StrengthNow[]> =>
  Promise.all(TIMEFRAMES.map((timeframe) => readStrength(runtime, timeframe)));

async function readStrength(
  { heatmaps, marketNow }: Pick<Runtime, "heatmaps" | "marketNow">,
  timeframe: HeatmapTimeframe,
): Promise<StrengthNow> {
  const heatmap = await heatmaps.read(timeframe);
  if (heatmap === null) return { timeframe, lines: null, pair: null, bar: null };
  const lines = CURRENCIES.map((currency) => ({ currency, strength: heatmap.currencies[currency].strength }));
  lines.sort((a, b) => b.strength - a.strength);
  const { timeMs, bars } = heatmap;
  return {
    timeframe,
    lines,
    pair: findWidestPair(lines),
    bar: { closedMs: timeMs, state: rateHeatmap(timeframe, timeMs, marketNow(), bars) },
  };
}

async function readUsualHighs(runtime: Pick<Runtime, "history">): Promise<Record<string, number>> {
  return Object.fromEntries(Object.entries(await readUsual(runtime)).map(([symbol, [, high]]) => [symbol, high]));
}

function readRows(runtime: Runtime): BoardRow[] {
  const { rows, days = [] } = readBoard(runtime);
  const bySymbol = new Map(days.map((wire) => [wire[0], readWireDay(wire)]));
  return rows.map((wire) => {
    const row = toNextRow(undefined, wire);
    const day = bySymbol.get(row.symbol);
    return day === undefined ? row : withDay(row, day);
  });
}

async function readNotices({ notices }: Pick<Runtime, "notices">, accountId: string): Promise<NoticesPart> {
  const unread = (await notices.list(accountId)).filter(({ dismissedAtMs }) => dismissedAtMs === null);
  const newest = unread
    .slice(0, SHOWN_NOTICES)
    .map(({ id, facts }) => ({ id, title: formatNoticeTitle(facts), href: findNoticePath(facts) }));
  return { count: unread.length, newest };
}

async function readAlerts({ alerts, now }: Pick<Runtime, "alerts" | "now">, accountId: string): Promise<AlertsPart> {
  const list = await alerts.list(accountId);
  const fired = list.flatMap(({ id, name, lastFiredAtMs }) =>
    lastFiredAtMs === null ? [] : [{ id, name, atMs: lastFiredAtMs }],
  );
  fired.sort((a, b) => b.atMs - a.atMs);
  return { nowMs: now(), armed: list.filter(({ active }) => active).length, fired: fired.slice(0, SHOWN_ALERTS) };
}

/** How far the owner of these keys is on the way to a first call. */
export function readFirstSteps(keys: readonly Pick<Key, "state" | "lastUse">[]): FirstSteps {
  const uses = keys.flatMap(({ lastUse }) => lastUse ?? []).sort((a, b) => b.atMs - a.atMs);
  const [latest] = uses;
  return {
    hasKey: keys.some(({ state }) => state === "active"),
    call: latest === undefined ? null : { atMs: latest.atMs, endpoint: latest.endpoint, status: latest.status },
  };
}

/** Reads the state of each source, most trusted first, from the quotes that every member may see. */
function readSources({
  book,
  instruments,
  listSources,
}: Pick<Runtime, "book" | "instruments" | "listSources">): SourceNow[] {
  const bySource = new Map<string, ServedQuote[]>(listSources().map(({ name }) => [name, []]));
  for (const { symbol } of instruments) {
    for (const quote of book.sources(symbol)) bySource.get(quote.source)?.push(quote);
  }
  return listSources().map(({ name, mode }) => {
    const quotes = bySource.get(name) ?? [];
    const count = (state: ServedQuote["state"]) => quotes.filter((quote) => quote.state === state).length;
    return {
      name,
      mode,
      counts: { live: count("live"), delayed: count("delayed"), stale: count("stale"), closed: count("closed") },
      newestMs: quotes.length === 0 ? null : Math.max(...quotes.map(({ timeMs }) => timeMs)),
    };
  });
}

/** Further ahead, few publishers have times. */
const WEEKS_AHEAD = 2;
const SHOWN_EVENTS = 4;
/** Events without an hour are left out of them. */
const MOST_READ = 100;

/** Reads which sessions are open, and when each of them changes. */
function readSessions({ sessions }: Pick<Runtime, "sessions">, nowMs: number): SessionNow[] {
  const { states, isWeekend } = sessions.at(nowMs);
  const around = sessions.between(nowMs, nowMs + 1);
  return SESSION_NAMES.map((name) => ({
    name,
    isWeekend,
    isHoliday: around[name].holidays.length > 0,
    openedAtMs: around[name].open[0]?.fromMs ?? null,
    ...states[name],
  }));
}

/** Reads the next events of high impact that have an hour. */
function readCalendarPart(
  { calendar }: Pick<Runtime, "calendar">,
  account: Pick<Account, "role" | "plan">,
  nowMs: number,
): CalendarPart {
  if (!mayRead(account, "calendar")) return { isLocked: true, plans: formatPlansWith("calendar") };
  const { shown } = calendar.query({
    fromMs: nowMs + 1,
    toMs: nowMs + WEEKS_AHEAD * WEEK_MS,
    newestFirst: false,
    currencies: null,
    impact: "high",
    search: null,
    stream: null,
    offset: 0,
    limit: MOST_READ,
  });
  const next = shown
    .map(({ event }) => event)
    .filter((event) => getWholeDay(event) === null)
    .slice(0, SHOWN_EVENTS);
  const isSimulated = next.some(({ provider }) => provider === "simulated");
  return { isLocked: false, isSimulated, events: next.map(toNextEvent) };
}

function toNextEvent({ id, currency, title, timeMs, forecast, previous }: CalendarEvent): NextEvent {
  return { id, currency, title, timeMs, forecast, previous };
}

/** The next two weeks, which the overview searches for releases. */
const HOURS_AHEAD = 14 * 24;

/** The calls behind the parts that are not prices, without those that the account's plan does not include. */
export function listApiRequests({ calendar }: Pick<OverviewData, "calendar">): ApiRequest[] {
  const releases = { impact: "high", next_hours: HOURS_AHEAD };
  return [
    { path: "/v1/sessions" },
    ...(calendar.isLocked ? [] : [{ path: "/v1/calendar", query: releases } as const]),
    ...TIMEFRAMES.map((timeframe) => ({ path: "/v1/heatmap", query: { type: "strength", timeframe } }) as const),
    { path: "/v1/monitor/account" },
  ];
}
