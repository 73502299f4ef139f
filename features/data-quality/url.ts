import { parseDay, parseTime } from "@/lib/time/iso-time";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/** The view in the page's address. */
export interface QualityView {
  readonly symbol: string;
  /** The first day of the month of the calendar, UTC milliseconds. */
  readonly monthMs: number;
  /** The day below it; null for none. */
  readonly dayMs: number | null;
  /** The source of the calendar and of the moment; null for the prices that were served. */
  readonly source: string | null;
  /** The second around which the prices of all sources are shown; null for none. */
  readonly momentMs: number | null;
}

const DEFAULT_SYMBOL = "EURUSD";

/** Returns the first day of a moment's month, UTC milliseconds, or of one some months later. */
export function getMonth(ms: number, later = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** Reads the page's address. Invalid values are ignored. `find` returns the canonical symbol of a spelling. */
export function readQualityView(
  search: URLSearchParams,
  nowMs: number,
  find: (spelling: string) => string | undefined,
): QualityView {
  const moment = parseTime(search.get("moment") ?? "");
  const momentMs = moment === null ? null : Math.floor(moment / SECOND_MS) * SECOND_MS;
  const named = parseDay(search.get("day") ?? "");
  const dayMs = momentMs === null ? named : Math.floor(momentMs / DAY_MS) * DAY_MS;
  const month = parseDay(`${search.get("month") ?? ""}-01`);
  const source = search.get("source") ?? "";
  return {
    symbol: find(search.get("symbol") ?? "") ?? DEFAULT_SYMBOL,
    monthMs: dayMs === null ? (month ?? getMonth(nowMs)) : getMonth(dayMs),
    ...{ dayMs, momentMs },
    source: source === "" || source.length > 64 ? null : source,
  };
}

/** Returns the address of a view. A day has its month in it, and a moment its day. */
export function toQualityHref(view: QualityView, path = "/data-quality"): string {
  const { symbol, monthMs, dayMs, source, momentMs } = view;
  const params = new URLSearchParams({ symbol });
  if (momentMs !== null) params.set("moment", `${new Date(momentMs).toISOString().slice(0, 19)}Z`);
  else if (dayMs !== null) params.set("day", formatDay(dayMs));
  else params.set("month", formatDay(monthMs).slice(0, 7));
  if (source !== null) params.set("source", source);
  return `${path}?${params.toString().replaceAll("%3A", ":")}`;
}

/** "2026-11-20", UTC. */
export const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** "13:05:09", UTC. */
export const formatClock = (ms: number) => new Date(ms).toISOString().slice(11, 19);
