import type { Pool } from "pg";
import type { OpenHours, SpreadDetail, SpreadHistory, SpreadQuarter } from "@/lib/history/history";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import { type SpreadHour, toSpreadHour } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { addHistogram, getPercentiles, rollUp } from "@/lib/history/spreads/spread-rollup";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import type { StoredHours } from "@/lib/history/spreads/written-hours";
import type { Clock } from "@/lib/platform/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const QUARTER_MINUTES = 15;
/** Periods whose written part is kept; a month of one symbol is some hundred kilobytes. */
const MOST_KEPT = 64;

interface Kept {
  readonly startMs: number;
  readonly written: readonly StoredHour[];
  readonly closed: SpreadDetail;
}

/** Makes the function that tells the spreads of a period in full: SpreadHistory.detail. */
export function createSpreadDetails({
  pool,
  openHours,
  writtenHours,
  now,
}: {
  pool: Pool;
  openHours: Pick<OpenHours, "getHours">;
  writtenHours: StoredHours;
  now: Clock;
}): SpreadHistory["readDetail"] {
  const kept = new Map<string, Kept>();

  async function readClosed(symbol: string, written: readonly StoredHour[], startMs: number): Promise<SpreadDetail> {
    const fromMs = Math.floor(startMs / HOUR_MS) * HOUR_MS;
    const hours = await readSpreadHours(pool, { symbol, of: "served", fromMs, minutesFromMs: fromMs });
    const open = new Set(openHours.getHours(symbol).map(({ hourMs }) => hourMs));
    const known = new Set(written.map(({ hourMs }) => hourMs).filter((hourMs) => !open.has(hourMs)));
    const decoded = hours.flatMap(({ hourMs, minutes }) =>
      minutes === null || !known.has(hourMs) ? [] : [{ hourMs, minutes: decodeMinutes(minutes) }],
    );
    return describe(decoded, startMs);
  }

  return async function detail(symbol: string, period: SpreadPeriod): Promise<SpreadDetail> {
    const key = `${symbol} ${period}`;
    for (;;) {
      const nowMs = now();
      const startMs = getPeriodStart(period, nowMs);
      const written = await writtenHours.getHours(symbol, nowMs);
      let entry = kept.get(key);
      if (entry === undefined || entry.startMs !== startMs || entry.written !== written) {
        entry = { startMs, written, closed: await readClosed(symbol, written, startMs) };
        keep(key, entry);
        // An hour that was closed meanwhile is in neither part.
        if (writtenHours.getHours(symbol, nowMs) !== written) continue;
      }
      return join(entry.closed, describe(openHours.getHours(symbol).map(toSpreadHour), startMs));
    }
  };

  function keep(key: string, entry: Kept): void {
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  }
}

/** What some hours hold from `startMs` on. */
function describe(hours: readonly Pick<SpreadHour, "hourMs" | "minutes">[], startMs: number): SpreadDetail {
  const histogram = new Map<number, number>();
  const quarters: SpreadQuarter[] = [];
  for (const { hourMs, minutes } of hours) {
    const fromMinute = countMinutesBefore(startMs, hourMs);
    for (let first = 0; first < minutes.length; first += QUARTER_MINUTES) {
      const quarter = new Map<number, number>();
      for (const minute of minutes.slice(Math.max(first, fromMinute), first + QUARTER_MINUTES))
        addHistogram(quarter, minute);
      const [p5, p95] = getPercentiles(quarter, [5, 95]);
      if (p5 === undefined || p95 === undefined) continue;
      quarters.push({ startMs: hourMs + first * MINUTE_MS, rollup: rollUp(quarter), p5, p95 });
      addHistogram(histogram, quarter);
    }
  }
  return { histogram, quarters };
}

function join(closed: SpreadDetail, open: SpreadDetail): SpreadDetail {
  const histogram = new Map(closed.histogram);
  addHistogram(histogram, open.histogram);
  return { histogram, quarters: [...closed.quarters, ...open.quarters] };
}
