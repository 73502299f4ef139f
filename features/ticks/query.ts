import type { Asked } from "@/features/ticks/data";
import type { Resolver } from "@/lib/market/resolver";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { parseTime } from "@/lib/time/iso-time";
import { HOUR_MS } from "@/lib/time/units";

/** What the page's address asks for; what it does not say, or says wrongly, is the usual. Null for an unknown symbol. */
export function readAsked(asked: URLSearchParams, resolver: Resolver): Asked | null {
  const instrument = resolver.find(asked.get("symbol") ?? "EURUSD");
  if (instrument === undefined) return null;
  const kind =
    asked.get("view") === "ticks" ? "ticks" : (TIMEFRAMES.find((each) => each === asked.get("view")) ?? "M5");
  const timeMs = parseTime(asked.get("from") ?? "");
  return { instrument, kind, fromMs: timeMs === null ? null : Math.floor(timeMs / HOUR_MS) * HOUR_MS };
}
