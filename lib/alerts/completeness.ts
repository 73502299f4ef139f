import type { Pool } from "pg";
import { type CompletenessCondition, EACH_SOURCE } from "@/lib/alerts/conditions";
import type { FiringFacts, Occasion } from "@/lib/alerts/firing";
import type { FeedSource } from "@/lib/feeds/feed";
import {
  type DayGap,
  type QualityDay,
  readQualityDays,
  type SourceDay,
  toPercent,
} from "@/lib/history/quality/quality-days";
import { readJudgedUntil } from "@/lib/history/quality/quality-rows";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { formatExactDuration } from "@/lib/time/duration";
import { formatTime } from "@/lib/time/iso-time";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/** Days with too few prices, for alerts. docs/quality.md defines completeness. */

/** Days that are judged while no server runs are found later on, but no older ones. */
const DAYS = 7;

interface Options {
  readonly pool: Pool;
  readonly listSources: () => readonly FeedSource[];
}

/** What is judged at a moment. */
interface JudgedDays {
  /** All hours before it are judged, UTC milliseconds; null if none is. */
  readonly untilMs: number | null;
  /** Finds the days of the last week, the day so far among them, that are below the percentage of a condition. */
  find(condition: CompletenessCondition): Promise<Occasion[]>;
}

/** Reads what is judged. The days of a symbol are read once for all conditions on it. */
export async function readJudgedDays({ pool, listSources }: Options): Promise<JudgedDays> {
  const untilMs = await readJudgedUntil(pool);
  const sources = new Map(listSources().map((source) => [source.name, source]));
  const bySymbol = new Map<string, Promise<readonly QualityDay[]>>();
  const read = async (symbol: string): Promise<readonly QualityDay[]> => {
    const instrument = instrumentBySymbol.get(symbol);
    if (instrument === undefined || untilMs === null) return [];
    const toMs = Math.ceil(untilMs / DAY_MS) * DAY_MS;
    const hasSource = (name: string) => sources.has(name);
    return (await readQualityDays({ pool, instrument, fromMs: toMs - DAYS * DAY_MS, toMs, hasSource })).days;
  };
  return {
    untilMs,
    async find(condition) {
      const { symbol, source, percent } = condition;
      const days = bySymbol.get(symbol) ?? read(symbol);
      bySymbol.set(symbol, days);
      const parts = (await days).flatMap((day) => listParts(day, source, sources));
      const low = parts.filter(({ covered, expected, remaining }) => {
        const all = expected + remaining;
        return all > 0 && 100 * (covered + remaining) < percent * all;
      });
      return low.map((part) => ({
        key: `completeness ${symbol} ${formatDay(part.dayMs)} ${part.source ?? ""}`,
        explain: () => buildFacts(condition, part, untilMs ?? 0),
      }));
    },
  };
}

/** A day of one source, or of the prices that were served. Seconds as of SourceDay. */
interface DayPart {
  readonly dayMs: number;
  readonly source: string | null;
  readonly expected: number;
  readonly covered: number;
  readonly remaining: number;
  readonly gaps: readonly (Omit<DayGap, "reason"> & { readonly reasons: readonly DayGap["reason"][] })[];
  readonly isSimulated: boolean;
}

/** The parts of a day that a condition on a source is about. */
function listParts(
  day: QualityDay,
  source: string | null,
  known: ReadonlyMap<string, Pick<FeedSource, "mode">>,
): DayPart[] {
  const { dayMs } = day;
  const isSimulated = (each: SourceDay) => known.get(each.source)?.mode === "simulated";
  if (source === null) {
    const { expected, served: covered, remaining, sources } = day;
    return [
      { dayMs, source, expected, covered, remaining, gaps: shareGaps(sources), isSimulated: sources.some(isSimulated) },
    ];
  }
  return day.sources
    .filter((each) => source === EACH_SOURCE || each.source === source)
    .map((each) => ({
      ...{ dayMs, source: each.source, isSimulated: isSimulated(each) },
      ...{ expected: each.expected, covered: each.covered, remaining: each.remaining },
      gaps: each.gaps.map(({ reason, ...gap }) => ({ ...gap, reasons: [reason] })),
    }));
}

/** The times in which no source had a price, each with the reasons of the sources. */
function shareGaps([first, ...others]: readonly SourceDay[]): DayPart["gaps"] {
  let shared: DayPart["gaps"] = (first?.gaps ?? []).map(({ reason, ...gap }) => ({ ...gap, reasons: [reason] }));
  for (const { gaps } of others) {
    shared = shared.flatMap((one) =>
      gaps.flatMap((other) => {
        const [fromMs, toMs] = [Math.max(one.fromMs, other.fromMs), Math.min(one.toMs, other.toMs)];
        return fromMs < toMs ? [{ fromMs, toMs, reasons: [...new Set([...one.reasons, other.reason])] }] : [];
      }),
    );
  }
  return shared;
}

const REASONS: Readonly<Record<DayGap["reason"], string>> = {
  disconnected: "disconnected",
  paused: "paused",
  reloaded: "its settings were changed",
  stopped: "no server recorded",
  silent: "connected, but sent nothing",
};

function buildFacts({ symbol, percent }: CompletenessCondition, part: DayPart, judgedUntilMs: number): FiringFacts {
  const { dayMs, source, expected, covered, remaining, gaps } = part;
  const [date, untilMs] = [formatDay(dayMs), Math.min(judgedUntilMs, dayMs + DAY_MS)];
  const completeness = toPercent(covered, expected) ?? 0;
  const possible = toPercent(covered + remaining, expected + remaining) ?? 0;
  const [longest] = gaps.toSorted((one, other) => other.toMs - other.fromMs - (one.toMs - one.fromMs));
  const origin = source === null ? symbol : `${symbol} from ${source}`;
  const note = part.isSimulated ? " (simulated prices)" : "";
  const figure =
    untilMs === dayMs + DAY_MS
      ? `${origin} was ${completeness.toFixed(2)} % complete on ${date}, below ${percent} %`
      : `${origin} is ${completeness.toFixed(2)} % complete on ${date} until ${formatMinute(untilMs)} and can reach ` +
        `${possible.toFixed(2)} %, below ${percent} %`;
  const cause =
    longest === undefined
      ? "No gap is common to all sources"
      : `Longest gap: ${formatExactDuration(longest.toMs - longest.fromMs)} from ${formatMinute(longest.fromMs)}, ` +
        longest.reasons.map((reason) => REASONS[reason]).join("; ");
  const quality = {
    ...{ symbol, source, date, completeness, possible_completeness: possible },
    ...{ expected_seconds: expected, covered_seconds: covered, judged_until: formatTime(untilMs) },
    longest_gap:
      longest === undefined
        ? null
        : {
            ...{ from: formatTime(longest.fromMs), to: formatTime(longest.toMs), reasons: longest.reasons },
            seconds: (longest.toMs - longest.fromMs) / SECOND_MS,
          },
  };
  return { message: `${figure}. ${cause}${note}.`, data: { quality } };
}

const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const formatMinute = (ms: number) => `${new Date(ms).toISOString().slice(11, 16)} UTC`;
