import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { MIN_COMPRESSED_LENGTH } from "@/lib/api/engine/compression";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { tagClosed } from "@/lib/api/engine/etag";
import { acceptsGzip, chooseFormat, formatParam } from "@/lib/api/engine/negotiation";
import { refuseParam, symbolParam, timeParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { formatCsvAnswer } from "@/lib/api/engine/table";
import { createRetentionError } from "@/lib/api/history/outside-retention";
import { ticksReply } from "@/lib/api/history/replies";
import { findPermitted, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { SourceGap } from "@/lib/feeds/feed";
import { getRetentionStart } from "@/lib/history/retention";
import { formatAnswerHead, formatAnswerTail, type ReadyHour, sliceTicks } from "@/lib/history/ticks/ready-hours";
import { countSeconds, findGaps, type Gap, type TickRange } from "@/lib/history/ticks/tick-history";
import { toPrice } from "@/lib/market/price";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { formatPlain } from "@/lib/text/csv";
import { formatExactDuration } from "@/lib/time/duration";
import { formatTime } from "@/lib/time/iso-time";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const MAX_RANGE_MS = HOUR_MS;
const COLUMNS = ["time", "bid", "ask", "flags"] as const;

const query = z
  .object({
    symbol: symbolParam,
    from: timeParam.meta({ description: "First moment of the range." }),
    to: timeParam.meta({ description: "End of the range, itself not in it; at most an hour after from." }),
    format: formatParam.optional(),
    include: z
      .literal("gaps", { error: "must be gaps" })
      .optional()
      .meta({ description: "gaps adds the holes in the range: every run of seconds without a row. JSON only." }),
  })
  .superRefine(({ from, to }, context) => {
    const rangeMs = to - from;
    if (rangeMs <= 0) refuseParam(context, "INVALID_RANGE", "to must be later than from");
    if (rangeMs > MAX_RANGE_MS) {
      refuseParam(context, "RANGE_TOO_LARGE", "from and to may be at most one hour apart; ask hour by hour", {
        requested_range: formatExactDuration(rangeMs),
        max_range: formatExactDuration(MAX_RANGE_MS),
      });
    }
  });

export const ticks = defineEndpoint({
  method: "GET",
  path: "/v1/ticks",
  summary: "The recorded ticks of one symbol in up to one hour, one a second.",
  description:
    "A row is the last update of its second; a second without an update has none, so there are at most 3,600 an hour. " +
    "The header X-Coverage tells rows/seconds: how many rows there are, and how many seconds of the range have passed. " +
    "Seconds in which the market was closed count like any other, so an hour of a weekend reads 0/3600. " +
    "Times for which a source's prices are lost, or not filled in from its own past yet, are in source_gaps. " +
    "Answers for whole closed hours are sent as gzip to those who accept it.",
  access: "key",
  entitlement: "ticks",
  weight: 3,
  query,
  reply: ticksReply,
  errors: ["DATA_OUTSIDE_RETENTION", "INVALID_RANGE", "RANGE_TOO_LARGE", "SYMBOL_NOT_FOUND"],
  headers: ["X-Coverage", "X-Data-Mode", "ETag"],
  csv: COLUMNS,

  handle({ query: { symbol, from, to, format, include }, key, call, services }) {
    const instrument = findPermitted(symbol, key, services.resolver);
    const history = services.history.ticks;
    const answer = (range: TickRange): Handled | Promise<Handled> => {
      if (range.count === 0) requireStored(to, services);
      const headers =
        formatCoverage(range) + formatOriginHeader(services.origins, [instrument.symbol], ...findSpan(range));
      const isClosed = range.knownUntilMs >= range.toMs;
      if (chooseFormat(format, call.accept) === "csv") {
        const file = { name: formatCsvName(range), columns: COLUMNS, rows: formatCsvRows(range), headers };
        return tagClosed(formatCsvAnswer(file), isClosed);
      }
      const sourceGaps = services.gaps.find(instrument.symbol, from, to);
      if (include === "gaps" || sourceGaps.length > 0) {
        const gaps = include === "gaps" ? findGaps(range) : undefined;
        return tagClosed({ body: formatJson(range, gaps, sourceGaps), headers, isAscii: true }, isClosed);
      }
      const hour = findWholeHour(range);
      const isLong = hour !== null && hour.body.length >= MIN_COMPRESSED_LENGTH;
      const packed = isLong && acceptsGzip(call.header("accept-encoding")) ? history.gzip(hour) : null;
      const plain = tagClosed({ body: hour?.body ?? formatJson(range), headers, isAscii: true }, isClosed);
      if (packed === null) return plain;
      return mapMaybeAsync(packed, (body) => ({ body, headers, etag: plain.etag, coding: "gzip" as const }));
    };
    return mapMaybeAsync(history.readRange(instrument.symbol, from, to), answer);
  },
});

/** Throws 400 DATA_OUTSIDE_RETENTION if a range without ticks ends before the stored ones. Imported ticks are not removed. */
function requireStored(toMs: number, { keepDays, marketNow }: Pick<Services, "keepDays" | "marketNow">): void {
  const storedFromMs = getRetentionStart(keepDays.ticks, marketNow());
  if (toMs <= storedFromMs) throw createRetentionError(formatTime(storedFromMs), keepDays.ticks);
}

/** Formats X-Coverage: the number of rows, and the number of seconds of the range that have passed. */
function formatCoverage({ fromMs, knownUntilMs, count }: TickRange): string {
  // A broker's clock may run ahead of ours, and its seconds with it.
  return formatHeaderLine("X-Coverage", `${count}/${Math.max(count, countSeconds(fromMs, knownUntilMs))}`);
}

/** The time from the first to the last tick of a range, or the range without ticks: UTC milliseconds. */
function findSpan({ fromMs, toMs, parts }: TickRange): [fromMs: number, toMs: number] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return [fromMs, toMs];
  const getTime = ({ hour }: typeof first, at: number) => hour.hourMs + (hour.ticks.seconds[at] as number) * SECOND_MS;
  return [getTime(first, first.from), getTime(last, last.to - 1) + SECOND_MS];
}

/** Finds the hour that is exactly this range, so that its ready answer can be sent; null if there is none. */
function findWholeHour({ parts, count }: TickRange): ReadyHour | null {
  const [part, another] = parts;
  const isWhole = part !== undefined && another === undefined && count === part.hour.ticks.seconds.length;
  return isWhole ? part.hour : null;
}

function formatJson(
  { symbol, parts, count }: TickRange,
  gaps?: readonly Gap[],
  sourceGaps: readonly SourceGap[] = [],
): Uint8Array {
  const pieces = parts.flatMap(({ hour, from, to }, index) => {
    const text = sliceTicks(hour, from, to);
    return index === 0 ? [text] : [COMMA, text];
  });
  const marked = sourceGaps.length === 0 ? "" : `,"source_gaps":${JSON.stringify(sourceGaps.map(formatSourceGap))}`;
  const more = (gaps === undefined ? "" : `,"gaps":${JSON.stringify(gaps.map(formatGap))}`) + marked;
  return Buffer.concat([Buffer.from(formatAnswerHead(symbol)), ...pieces, Buffer.from(formatAnswerTail(count, more))]);
}

const COMMA = Buffer.from(",");

function formatGap({ fromMs, toMs }: Gap) {
  return { from: formatTime(fromMs), to: formatTime(toMs), seconds: (toMs - fromMs) / 1000 };
}

function formatSourceGap({ fromMs, toMs, source, reason }: SourceGap) {
  const from = Math.floor(fromMs / SECOND_MS) * SECOND_MS;
  const to = Math.ceil(toMs / SECOND_MS) * SECOND_MS;
  return { from: formatTime(from), to: formatTime(to), source, reason };
}

function formatCsvName({ symbol, fromMs, toMs }: TickRange): string {
  const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "");
  return `${symbol}-ticks-${stamp(fromMs)}-${stamp(toMs)}.csv`;
}

function formatCsvRows({ parts }: TickRange): string {
  let rows = "";
  for (const { hour, from, to } of parts) {
    const { seconds, bid, ask, digits } = hour.ticks;
    for (let i = from; i < to; i++) {
      const time = formatTime(hour.hourMs + (seconds[i] as number) * 1000);
      const price = (points: number) => formatPlain(toPrice(points, digits));
      rows += `${time},${price(bid[i] as number)},${price(ask[i] as number)},0\r\n`;
    }
  }
  return rows;
}
