import { z } from "zod";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { formatCsvAnswer } from "@/lib/api/engine/csv";
import { defineEndpoint, type Handled } from "@/lib/api/engine/endpoint";
import { acceptsGzip, chooseFormat, formatParam } from "@/lib/api/engine/negotiation";
import { refuseParam, symbolParam, timeParam } from "@/lib/api/engine/params";
import { ticksReply } from "@/lib/api/history/history-replies";
import { findInstrument, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { Gap } from "@/lib/history/ticks/gaps";
import { countSeconds, findGaps } from "@/lib/history/ticks/gaps";
import type { ReadyHour } from "@/lib/history/ticks/ready-hour";
import { formatAnswerHead, formatAnswerTail, sliceTicks } from "@/lib/history/ticks/ready-hour";
import type { TickRange } from "@/lib/history/ticks/tick-history";
import { mapMaybeAsync } from "@/lib/platform/maybe-async";
import { formatExactDuration } from "@/lib/time/duration";
import { formatTime } from "@/lib/time/iso-time";
import { HOUR_MS } from "@/lib/time/units";

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
    "Answers for whole closed hours are sent as gzip to those who accept it.",
  access: "key",
  entitlement: "ticks",
  weight: 3,
  query,
  reply: ticksReply,
  csv: COLUMNS,

  handle({ query: { symbol, from, to, format, include }, call, services }) {
    const instrument = findInstrument(symbol, services.resolver);
    const history = services.history.ticks;
    const answer = (range: TickRange): Handled | Promise<Handled> => {
      const headers = `${formatCoverage(range)}${formatOriginHeader(services.sources)}${formatHeaderLine("Vary", "Accept, Accept-Encoding")}`;
      if (chooseFormat(format, () => call.header("accept")) === "csv") {
        return formatCsvAnswer({ name: formatCsvName(range), columns: COLUMNS, rows: formatCsvRows(range), headers });
      }
      if (include === "gaps") return { body: formatJson(range, findGaps(range)), headers, isAscii: true };
      const hour = findWholeHour(range);
      const takesGzip = hour !== null && acceptsGzip(call.header("accept-encoding"));
      const packed = takesGzip ? history.gzip(hour) : null;
      if (packed === null) return { body: hour?.body ?? formatJson(range), headers, isAscii: true };
      const encoded = (body: Uint8Array) => ({ body, headers: headers + formatHeaderLine("Content-Encoding", "gzip") });
      return mapMaybeAsync(packed, encoded);
    };
    return mapMaybeAsync(history.readRange(instrument.symbol, from, to), answer);
  },
});

/** Formats X-Coverage: the number of rows, and the number of seconds of the range that have passed. */
function formatCoverage({ fromMs, knownUntilMs, count }: TickRange): string {
  // A broker's clock may run ahead of ours, and its seconds with it.
  return formatHeaderLine("X-Coverage", `${count}/${Math.max(count, countSeconds(fromMs, knownUntilMs))}`);
}

/** Finds the hour that is exactly this range, so that its ready answer can be sent; null if there is none. */
function findWholeHour({ parts, count }: TickRange): ReadyHour | null {
  const [part, another] = parts;
  const isWhole = part !== undefined && another === undefined && count === part.hour.ticks.seconds.length;
  return isWhole ? part.hour : null;
}

function formatJson({ symbol, parts, count }: TickRange, gaps?: readonly Gap[]): Uint8Array {
  const pieces = parts.flatMap(({ hour, from, to }, index) => {
    const text = sliceTicks(hour, from, to);
    return index === 0 ? [text] : [COMMA, text];
  });
  const more = gaps === undefined ? "" : `,"gaps":${JSON.stringify(gaps.map(formatGap))}`;
  return Buffer.concat([Buffer.from(formatAnswerHead(symbol)), ...pieces, Buffer.from(formatAnswerTail(count, more))]);
}

const COMMA = Buffer.from(",");

function formatGap({ fromMs, toMs }: Gap) {
  return { from: formatTime(fromMs), to: formatTime(toMs), seconds: (toMs - fromMs) / 1000 };
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
      rows += `${time},${(bid[i] as number) / 10 ** digits},${(ask[i] as number) / 10 ** digits},0\r\n`;
    }
  }
  return rows;
}
