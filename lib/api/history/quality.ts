import * as z from "zod";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { offsetParam, refuseParam, symbolParam, timeParam, wholeParam } from "@/lib/api/engine/params";
import { pagination } from "@/lib/api/engine/replies";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { defineTable } from "@/lib/api/engine/table";
import { toPips } from "@/lib/api/history/spread-comparison";
import { findPermitted, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import { REFUSALS } from "@/lib/feeds/refusals";
import { VERDICTS } from "@/lib/history/quality/judge-hour";
import {
  CONDITIONS,
  type QualityDay,
  readQualityDays,
  type SourceDay,
  toPercent,
} from "@/lib/history/quality/quality-days";
import type { Instrument } from "@/lib/market/instrument";
import { formatTime } from "@/lib/time/iso-time";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

const MAX_DAYS = 31;
/** With the gaps, minutes and spikes of each day. */
const MAX_DETAILED_DAYS = 7;
const USUAL_DAYS = 7;

const time = z.iso.datetime({ offset: true }).meta({ description: "ISO 8601 with +00:00" });
const seconds = z.int().min(0);
const share = z.number().min(0).max(100).nullable();
const condition = z.enum(CONDITIONS).meta({
  id: "QualityCondition",
  description:
    "complete: at least 98 % of the open time is covered, and of a source at most 1 % of its compared minutes are at fault; " +
    "degraded: less; missing: nothing; pending: the day is not over, or not judged; closed: the market was closed all day",
});

const qualitySource = z
  .strictObject({
    source: z.string(),
    condition,
    expected_seconds: seconds.meta({ description: "Seconds with an open market in which its prices were expected" }),
    covered_seconds: seconds.meta({ description: "Those that are in no gap" }),
    updated_seconds: seconds.meta({ description: "Those in which it sent a price" }),
    completeness: share.meta({
      description: "covered_seconds in percent of expected_seconds; null if none is expected",
    }),
    served_share: share.meta({ description: "Percent of the served seconds that were served from it" }),
    gap_count: z.int(),
    longest_gap_seconds: seconds,
    disagreement: z
      .strictObject({
        median_pips: z.number(),
        p99_pips: z.number(),
        longest_seconds: seconds.meta({
          description: "The longest time in a row in which it was apart from all others",
        }),
      })
      .nullable()
      .meta({ description: "How far its mid was from that of the other sources; null without another source" }),
    minutes: z
      .strictObject(Object.fromEntries(VERDICTS.map((verdict) => [verdict, z.int()])))
      .meta({ description: "How many minutes have each verdict" }),
    spike_count: z.int(),
    compared_bars: z.int().meta({ description: "M1 bars that another source has as well" }),
    differing_bars: z
      .int()
      .meta({ description: "Those of them that differ from all others by more than the tolerance" }),
    refused: z.partialRecord(z.enum(REFUSALS), z.int()).meta({ description: "Ticks that were refused, by reason" }),
    clock_offset_ms: z
      .int()
      .nullable()
      .meta({ description: "How far its clock was behind, negative if ahead: the median; null where it is not known" }),
    gaps: z
      .array(
        z.strictObject({
          from: time,
          to: time,
          seconds,
          reason: z
            .enum(["disconnected", "paused", "reloaded", "stopped", "silent"])
            .meta({ description: "As in source_gaps of /v1/ticks, or silent: it was connected and sent nothing" }),
        }),
      )
      .optional()
      .meta({ description: "With include=detail" }),
    verdicts: z
      .array(z.strictObject({ from: time, to: time, verdict: z.enum(VERDICTS) }))
      .optional()
      .meta({ description: "With include=detail: minutes in a row with a verdict other than agrees and closed" }),
    spikes: z
      .array(
        z.strictObject({
          from: time,
          to: time,
          size_pips: z
            .number()
            .meta({ description: "Its greatest distance from all others, below zero if it was under them" }),
        }),
      )
      .optional()
      .meta({ description: "With include=detail: spikes that a second ended with" }),
  })
  .meta({ id: "QualitySource" });

const qualityReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    symbol: z.string(),
    judged_until: time.nullable().meta({ description: "All hours before it are judged; null if none is" }),
    days: z.array(
      z
        .strictObject({
          date: z.iso.date().meta({ description: "The day, in UTC" }),
          condition: condition
            .nullable()
            .meta({ description: "Of the prices that were served; null for days before the first judged hour" }),
          expected_seconds: seconds.meta({ description: "Seconds with an open market in the hours that are judged" }),
          served_seconds: seconds.meta({ description: "Those in which a source had a price that was not stale" }),
          recorded_seconds: seconds.meta({ description: "Rows of /v1/ticks of the day until judged_until" }),
          completeness: share.meta({
            description: "served_seconds in percent of expected_seconds; null if none is expected",
          }),
          sources: z.array(qualitySource),
        })
        .meta({ id: "QualityDay" }),
    ),
  }),
});

const qualityDayReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    date: z.iso.date().meta({ description: "The day, in UTC" }),
    judged_until: time.nullable().meta({ description: "All hours before it are judged; null if none is" }),
    results: z.array(
      z
        .strictObject({
          symbol: z.string(),
          source: z.string(),
          condition,
          completeness: share.meta({
            description: "covered_seconds in percent of expected_seconds; null if none is expected",
          }),
          expected_seconds: seconds,
          covered_seconds: seconds,
          compared_minutes: z.int().meta({ description: "Minutes that were compared with another source" }),
          faulty_minutes: z.int().meta({ description: "Those of them that are stale, lag, off or spike" }),
        })
        .meta({ id: "QualityResult" }),
    ),
    pagination,
  }),
});

const qualityDayTable = defineTable<{ date: string; results: readonly Readonly<Record<string, unknown>>[] }>(
  ["date", "symbol", "source", "condition", "completeness", "expected_seconds", "covered_seconds"],
  ({ date, results }) => results.map((result) => ({ date, ...result })),
);

/** One row for each day and source. */
const qualityTable = defineTable<{
  symbol: string;
  days: readonly { date: string; sources: readonly Readonly<Record<string, unknown>>[] }[];
}>(
  ["symbol", "date", "source", "condition", "expected_seconds", "covered_seconds", "completeness"],
  ({ symbol, days }) =>
    days.flatMap(({ date, sources }) => sources.map((source) => ({ symbol, date, ...flatten(source) }))),
);

const NO_REFUSALS = Object.fromEntries(REFUSALS.map((reason) => [reason, 0]));
const PARTS = ["disagreement", "minutes", "refused"] as const;

/** The figures of a source as columns: those of an object have its name before theirs. */
function flatten(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const row = Object.entries(source).filter(([, value]) => typeof value !== "object" || value === null);
  const parts = PARTS.flatMap((part) => {
    const counts = { ...(part === "refused" ? NO_REFUSALS : {}), ...(source[part] as object | null) };
    return Object.entries(counts).map(([name, value]) => [`${part}_${name}`, value] as const);
  });
  return Object.fromEntries([...row.filter(([name]) => name !== "disagreement"), ...parts]);
}

export const quality = defineEndpoint({
  method: "GET",
  path: "/v1/quality",
  summary: "How complete the prices of a symbol's sources are, and how they compare, day by day.",
  description:
    "For each UTC day and source: the seconds that are expected by the trading hours and those that are covered, gaps with " +
    "their reasons, the share that was served from it, how far it was from the other sources, spikes, refused ticks, and the " +
    "offset of its clock. Each M1 bar has a verdict. An hour is judged some minutes after its end, from the prices of all " +
    "sources as they were received. /docs/quality defines every figure.",
  group: "Spreads and quality",
  access: "any-key",
  weight: 1,
  query: z
    .object({
      symbol: symbolParam,
      from: timeParam.optional().meta({ description: "A moment of the first day, by default six days before to." }),
      to: timeParam.optional().meta({ description: "A moment of the last day, by default now; at most 31 days." }),
      include: z.literal("detail", { error: "must be detail" }).optional().meta({
        description: "Adds gaps, verdicts and spikes to each source, for at most 7 days. JSON only.",
      }),
    })
    .superRefine(({ from, to }, context) => {
      if (from === undefined || to === undefined) return;
      if (to < from) refuseParam(context, "INVALID_RANGE", "to must not be before from");
    }),
  reply: qualityReply,
  table: qualityTable,
  errors: ["SYMBOL_NOT_FOUND", "INVALID_RANGE", "RANGE_TOO_LARGE"],
  headers: ["X-Data-Mode"],

  async handle({ query: { symbol, from, to, include }, key, services }) {
    const instrument = findPermitted(symbol, key, services.resolver);
    const toDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;
    const lastMs = toDay(to ?? Math.max(from ?? 0, services.marketNow()));
    const fromMs = toDay(from ?? lastMs - (USUAL_DAYS - 1) * DAY_MS);
    const days = (lastMs - fromMs) / DAY_MS + 1;
    const most = include === undefined ? MAX_DAYS : MAX_DETAILED_DAYS;
    if (days > most) throw new ApiError("RANGE_TOO_LARGE", `from and to may be at most ${most} days apart.`);
    const untilMs = lastMs + DAY_MS;
    const found = await readQualityDays({
      ...{ pool: services.database.pool, instrument, fromMs, toMs: untilMs },
      hasSource: (source) => services.book.hasSource(source),
    });
    const body = formatSuccess({
      symbol: instrument.symbol,
      judged_until: found.judgedUntilMs === null ? null : formatTime(found.judgedUntilMs),
      days: found.days.map((day) => formatDay(day, instrument, include !== undefined)),
    });
    return { body, headers: formatOriginHeader(services.origins, [instrument.symbol], fromMs, untilMs) };
  },
});

export const qualityDay = defineEndpoint({
  method: "GET",
  path: "/v1/quality/day",
  summary: "The condition of every symbol and source on a day, the worst first.",
  description:
    "First those of which nothing is covered, then degraded ones, days that are not over, and complete ones; of the same " +
    "condition the least complete first. /v1/quality has the figures of one symbol. A key that is restricted to some " +
    "symbols gets those only. /docs/quality defines every figure.",
  group: "Spreads and quality",
  access: "any-key",
  weight: 1,
  query: z.object({
    date: timeParam
      .optional()
      .meta({ description: "A moment of the UTC day, by default of the last one that is over." }),
    offset: offsetParam.default(0),
    limit: wholeParam(1, 500).default(100),
  }),
  reply: qualityDayReply,
  table: qualityDayTable,

  async handle({ query: { date, offset, limit }, key, services }) {
    const dayMs = Math.floor((date ?? services.marketNow() - DAY_MS) / DAY_MS) * DAY_MS;
    const judgedMs = await services.quality.readJudgedUntil();
    const permitted = new Set(selectPermitted(key, services.instruments).map(({ symbol }) => symbol));
    const found = (await services.quality.readDay(dayMs)).filter(({ symbol }) => permitted.has(symbol));
    const total = found.length;
    return {
      body: formatSuccess({
        date: new Date(dayMs).toISOString().slice(0, 10),
        judged_until: judgedMs === null ? null : formatTime(judgedMs),
        results: found.slice(offset, offset + limit).map((day) => ({
          ...{ symbol: day.symbol, source: day.source, condition: day.condition },
          completeness: toPercent(day.covered, day.expected),
          ...{ expected_seconds: day.expected, covered_seconds: day.covered },
          ...{ compared_minutes: day.compared, faulty_minutes: day.faulty },
        })),
        pagination: { offset, limit, total, has_more: offset + limit < total },
      }),
    };
  },
});

function formatDay(day: QualityDay, instrument: Instrument, hasDetail: boolean) {
  return {
    date: new Date(day.dayMs).toISOString().slice(0, 10),
    condition: day.condition,
    expected_seconds: day.expected,
    served_seconds: day.served,
    recorded_seconds: day.recorded,
    completeness: toPercent(day.served, day.expected),
    sources: day.sources.map((source) => formatSource(source, day, instrument, hasDetail)),
  };
}

function formatSource(found: SourceDay, day: QualityDay, instrument: Instrument, hasDetail: boolean) {
  const { disagreement, gaps, spikes, runs } = found;
  const lengths = gaps.map(({ fromMs, toMs }) => (toMs - fromMs) / SECOND_MS);
  const span = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => ({
    from: formatTime(fromMs),
    to: formatTime(toMs),
  });
  const detail = {
    gaps: gaps.map((gap, i) => ({ ...span(gap), seconds: lengths[i], reason: gap.reason })),
    verdicts: runs.map((run) => ({ ...span(run), verdict: run.verdict })),
    spikes: spikes.map((spike) => ({ ...span(spike), size_pips: toPips(spike.size, instrument) })),
  };
  return {
    source: found.source,
    condition: found.condition,
    expected_seconds: found.expected,
    covered_seconds: found.covered,
    updated_seconds: found.updated,
    completeness: toPercent(found.covered, found.expected),
    served_share: toPercent(found.served, day.served),
    gap_count: gaps.length,
    longest_gap_seconds: Math.max(0, ...lengths),
    disagreement:
      disagreement === null
        ? null
        : {
            median_pips: toPips(disagreement.median, instrument),
            p99_pips: toPips(disagreement.p99, instrument),
            longest_seconds: disagreement.longestSeconds,
          },
    minutes: found.minutes,
    spike_count: found.minutes.spike,
    compared_bars: found.bars,
    differing_bars: found.differingBars,
    refused: Object.fromEntries(found.refused),
    clock_offset_ms: found.offsetMs,
    ...(hasDetail ? detail : {}),
  };
}
