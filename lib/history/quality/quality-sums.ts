import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { type Condition, countOpen, rateDay, readKnownUntil } from "@/lib/history/quality/quality-days";
import type { Instrument } from "@/lib/market/instrument";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/**
 * Conditions of many days, or of all symbols of a day, from sums of the stored hours: without their gaps, verdicts and
 * spikes. They are those of `readQualityDays`.
 */

interface Options {
  readonly pool: Pool;
  /** Whether a source is set up now, so that its prices are expected until now. */
  readonly hasSource: (source: string) => boolean;
  /** Nothing that was judged later is read: UTC milliseconds. */
  readonly knownUntilMs?: number;
}

/** One source's day of a symbol, in seconds and minutes as of SourceDay. */
export interface DaySum {
  readonly symbol: string;
  readonly source: string;
  readonly condition: Condition;
  readonly expected: number;
  readonly covered: number;
  /** Compared minutes that are at fault, and all compared ones. */
  readonly faulty: number;
  readonly compared: number;
}

/** A day of one symbol, with the condition of the prices that were served. */
export interface MonthDay {
  /** When the day began, UTC milliseconds. */
  readonly dayMs: number;
  readonly condition: Condition | null;
  readonly expected: number;
  readonly served: number;
  readonly sources: readonly DaySum[];
}

interface SumRow {
  readonly symbol: string;
  readonly source: string;
  /** Hours since 1970, of all stored ones. */
  readonly first: number;
  readonly last: number;
  /** Days since 1970; null in a span without a stored hour. */
  readonly day: number | null;
  readonly covered: number;
  readonly served: number;
  readonly faulty: number;
  readonly agreeing: number;
}

/**
 * Sums the hours of [fromHour, toHour) by symbol, source and day. The index leads from one pair of symbol and source to the
 * next, so that the time depends on their number and not on what is stored.
 */
async function readSums(pool: Pool, symbol: string | null, fromHour: number, toHour: number): Promise<SumRow[]> {
  const { rows } = await pool.query<SumRow>(
    `WITH RECURSIVE pair AS (
       (SELECT symbol, source FROM quality_hour WHERE $1::text IS NULL OR symbol = $1 ORDER BY symbol, source LIMIT 1)
       UNION ALL
       SELECT following.* FROM pair, LATERAL (
         SELECT symbol, source FROM quality_hour
          WHERE (quality_hour.symbol, quality_hour.source) > (pair.symbol, pair.source)
            AND ($1::text IS NULL OR quality_hour.symbol = $1)
          ORDER BY symbol, source LIMIT 1) AS following)
     SELECT pair.symbol, pair.source, span.first, span.last, sums.*
       FROM pair
       CROSS JOIN LATERAL (SELECT min(hour) AS first, max(hour) AS last FROM quality_hour
                            WHERE symbol = pair.symbol AND source = pair.source) AS span
       LEFT JOIN LATERAL (SELECT hour / 24 AS day, sum(covered)::int4 AS covered, sum(served)::int4 AS served,
                                 sum(faulty)::int4 AS faulty, sum(agreeing)::int4 AS agreeing
                            FROM quality_hour
                           WHERE symbol = pair.symbol AND source = pair.source AND hour >= $2 AND hour < $3
                           GROUP BY 1) AS sums ON true
      ORDER BY pair.symbol, pair.source`,
    [symbol, fromHour, toHour],
  );
  return rows;
}

/** Reads each day of [fromMs, toMs) of a symbol, oldest first: some 31 whole days, UTC milliseconds. */
export async function readMonth(
  options: Options & { readonly instrument: Instrument; readonly fromMs: number; readonly toMs: number },
): Promise<MonthDay[]> {
  const { pool, instrument, fromMs, toMs } = options;
  const judgedMs = (await readKnownUntil(options)) ?? 0;
  const endHour = Math.max(fromMs, Math.min(toMs, judgedMs)) / HOUR_MS;
  const rows = await readSums(pool, instrument.symbol, fromMs / HOUR_MS, endHour);
  const firstMs = Math.min(...rows.map(({ first }) => first * HOUR_MS));
  const sources = groupRows(rows, "source");
  const days: MonthDay[] = [];
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    const ofDay = [...sources.values()].flatMap(
      (own) => own.find(({ day }) => day === dayMs / DAY_MS) ?? (own[0] === undefined ? [] : withoutHours(own[0])),
    );
    const served = ofDay.reduce((sum, each) => sum + each.served, 0);
    const endMs = Math.max(dayMs, Math.min(dayMs + DAY_MS, judgedMs));
    const expected = countOpen(instrument, Math.min(endMs, Math.max(dayMs, firstMs)), endMs);
    const isKnown = firstMs < dayMs + DAY_MS;
    const rated = isKnown ? rateDay({ expected, covered: served, faulty: 0, judged: 0 }) : null;
    days.push({
      ...{ dayMs, expected, served },
      condition: dayMs + DAY_MS > judgedMs ? "pending" : rated,
      sources: ofDay.flatMap((row) => rateSum(row, { dayMs, judgedMs, instrument, options }) ?? []),
    });
    await nextTurn();
  }
  return days;
}

/** Reads a day of all symbols, the worst first. `dayMs` is its beginning, UTC milliseconds. */
export async function readDaySums(
  options: Options & { readonly instruments: readonly Instrument[]; readonly dayMs: number },
): Promise<DaySum[]> {
  const { pool, dayMs } = options;
  const judgedMs = (await readKnownUntil(options)) ?? 0;
  const endHour = Math.max(dayMs, Math.min(dayMs + DAY_MS, judgedMs)) / HOUR_MS;
  const rows = groupRows(await readSums(pool, null, dayMs / HOUR_MS, endHour), "symbol");
  const found: DaySum[] = [];
  for (const instrument of options.instruments) {
    const own = rows.get(instrument.symbol);
    if (own === undefined) continue;
    found.push(...own.flatMap((row) => rateSum(row, { dayMs, judgedMs, instrument, options }) ?? []));
    // Counting the open minutes of a day takes a part of a millisecond.
    await nextTurn();
  }
  return found.sort(compareWorst);
}

function groupRows(rows: readonly SumRow[], by: "symbol" | "source"): ReadonlyMap<string, readonly SumRow[]> {
  const groups = new Map<string, SumRow[]>();
  for (const row of rows) {
    const found = groups.get(row[by]);
    if (found === undefined) groups.set(row[by], [row]);
    else found.push(row);
  }
  return groups;
}

const withoutHours = (row: SumRow): SumRow => ({ ...row, day: null, covered: 0, served: 0, faulty: 0, agreeing: 0 });

interface SumContext {
  readonly dayMs: number;
  readonly judgedMs: number;
  readonly instrument: Instrument;
  readonly options: Options;
}

/** Null if the prices of the source were not expected on the day. */
function rateSum(row: SumRow, { dayMs, judgedMs, instrument, options }: SumContext): DaySum | null {
  const { symbol, source, first, last } = row;
  const fromMs = Math.max(dayMs, first * HOUR_MS);
  const lastMs = options.hasSource(source) ? Infinity : (last + 1) * HOUR_MS;
  const untilMs = Math.min(dayMs + DAY_MS, judgedMs, lastMs);
  if (fromMs >= untilMs) return null;
  const { covered, faulty, agreeing } = row.day === null ? withoutHours(row) : row;
  const sums = { expected: countOpen(instrument, fromMs, untilMs), covered, faulty, judged: faulty + agreeing };
  return {
    ...{ symbol, source, covered, faulty, compared: sums.judged, expected: sums.expected },
    condition: dayMs + DAY_MS > judgedMs ? "pending" : rateDay(sums),
  };
}

const WORST: readonly Condition[] = ["missing", "degraded", "pending", "complete", "closed"];

function compareWorst(one: DaySum, other: DaySum): number {
  const share = ({ covered, expected }: DaySum) => (expected === 0 ? 1 : covered / expected);
  const faults = ({ faulty, compared }: DaySum) => (compared === 0 ? 0 : faulty / compared);
  return (
    WORST.indexOf(one.condition) - WORST.indexOf(other.condition) ||
    share(one) - share(other) ||
    faults(other) - faults(one)
  );
}
