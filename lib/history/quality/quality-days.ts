import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { GapReason } from "@/lib/feeds/feed";
import type { Refusal } from "@/lib/feeds/refusals";
import { type Spike, type Verdict, VERDICTS } from "@/lib/history/quality/judge-hour";
import { FAULTS, type QualityHour, readJudgedUntil, readQuality } from "@/lib/history/quality/quality-rows";
import type { Instrument } from "@/lib/market/instrument";
import { alignPoints, toPrice } from "@/lib/market/price";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Days of one symbol: how complete the prices of each source are, and how they compare. docs/quality.md defines it. */

export const CONDITIONS = ["complete", "degraded", "missing", "pending", "closed"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A day is complete from so much of its open time on, and with at most so many of its minutes at fault. */
const LEAST_COMPLETE = 0.98;
const MOST_FAULTY = 0.01;

/** Why a source had no price: as its connection reported, or it sent nothing. */
type DayGapReason = GapReason | "silent";

interface DaySpan {
  /** UTC milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DayGap extends DaySpan {
  readonly reason: DayGapReason;
}

export interface SourceDay {
  readonly source: string;
  /** The time of the day in which its prices were expected and are judged, UTC milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly condition: Condition;
  /** Seconds: as of JudgedHour, of the hours that are judged. */
  readonly expected: number;
  readonly updated: number;
  readonly covered: number;
  /** Seconds with an open market in the rest of the day, which is not judged yet. */
  readonly remaining: number;
  /** Seconds in which it was the first source that was not stale. */
  readonly served: number;
  readonly gaps: readonly DayGap[];
  /** How many minutes have each verdict. */
  readonly minutes: Readonly<Record<Verdict, number>>;
  /** Minutes in a row with one verdict, without those that agree and those of a closed market. */
  readonly runs: readonly (DaySpan & { readonly verdict: Verdict })[];
  /** Sizes in price units. */
  readonly spikes: readonly (DaySpan & { readonly size: number })[];
  /** How far it was from the other sources, in price units; null without another one. */
  readonly disagreement: { readonly median: number; readonly p99: number; readonly longestSeconds: number } | null;
  readonly bars: number;
  readonly differingBars: number;
  readonly refused: ReadonlyMap<Refusal, number>;
  /** The median of its hours; null where it is not known. */
  readonly offsetMs: number | null;
}

export interface QualityDay {
  /** When the day began, UTC milliseconds. */
  readonly dayMs: number;
  readonly condition: Condition | null;
  /** Seconds with an open market, those for which a source had a price that was not stale, and those with a stored tick. */
  readonly expected: number;
  readonly served: number;
  readonly recorded: number;
  /** Seconds with an open market in the rest of the day, which is not judged yet. */
  readonly remaining: number;
  readonly sources: readonly SourceDay[];
}

export interface QualityDays {
  /** All hours before this moment are judged, UTC milliseconds; null if none is. */
  readonly judgedUntilMs: number | null;
  readonly days: readonly QualityDay[];
}

interface Options {
  readonly pool: Pool;
  readonly instrument: Pick<Instrument, "symbol" | "tradingHours">;
  /** Whole days, UTC milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether a source is set up now, so that its prices are expected until now. */
  readonly hasSource: (source: string) => boolean;
  /** Nothing that was judged later is read: UTC milliseconds. */
  readonly knownUntilMs?: number;
}

/** Reads the days of a symbol, oldest first. */
export async function readQualityDays(options: Options): Promise<QualityDays> {
  const { pool, instrument, fromMs, toMs } = options;
  const { symbol } = instrument;
  const judgedUntilMs = await readKnownUntil(options);
  const [spans, ticks, reasons] = [
    await readSourceSpans(pool, symbol),
    await readTickCounts(pool, symbol, fromMs, Math.min(toMs, judgedUntilMs ?? fromMs)),
    await readReasons(pool, fromMs, toMs),
  ];
  const days: QualityDay[] = [];
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    const hours = await readQuality(pool, symbol, dayMs, Math.min(dayMs + DAY_MS, judgedUntilMs ?? dayMs));
    days.push(describeDay(dayMs, { ...options, judgedUntilMs: judgedUntilMs ?? 0, spans, ticks, reasons, hours }));
    await nextTurn();
  }
  return { judgedUntilMs, days };
}

/** The moment before which all hours are judged, as far as it is read; null before the first one. */
export async function readKnownUntil({ pool, knownUntilMs = Infinity }: Pick<Options, "pool" | "knownUntilMs">) {
  const judgedMs = await readJudgedUntil(pool);
  return judgedMs === null ? null : Math.min(judgedMs, Math.floor(knownUntilMs / HOUR_MS) * HOUR_MS);
}

interface SourceSpan {
  readonly source: string;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** When each source's first and last judged hour began. */
async function readSourceSpans(pool: Pool, symbol: string): Promise<SourceSpan[]> {
  const { rows } = await pool.query<{ source: string; first: number; last: number }>(
    "SELECT source, min(hour) AS first, max(hour) AS last FROM quality_hour WHERE symbol = $1 GROUP BY source ORDER BY source",
    [symbol],
  );
  return rows.map(({ source, first, last }) => ({ source, firstMs: first * HOUR_MS, lastMs: last * HOUR_MS }));
}

/** The stored ticks of the hours of [fromMs, toMs), by day. Imports and filled gaps are in it at once. */
async function readTickCounts(pool: Pool, symbol: string, fromMs: number, toMs: number) {
  const { rows } = await pool.query<{ day: number; ticks: number }>(
    `SELECT hour / 24 AS day, sum(ticks)::int4 AS ticks FROM tick_hour
      WHERE symbol = $1 AND hour >= $2 AND hour < $3 GROUP BY 1`,
    [symbol, fromMs / HOUR_MS, Math.ceil(toMs / HOUR_MS)],
  );
  return new Map(rows.map(({ day, ticks }) => [day * DAY_MS, ticks]));
}

interface Reason extends DaySpan {
  readonly source: string;
  readonly reason: GapReason;
}

async function readReasons(pool: Pool, fromMs: number, toMs: number): Promise<Reason[]> {
  const { rows } = await pool.query<Reason>(
    `SELECT source, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", reason FROM source_gap
      WHERE from_ms < $2 AND to_ms > $1 ORDER BY from_ms`,
    [fromMs, toMs],
  );
  return rows;
}

interface DayInput extends Options {
  readonly judgedUntilMs: number;
  readonly spans: readonly SourceSpan[];
  readonly ticks: ReadonlyMap<number, number>;
  readonly reasons: readonly Reason[];
  readonly hours: readonly QualityHour[];
}

function describeDay(dayMs: number, input: DayInput): QualityDay {
  const { instrument, judgedUntilMs, spans, ticks } = input;
  const endMs = Math.max(dayMs, Math.min(dayMs + DAY_MS, judgedUntilMs));
  const firstMs = Math.min(...spans.map((span) => span.firstMs));
  const sources = spans.flatMap((span) => describeSource(span, dayMs, endMs, input) ?? []);
  const served = sources.reduce((sum, each) => sum + each.served, 0);
  const fromMs = Math.min(endMs, Math.max(dayMs, firstMs));
  const expected = countOpen(instrument, fromMs, endMs);
  const judge = (): Condition | null => {
    if (dayMs + DAY_MS > judgedUntilMs) return "pending";
    if (firstMs >= dayMs + DAY_MS || spans.length === 0) return null;
    return rateDay({ expected, covered: served, faulty: 0, judged: 0 });
  };
  const remaining = countOpen(instrument, endMs, dayMs + DAY_MS);
  return { dayMs, condition: judge(), expected, served, recorded: ticks.get(dayMs) ?? 0, remaining, sources };
}

/** One source's day; null if its prices were not expected then. */
function describeSource(span: SourceSpan, dayMs: number, judgedMs: number, input: DayInput): SourceDay | null {
  const { source, firstMs, lastMs } = span;
  const fromMs = Math.max(dayMs, firstMs);
  const untilMs = Math.min(judgedMs, input.hasSource(source) ? Infinity : lastMs + HOUR_MS);
  if (fromMs >= untilMs) return null;
  const hours = input.hours.filter((hour) => hour.source === source);
  const sum = (get: (hour: QualityHour) => number) => hours.reduce((all, hour) => all + get(hour), 0);
  const expected = countOpen(input.instrument, fromMs, untilMs);
  const covered = sum((hour) => hour.covered);
  const minutes = countVerdicts(hours);
  const faulty = FAULTS.reduce((all, verdict) => all + minutes[verdict], 0);
  const judged = faulty + minutes.agrees;
  const isPending = dayMs + DAY_MS > input.judgedUntilMs;
  const offsets = hours.flatMap(({ offsetMs }) => offsetMs ?? []).sort((a, b) => a - b);
  const refused = new Map<Refusal, number>();
  for (const hour of hours)
    for (const [reason, count] of hour.refused) refused.set(reason, (refused.get(reason) ?? 0) + count);
  return {
    source,
    condition: isPending ? "pending" : rateDay({ expected, covered, faulty, judged }),
    ...{ fromMs, untilMs: Math.min(untilMs, dayMs + DAY_MS), expected, covered, minutes, refused },
    updated: sum((hour) => hour.updated),
    remaining: input.hasSource(source) ? countOpen(input.instrument, judgedMs, dayMs + DAY_MS) : 0,
    served: sum((hour) => hour.served),
    gaps: listGaps(hours, { source, fromMs, untilMs }, input),
    runs: listRuns(hours),
    spikes: hours.flatMap((hour) => hour.spikes.map((spike) => toSpike(hour, spike))),
    disagreement: summariseDistances(hours),
    bars: sum((hour) => hour.bars),
    differingBars: sum((hour) => hour.differingBars),
    offsetMs: offsets[Math.floor(offsets.length / 2)] ?? null,
  };
}

/** The condition of a day that is over. */
export function rateDay({
  expected,
  covered,
  faulty,
  judged,
}: Record<"expected" | "covered" | "faulty" | "judged", number>) {
  if (expected === 0) return "closed";
  if (covered === 0) return "missing";
  return covered >= LEAST_COMPLETE * expected && faulty <= MOST_FAULTY * judged ? "complete" : "degraded";
}

/** Seconds with an open market. Markets open and close at whole minutes. */
export function countOpen({ tradingHours }: Options["instrument"], fromMs: number, toMs: number): number {
  let minutes = 0;
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE_MS) if (isMarketOpen(tradingHours, atMs)) minutes++;
  return (minutes * MINUTE_MS) / SECOND_MS;
}

function countVerdicts(hours: readonly QualityHour[]): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdicts } of hours) for (const each of verdicts) counts[VERDICTS[each] as Verdict]++;
  return counts;
}

const NOT_LISTED: ReadonlySet<Verdict> = new Set(["agrees", "closed"]);

function listRuns(hours: readonly QualityHour[]) {
  const runs: (DaySpan & { verdict: Verdict })[] = [];
  for (const { hourMs, verdicts } of hours) {
    for (const [minute, number] of verdicts.entries()) {
      const verdict = VERDICTS[number] as Verdict;
      const fromMs = hourMs + minute * MINUTE_MS;
      const last = runs.at(-1);
      if (NOT_LISTED.has(verdict)) continue;
      if (last?.verdict === verdict && last.toMs === fromMs)
        runs[runs.length - 1] = { ...last, toMs: fromMs + MINUTE_MS };
      else runs.push({ fromMs, toMs: fromMs + MINUTE_MS, verdict });
    }
  }
  return runs;
}

function toSpike({ hourMs, digits }: QualityHour, { from, to, size }: Spike) {
  return { fromMs: hourMs + from * SECOND_MS, toMs: hourMs + to * SECOND_MS, size: toPrice(size, digits) };
}

/** The gaps of a source within its hours, and the hours of an open market that nobody recorded. */
function listGaps(
  hours: readonly QualityHour[],
  { source, fromMs, untilMs }: { source: string; fromMs: number; untilMs: number },
  { instrument, reasons }: Pick<DayInput, "instrument" | "reasons">,
): DayGap[] {
  const spans: (DaySpan & { isStopped: boolean })[] = [];
  const add = (from: number, to: number, isStopped: boolean) => {
    const last = spans.at(-1);
    if (last?.toMs === from && last.isStopped === isStopped) spans[spans.length - 1] = { ...last, toMs: to };
    else spans.push({ fromMs: from, toMs: to, isStopped });
  };
  for (let hourMs = fromMs; hourMs < untilMs; hourMs += HOUR_MS) {
    const hour = hours.find((each) => each.hourMs === hourMs);
    for (const { from, to, isStopped } of hour?.gaps ?? []) {
      add(hourMs + from * SECOND_MS, hourMs + to * SECOND_MS, isStopped);
    }
    if (hour !== undefined) continue;
    for (let atMs = hourMs; atMs < hourMs + HOUR_MS; atMs += MINUTE_MS) {
      if (isMarketOpen(instrument.tradingHours, atMs)) add(atMs, atMs + MINUTE_MS, true);
    }
  }
  return spans.map(({ isStopped, ...span }) => {
    const known = reasons.find((each) => each.source === source && each.fromMs < span.toMs && span.fromMs < each.toMs);
    return { ...span, reason: isStopped ? "stopped" : (known?.reason ?? "silent") };
  });
}

/** The median and the 99th percentile of all distances: the smallest that so many seconds do not exceed. */
function summariseDistances(hours: readonly QualityHour[]): SourceDay["disagreement"] {
  const digits = Math.max(0, ...hours.map((hour) => hour.digits));
  const all = new Map<number, number>();
  for (const hour of hours) {
    for (const [points, seconds] of hour.distances) {
      const aligned = alignPoints(points, hour.digits, digits);
      all.set(aligned, (all.get(aligned) ?? 0) + seconds);
    }
  }
  const sorted = [...all].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, seconds]) => sum + seconds, 0);
  if (total === 0) return null;
  const find = (share: number) => {
    let below = 0;
    for (const [points, seconds] of sorted) if ((below += seconds) >= share * total) return toPrice(points, digits);
    return NaN;
  };
  const longestSeconds = Math.max(...hours.map(({ longest }) => longest));
  return { median: find(0.5), p99: find(0.99), longestSeconds };
}

/** A share in percent with two decimals, rounded down, so that 100 means all; null of nothing. */
export function toPercent(part: number, all: number): number | null {
  return all === 0 ? null : Math.floor((10_000 * part) / all) / 100;
}
