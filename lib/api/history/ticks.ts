import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { MIN_COMPRESSED_LENGTH } from "@/lib/api/engine/compression";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { tagClosed } from "@/lib/api/engine/etag";
import { acceptsGzip, chooseFormat, formatParam } from "@/lib/api/engine/negotiation";
import {
  refuseParam,
  someOfParam,
  sourceParam,
  symbolParam,
  timeParam,
  wholeParam,
  wordParam,
} from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { formatCsvAnswer } from "@/lib/api/engine/table";
import { answerEveryTick, MAX_TICKS } from "@/lib/api/history/every-tick";
import { createRetentionError } from "@/lib/api/history/outside-retention";
import { ticksReply } from "@/lib/api/history/replies";
import { findTickOrigins, type TickOrigins } from "@/lib/api/history/tick-origins";
import { findPermitted, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { SourceGap } from "@/lib/feeds/feed";
import { getRetentionStart } from "@/lib/history/retention";
import { TICK_RESOLUTIONS } from "@/lib/history/tapes/kept-ticks";
import { formatAnswerHead, formatAnswerTail, type ReadyHour, sliceTicks } from "@/lib/history/ticks/ready-hours";
import { countSeconds, findGaps, type Gap, type TickRange } from "@/lib/history/ticks/tick-history";
import { toPrice } from "@/lib/market/price";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { formatPlain, formatCsvRows as formatTableRows } from "@/lib/text/csv";
import { formatExactDuration } from "@/lib/time/duration";
import { formatStamp, formatTime } from "@/lib/time/iso-time";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const MAX_RANGE_MS = HOUR_MS;
const COLUMNS = ["time", "bid", "ask", "flags"] as const;

const query = z
  .object({
    symbol: symbolParam,
    from: timeParam.meta({ description: "First moment of the range." }),
    to: timeParam.meta({ description: "End of the range, itself not in it; at most an hour after from." }),
    resolution: wordParam(TICK_RESOLUTIONS, "VALIDATION_ERROR")
      .default("1s")
      .meta({
        description:
          "1s: the last update of each second. tick: every tick with its millisecond, where the server keeps them; its errors " +
          "say where not.",
      }),
    source: sourceParam.optional().meta({
      description: "With resolution=tick: the ticks of one broker source, in place of those of the served price.",
    }),
    limit: wholeParam(1, MAX_TICKS)
      .optional()
      .meta({
        description: `With resolution=tick: the ticks of one answer, ${MAX_TICKS} without it, and the others of the last one's millisecond.`,
      }),
    format: formatParam.optional(),
    include: someOfParam(["gaps", "origin"])
      .optional()
      .meta({
        description:
          "gaps adds the holes in the range: every run of seconds without a row; JSON only. origin tells of each tick " +
          "how it came: recorded, filled into a gap, or imported from a file. In CSV that is a column with its kind, " +
          "source, file and SHA-256.",
      }),
  })
  .superRefine(({ from, to, resolution, source, limit, include }, context) => {
    const isEvery = resolution === "tick";
    const only = source === undefined ? "limit" : "source";
    if (!isEvery && (source !== undefined || limit !== undefined))
      refuseParam(context, "VALIDATION_ERROR", `${only} is for resolution=tick`);
    if (isEvery && include !== undefined)
      refuseParam(
        context,
        "VALIDATION_ERROR",
        "include is for seconds; with resolution=tick, not_kept has the times without ticks",
      );
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
    "Answers for whole closed hours are sent as gzip to those who accept it. " +
    "With resolution=tick the rows are every tick that the operator keeps (SPOTLINE_KEEP_TICKS), by the broker's time in " +
    "milliseconds, with its source and when it was received. Without source they are the tape of the served price: each " +
    "tick whose source was the served one when it was received. A busy hour has several pages: repeat the call with from " +
    "as next_from says, also in X-Next-From, until it is null. not_kept has the times in the range in which ticks were not kept.",
  group: "History",
  access: "historical",
  entitlement: "ticks",
  weight: 3,
  query,
  reply: ticksReply,
  errors: [
    "DATA_OUTSIDE_RETENTION",
    "INVALID_RANGE",
    "RANGE_TOO_LARGE",
    "SYMBOL_NOT_FOUND",
    "SOURCE_NOT_FOUND",
    "DATA_NOT_FOUND",
  ],
  headers: ["X-Coverage", "X-Next-From", "X-Data-Mode", "ETag"],
  csv: COLUMNS,

  handle({ query: { symbol, from, to, resolution, source, limit = MAX_TICKS, format, include }, key, call, services }) {
    const instrument = findPermitted(symbol, key, services.resolver);
    if (resolution === "tick") {
      const range = { instrument, fromMs: from, toMs: to, source, limit };
      return answerEveryTick({ ...range, format: chooseFormat(format, call.accept) }, services);
    }
    const history = services.history.ticks;
    const [wantsGaps, wantsOrigin] = [include?.includes("gaps") === true, include?.includes("origin") === true];
    const answer = (range: TickRange): Handled | Promise<Handled> =>
      wantsOrigin ? findTickOrigins(range, services).then((origins) => write(range, origins)) : write(range, null);
    const write = (range: TickRange, origins: TickOrigins | null): Handled | Promise<Handled> => {
      if (range.count === 0) requireStored(to, services);
      const headers =
        formatCoverage(range) + formatOriginHeader(services.origins, [instrument.symbol], ...findSpan(range));
      const isClosed = range.knownUntilMs >= range.toMs;
      if (chooseFormat(format, call.accept) === "csv") {
        const columns = origins === null ? COLUMNS : [...COLUMNS, "origin"];
        const file = { name: formatCsvName(range), columns, rows: formatCsvRows(range, origins), headers };
        return tagClosed(formatCsvAnswer(file), isClosed);
      }
      const sourceGaps = services.gaps.find(instrument.symbol, from, to);
      if (include !== undefined || sourceGaps.length > 0) {
        const gaps = wantsGaps ? findGaps(range) : undefined;
        // The name of an imported file may have any character.
        const isAscii = origins === null;
        return tagClosed({ body: formatJson(range, { gaps, sourceGaps, origins }), headers, isAscii }, isClosed);
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

interface Added {
  readonly gaps?: readonly Gap[] | undefined;
  readonly sourceGaps?: readonly SourceGap[];
  readonly origins?: TickOrigins | null;
}

function formatJson(
  { symbol, parts, count }: TickRange,
  { gaps, sourceGaps = [], origins = null }: Added = {},
): Uint8Array {
  const pieces = parts.flatMap((part, index) => {
    const { hour, from, to } = part;
    const text = origins === null ? sliceTicks(hour, from, to) : formatWithOrigins(part, origins.ids[index]);
    return index === 0 ? [text] : [COMMA, text];
  });
  const marked = sourceGaps.length === 0 ? "" : `,"source_gaps":${JSON.stringify(sourceGaps.map(formatSourceGap))}`;
  const came = origins === null ? "" : `,"origins":${JSON.stringify(origins.origins)}`;
  const more = came + (gaps === undefined ? "" : `,"gaps":${JSON.stringify(gaps.map(formatGap))}`) + marked;
  return Buffer.concat([Buffer.from(formatAnswerHead(symbol)), ...pieces, Buffer.from(formatAnswerTail(count, more))]);
}

const COMMA = Buffer.from(",");

/** The ticks of a part, each with the id of its origin. */
function formatWithOrigins({ hour, from, to }: TickRange["parts"][number], ids: Uint32Array | undefined): Buffer {
  const rows = Array.from({ length: to - from }, (_, index) => {
    const row = sliceTicks(hour, from + index, from + index + 1).toString("latin1");
    return `${row.slice(0, -1)},"origin":${ids?.[index]}}`;
  });
  return Buffer.from(rows.join());
}

function formatGap({ fromMs, toMs }: Gap) {
  return { from: formatTime(fromMs), to: formatTime(toMs), seconds: (toMs - fromMs) / 1000 };
}

function formatSourceGap({ fromMs, toMs, source, reason }: SourceGap) {
  const from = Math.floor(fromMs / SECOND_MS) * SECOND_MS;
  const to = Math.ceil(toMs / SECOND_MS) * SECOND_MS;
  return { from: formatTime(from), to: formatTime(to), source, reason };
}

function formatCsvName({ symbol, fromMs, toMs }: TickRange): string {
  return `${symbol}-ticks-${formatStamp(fromMs)}-${formatStamp(toMs)}.csv`;
}

function formatCsvRows({ parts }: TickRange, origins: TickOrigins | null): string {
  const cells = new Map(origins?.origins.map((origin) => [origin.id, `,${formatOriginCell(origin)}`]));
  let rows = "";
  for (const [index, { hour, from, to }] of parts.entries()) {
    const { seconds, bid, ask, digits } = hour.ticks;
    for (let i = from; i < to; i++) {
      const time = formatTime(hour.hourMs + (seconds[i] as number) * 1000);
      const price = (points: number) => formatPlain(toPrice(points, digits));
      const origin = cells.get(origins?.ids[index]?.[i - from] ?? 0) ?? "";
      rows += `${time},${price(bid[i] as number)},${price(ask[i] as number)},0${origin}\r\n`;
    }
  }
  return rows;
}

/** "imported dukascopy eurusd.csv 9f86…": a cell of CSV. */
function formatOriginCell({ kind, source, file, sha256 }: TickOrigins["origins"][number]): string {
  return formatTableRows([[[kind, source, file, sha256].filter((each) => each !== undefined).join(" ")]]).trimEnd();
}
