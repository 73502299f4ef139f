import type { Sessions } from "@/lib/market/sessions/sessions";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The periods of spread statistics, as the API names them. */
export const SPREAD_PERIODS = ["1h", "24h", "7d", "30d"] as const;
export type SpreadPeriod = (typeof SPREAD_PERIODS)[number];

/**
 * A long period begins on a whole hour, so that it consists of whole hours. For a short one the error would be too
 * large.
 */
const WINDOWS: Readonly<Record<SpreadPeriod, { readonly lengthMs: number; readonly gridMs: number }>> = {
  "1h": { lengthMs: HOUR_MS, gridMs: MINUTE_MS },
  "24h": { lengthMs: 24 * HOUR_MS, gridMs: MINUTE_MS },
  "7d": { lengthMs: 7 * 24 * HOUR_MS, gridMs: HOUR_MS },
  "30d": { lengthMs: 30 * 24 * HOUR_MS, gridMs: HOUR_MS },
};

/**
 * When a period that ends now began: at the whole minute (1h, 24h) or the whole hour (7d, 30d) at or before. UTC
 * milliseconds in and out.
 */
export function getPeriodStart(period: SpreadPeriod, nowMs: number): number {
  const { lengthMs, gridMs } = WINDOWS[period];
  return Math.floor((nowMs - lengthMs) / gridMs) * gridMs;
}

/** Minutes of the hour from `hourMs` that lie before the start of a period; 0 when the period began earlier. */
export function countMinutesBefore(startMs: number, hourMs: number): number {
  return Math.max(0, (startMs - hourMs) / MINUTE_MS);
}

/**
 * The sessions by which spreads are grouped; Sydney and Tokyo are one group. Groups overlap: an hour may be in several.
 */
export const SESSION_GROUPS = ["asian", "london", "new_york"] as const;
export type SessionGroup = (typeof SESSION_GROUPS)[number];

/** The groups with a session open at the beginning of a UTC hour. Sessions open and close on whole hours. */
export function getSessionGroups({ openAt }: Pick<Sessions, "openAt">, hourMs: number): readonly SessionGroup[] {
  const open = openAt(hourMs);
  const isOpen: Readonly<Record<SessionGroup, boolean>> = {
    asian: open.includes("sydney") || open.includes("tokyo"),
    london: open.includes("london"),
    new_york: open.includes("new_york"),
  };
  return SESSION_GROUPS.filter((group) => isOpen[group]);
}
