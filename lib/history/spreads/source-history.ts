import type { Pool } from "pg";
import type { SourceRollup } from "@/lib/history/history";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import { rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { mergeRollups, NO_SPREADS, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import type { Clock } from "@/lib/platform/clock";
import { HOUR_MS } from "@/lib/time/units";

/** Tells every source's own spreads over a period: written hours, and those still in memory. */
export function createSourceHistory({
  pool,
  sourceSpreads,
  now,
}: {
  pool: Pool;
  sourceSpreads: Pick<SourceSpreads, "getHours">;
  now: Clock;
}) {
  const written = new Map<string, Promise<readonly StoredHour[]>>();

  function writtenHours(symbol: string, nowMs: number): Promise<readonly StoredHour[]> {
    const known = written.get(symbol);
    if (known !== undefined) return known;
    const minutesFromMs = Math.floor(getPeriodStart("24h", nowMs) / HOUR_MS) * HOUR_MS;
    const hours = readSpreadHours(pool, { symbol, of: "sources", fromMs: getPeriodStart("30d", nowMs), minutesFromMs });
    written.set(symbol, hours);
    hours.catch(() => written.delete(symbol));
    return hours;
  }

  async function bySource(symbol: string, period: SpreadPeriod): Promise<readonly SourceRollup[]> {
    const nowMs = now();
    const startMs = getPeriodStart(period, nowMs);
    const hours = await writtenHours(symbol, nowMs);
    const filling = sourceSpreads.getHours(symbol);
    const rollups = new Map<string, SpreadRollup>();
    const add = (source: string, rollup: SpreadRollup) =>
      void rollups.set(source, mergeRollups(rollups.get(source) ?? NO_SPREADS, rollup));
    for (const { source, hourMs, rollup, minutes } of hours) {
      if (hourMs + HOUR_MS <= startMs) continue;
      if (filling.some((hour) => hour.source === source && hour.hourMs === hourMs)) continue;
      const isWhole = startMs <= hourMs || minutes === null;
      add(source, isWhole ? rollup : rollUpMinutes(decodeMinutes(minutes).slice(countMinutesBefore(startMs, hourMs))));
    }
    for (const { source, hourMs, minutes } of filling) {
      add(source, rollUpMinutes(minutes.slice(countMinutesBefore(startMs, hourMs))));
    }
    return Array.from(rollups, ([source, rollup]) => ({ source, rollup })).filter(({ rollup }) => rollup.n > 0);
  }

  // An hour stays in memory for a while after it was written, so it is never in neither place.
  return { bySource, changed: () => written.clear() };
}
