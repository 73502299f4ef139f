import type { Handled } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { createLongEtag } from "@/lib/api/engine/etag";
import type { Services } from "@/lib/api/engine/services";
import { CSV_TYPE, joinParts } from "@/lib/api/engine/table";
import { createTurns } from "@/lib/api/engine/turns";
import { requireKeptTicks } from "@/lib/api/history/outside-retention";
import { formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import { listTicks, type RangeTick, type TapeRange } from "@/lib/history/tapes/tape-history";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { slices } from "@/lib/platform/timing/slices";
import { formatPlain } from "@/lib/text/csv";
import { formatMilliseconds, formatStamp } from "@/lib/time/iso-time";

/** The hard limit of one answer. */
export const MAX_TICKS = 50_000;

const TICK_COLUMNS = ["time", "bid", "ask", "flags", "source", "received"] as const;

export interface TickRequest {
  readonly instrument: Instrument;
  readonly fromMs: number;
  readonly toMs: number;
  /** All ticks of one source; without it those of the served price. */
  readonly source: string | undefined;
  readonly limit: number;
  readonly format: "json" | "csv";
}

/**
 * Answers with every stored tick of a range, at most `limit` and the others of the last one's millisecond. Throws 404
 * DATA_NOT_FOUND where ticks of the symbol were not stored, and SOURCE_NOT_FOUND for a source that there is not.
 */
export async function answerEveryTick(request: TickRequest, services: Services): Promise<Handled> {
  return inTurn(async () => {
    const { instrument, fromMs, toMs, source, limit, format } = request;
    const range = await services.readTapes(instrument, { fromMs, toMs, source, nowMs: services.marketNow() });
    if (range.tapes.size === 0) {
      if (source !== undefined && range.kept !== null && !services.book.hasSource(source))
        throw new ApiError("SOURCE_NOT_FOUND", "There is no source of that name, and no tick of it from then.");
      requireKeptTicks(request, range, services);
    }
    const { ticks, nextMs } = takePage(listTicks(range.tapes, source === undefined), limit);
    const next = nextMs === null ? null : formatMilliseconds(nextMs);
    const body = await (format === "csv" ? writeCsv(ticks) : writeJson(request, { ticks, next, range }, services));
    return {
      body,
      ...(format === "csv" ? { contentType: CSV_TYPE } : { isAscii: true }),
      etag: range.isClosed ? await createLongEtag(body) : undefined,
      headers:
        formatOriginHeader(services.origins, [instrument.symbol], fromMs, toMs) +
        (next === null ? "" : formatHeaderLine("X-Next-From", next)) +
        (format === "csv"
          ? formatHeaderLine("Content-Disposition", `attachment; filename="${nameFile(request)}"`)
          : ""),
    };
  });
}

/** An hour of ticks is some megabytes. */
const inTurn = createTurns({ most: 50, what: "calls for every tick", retryAfterS: 2 });

/** The first ticks, and the time of the first one after them: UTC milliseconds, null without one. */
function takePage(ticks: Iterable<RangeTick>, limit: number) {
  const page: RangeTick[] = [];
  let lastMs = NaN;
  for (const tick of ticks) {
    const timeMs = tick.tape.timesMs[tick.at] as number;
    if (page.length >= limit && timeMs !== lastMs) return { ticks: page, nextMs: timeMs };
    page.push(tick);
    lastMs = timeMs;
  }
  return { ticks: page, nextMs: null };
}

/** Rows that are written together, in about a millisecond. */
const ROWS_OF_PART = 500;

async function writeParts(ticks: readonly RangeTick[], format: (tick: RangeTick) => string, separator: string) {
  const starts = Array.from({ length: Math.ceil(ticks.length / ROWS_OF_PART) }, (_, part) => part * ROWS_OF_PART);
  return slices.map(starts, (start) => {
    const rows = ticks
      .slice(start, start + ROWS_OF_PART)
      .map(format)
      .join(separator);
    return Buffer.from(start === 0 ? rows : separator + rows);
  });
}

interface Page {
  readonly ticks: readonly RangeTick[];
  readonly next: string | null;
  readonly range: TapeRange;
}

async function writeJson({ instrument: { symbol }, fromMs, toMs }: TickRequest, page: Page, services: Services) {
  const rows = await writeParts(page.ticks, formatJsonRow, ",");
  const gaps = services.gaps.find(symbol, fromMs, toMs).map(({ fromMs: from, toMs: to, source, reason }) => ({
    ...{ from: formatMilliseconds(from), to: formatMilliseconds(to), source, reason },
  }));
  const tail = {
    count: page.ticks.length,
    next_from: page.next,
    not_kept: page.range.notKept.map((each) => ({
      from: formatMilliseconds(each.fromMs),
      to: formatMilliseconds(each.toMs),
    })),
    ...(gaps.length === 0 ? {} : { source_gaps: gaps }),
  };
  const head = `{"success":true,"data":{"symbol":"${symbol}","resolution":"tick","ticks":[`;
  return joinParts([Buffer.from(head), ...rows, Buffer.from(`],${JSON.stringify(tail).slice(1)}}`)]);
}

function formatJsonRow({ source, tape, at }: RangeTick): string {
  const [bid, ask] = [tape.bids[at] as number, tape.asks[at] as number].map((points) => toPrice(points, tape.digits));
  const time = formatMilliseconds(tape.timesMs[at] as number);
  const received = formatMilliseconds(tape.receivedMs[at] as number);
  return `{"time":"${time}","bid":${bid},"ask":${ask},"flags":0,"source":${JSON.stringify(source)},"received":"${received}"}`;
}

/** Ticks as the CSV of `/v1/ticks?resolution=tick`. */
export async function writeCsv(ticks: readonly RangeTick[]): Promise<Buffer> {
  const rows = await writeParts(ticks, formatCsvRow, "");
  return joinParts([Buffer.from(`${TICK_COLUMNS.join(",")}\r\n`), ...rows]);
}

function formatCsvRow({ source, tape, at }: RangeTick): string {
  const [bid, ask] = [tape.bids[at] as number, tape.asks[at] as number].map((points) =>
    formatPlain(toPrice(points, tape.digits)),
  );
  const time = formatMilliseconds(tape.timesMs[at] as number);
  const received = formatMilliseconds(tape.receivedMs[at] as number);
  return `${time},${bid},${ask},0,${source},${received}\r\n`;
}

function nameFile({ instrument: { symbol }, fromMs, toMs }: TickRequest): string {
  return `${symbol}-every-tick-${formatStamp(fromMs)}-${formatStamp(toMs)}.csv`;
}
