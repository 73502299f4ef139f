import type { HistoryKind } from "@/features/ticks/types";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { parseTime } from "@/lib/time/iso-time";
import { HOUR_MS } from "@/lib/time/units";

/** The recorded prices that the page shows. */
export interface HistoryQuery {
  readonly instrument: Instrument;
  readonly kind: HistoryKind;
  /** Start of the hour of ticks in UTC milliseconds; null for the one that ends now. */
  readonly fromMs: number | null;
}

/**
 * Reads the page's address. Missing and invalid values are replaced by their defaults. Returns null for an unknown
 * symbol.
 */
export function readHistoryQuery(search: URLSearchParams, resolver: Resolver): HistoryQuery | null {
  const instrument = resolver.find(search.get("symbol") ?? "EURUSD");
  if (instrument === undefined) return null;
  const kind =
    search.get("view") === "ticks" ? "ticks" : (TIMEFRAMES.find((each) => each === search.get("view")) ?? "M5");
  const timeMs = parseTime(search.get("from") ?? "");
  return { instrument, kind, fromMs: timeMs === null ? null : Math.floor(timeMs / HOUR_MS) * HOUR_MS };
}
