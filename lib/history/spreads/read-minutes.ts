import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { OpenHours } from "@/lib/history/open-hours";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SpreadMinute } from "@/lib/history/spreads/spread-history";
import { type SpreadHour, toSpreadHour } from "@/lib/history/spreads/spread-hour";
import { getPercentiles } from "@/lib/history/spreads/spread-rollup";
import { readServedMinutes } from "@/lib/history/spreads/spread-rows";
import { MINUTE_MS } from "@/lib/time/units";

interface Parts {
  readonly pool: Pool;
  readonly openHours: Pick<OpenHours, "getHours">;
}

/** Hours decoded before the event loop continues. */
const HOURS_PER_TURN = 8;

/** Reads the median spread of each minute in some hours: SpreadHistory.readMinutes. */
export async function readMinutes(
  { pool, openHours }: Parts,
  symbol: string,
  hoursMs: readonly number[],
): Promise<SpreadMinute[]> {
  const stored = await readServedMinutes(pool, symbol, hoursMs);
  // An hour that was just closed may be in both places.
  const open = openHours.getHours(symbol).filter(({ hourMs }) => hoursMs.includes(hourMs));
  const closed = stored.filter(({ hourMs }) => !open.some((hour) => hour.hourMs === hourMs));
  const minutes: SpreadMinute[] = [];
  for (const [index, hour] of closed.entries()) {
    if (index % HOURS_PER_TURN === HOURS_PER_TURN - 1) await nextTurn();
    minutes.push(...toMinutes({ hourMs: hour.hourMs, minutes: decodeMinutes(hour.minutes) }));
  }
  return [...minutes, ...open.map(toSpreadHour).flatMap(toMinutes)].sort((a, b) => a.startMs - b.startMs);
}

function toMinutes({ hourMs, minutes }: Pick<SpreadHour, "hourMs" | "minutes">): SpreadMinute[] {
  return minutes.flatMap((histogram, minute) => {
    const [median] = getPercentiles(histogram, [50]);
    return median === undefined ? [] : [{ startMs: hourMs + minute * MINUTE_MS, median }];
  });
}
