import { setTimeout as pause } from "node:timers/promises";
import { summariseMarket } from "@/features/overview/market";
import { readSources } from "@/features/overview/read-sources";
import { readCalendarPart, readSessions } from "@/features/overview/read-times";
import type { AlertsPart, FirstSteps, NoticesPart, OverviewData, StrengthNow } from "@/features/overview/types";
import { readWireDay, toNextRow, withDay } from "@/features/quotes/board-row";
import { awaitDays, boardInstruments, readBoard, readUsual } from "@/features/quotes/data";
import type { BoardRow } from "@/features/quotes/types";
import { findWidestPair } from "@/features/strength/data";
import { readLimits } from "@/features/usage/data";
import type { Account } from "@/lib/access/accounts/account";
import type { Key } from "@/lib/access/keys/key";
import { findNoticePath, formatNoticeTitle } from "@/lib/access/notices/notices";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import { CURRENCIES } from "@/lib/analytics/strength/strength";
import type { Runtime } from "@/lib/runtime";

/** The timeframes whose strength is shown. */
export const TIMEFRAMES: readonly HeatmapTimeframe[] = ["H1", "D1"];
const SHOWN_NOTICES = 2;
const SHOWN_ALERTS = 3;
const DIGITS = Object.fromEntries(boardInstruments.map(({ symbol, digits }) => [symbol, digits]));
/** Bars and usual spreads are in memory except after a start, when they take seconds. */
const COLD_WAIT_MS = 200;

/** Reads everything on an account's overview. */
export async function readOverview(runtime: Runtime, account: Account): Promise<OverviewData> {
  const [keys, strength, usual, notices, alerts] = await Promise.all([
    runtime.keys.list(account.id),
    readStrengths(runtime),
    readUsualHighs(runtime),
    readNotices(runtime, account.id),
    readAlerts(runtime, account.id),
    awaitDays(runtime),
  ]);
  const nowMs = Math.floor(runtime.marketNow());
  const { nowMs: countedAtMs, quotas } = await readLimits(runtime, account, keys);
  return {
    nowMs,
    sessions: readSessions(runtime, nowMs),
    calendar: readCalendarPart(runtime, account, nowMs),
    strength,
    market: summariseMarket(readRows(runtime), { usual, digits: DIGITS }),
    usual,
    digits: DIGITS,
    sources: readSources(runtime),
    usage: { nowMs: countedAtMs, quotas },
    notices,
    alerts,
    start: readFirstSteps(keys),
  };
}

/** Null while the bars are read, and if they cannot be read. */
async function readStrengths(runtime: Pick<Runtime, "heatmaps">): Promise<OverviewData["strength"]> {
  const read = Promise.all(TIMEFRAMES.map((timeframe) => readStrength(runtime, timeframe))).catch(() => null);
  return Promise.race([read, pause(COLD_WAIT_MS, null)]);
}

async function readStrength(
  { heatmaps }: Pick<Runtime, "heatmaps">,
  timeframe: HeatmapTimeframe,
): Promise<StrengthNow> {
  const heatmap = await heatmaps.read(timeframe);
  if (heatmap === null) return { timeframe, lines: null, pair: null };
  const lines = CURRENCIES.map((currency) => ({ currency, strength: heatmap.currencies[currency].strength }));
  lines.sort((a, b) => b.strength - a.strength);
  return { timeframe, lines, pair: findWidestPair(lines) };
}

/** Null while they are computed, and if they cannot be read. */
async function readUsualHighs(runtime: Pick<Runtime, "history">): Promise<OverviewData["usual"]> {
  const read = readUsual(runtime).catch(() => null);
  const usual = await Promise.race([read, pause(COLD_WAIT_MS, null)]);
  return usual && Object.fromEntries(Object.entries(usual).map(([symbol, [, high]]) => [symbol, high]));
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

async function readAlerts({ alerts }: Pick<Runtime, "alerts">, accountId: string): Promise<AlertsPart> {
  const list = await alerts.list(accountId);
  const fired = list.flatMap(({ id, name, lastFiredAtMs }) =>
    lastFiredAtMs === null ? [] : [{ id, name, atMs: lastFiredAtMs }],
  );
  fired.sort((a, b) => b.atMs - a.atMs);
  return { armed: list.filter(({ active }) => active).length, fired: fired.slice(0, SHOWN_ALERTS) };
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
