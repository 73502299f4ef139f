import { crc32 } from "node:zlib";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { PriceStreams } from "@/lib/api/stream/price-streams";
import { CALL, createReader, KEY, NO_EVENTS } from "@/lib/api/stream/price-streams.fixture";
import { Replay, type ReplayRange } from "@/lib/api/stream/replay";
import { eventFormat, type StreamFormat } from "@/lib/api/stream/stream-format";
import { PLAIN_OPTIONS, type StreamOptions } from "@/lib/api/stream/stream-options";
import { createBook } from "@/lib/book/book";
import type { PastRelease } from "@/lib/calendar/event-rows";
import type { SourceGap } from "@/lib/feeds/feed";
import { AsOf } from "@/lib/history/as-of/as-of";
import { BookLog } from "@/lib/history/as-of/book-log";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { toKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { TapeWriter } from "@/lib/history/tapes/tape-writer";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";

/** A Wednesday. */
export const START = Date.parse("2026-03-04T10:00:00Z") / 1000;
export const SOURCES = [
  { name: "alpha", mode: "live" },
  { name: "beta", mode: "live" },
  { name: "gamma", mode: "simulated" },
] as const;

/** A market whose quotes are in a book, in live streams and in the log of a database, with a clock that the test moves. */
export function setUpMarket({ pool }: Pick<Database, "pool">, startMs = START * 1000, keptNames: string[] = []) {
  const clock = { nowMs: startMs };
  const marketNow = () => clock.nowMs;
  const book = createBook({ sources: SOURCES, now: marketNow });
  const bookLog = new BookLog({ pool, findGapMs: book.findGapMs, marketNow, log: silentLog });
  const kept = toKeptTicks(keptNames);
  const tapes = new TapeWriter({ pool, kept, servedSource: book.servedSource, marketNow, log: silentLog });
  const keeper = new HistoryKeeper({ pool, instruments, sources: SOURCES, marketNow });
  const createAsOf = () =>
    new AsOf({
      ...{ pool, read: (work) => work(pool), history: keeper.history, listSources: () => SOURCES, marketNow },
      ...{ sessions: { openAt: getOpenSessions }, origins: { findMode: () => "live" } },
    });
  const releases: PastRelease[] = [];
  const gaps: SourceGap[] = [];
  const isWithin = (atMs: number, [afterMs, untilMs]: readonly [number, number]) => atMs > afterMs && atMs <= untilMs;
  const monotonic = () => performance.now();
  const streams = new PriceStreams({
    ...{ book, calendar: NO_EVENTS, gaps: { ended: [] }, instruments, marketNow, monotonic, isStale: () => false },
  });
  const createReplay = (chosen: Partial<ReplayRange>) => {
    const range: ReplayRange = { from: START, to: Infinity, speed: Infinity, resolution: "1s", ...chosen };
    const { changes, ticks } = createAsOf();
    return new Replay({
      ...{ range, past: range.resolution === "tick" ? ticks : changes },
      readNotKept: async (symbols) => (await ticks.readKept(range.from, range.to, symbols)).notKept,
      listSources: () => SOURCES,
      readReleases: async (...span) => releases.filter(({ atMs }) => isWithin(atMs, span)),
      readGaps: async (...span) => gaps.filter(({ toMs }) => isWithin(toMs, span)),
      ...{ marketNow, monotonic, log: silentLog },
    });
  };
  const admit = (
    range: Partial<ReplayRange>,
    symbols: readonly string[],
    options: StreamOptions = PLAIN_OPTIONS,
    key: KeyEntry = KEY,
  ) => ({ stream: streams.admit({ key, call: CALL }, symbols, options, createReplay(range)) });
  return {
    ...{ admit, clock, book, bookLog, tapes, keeper, streams, releases, gaps, createAsOf },
    quote(source: string, symbol: string, bid: number, spread = 0.0002, lagMs = 30) {
      const instrument = instrumentBySymbol.get(symbol) as Instrument;
      const round = (price: number) => Number(price.toFixed(instrument.digits));
      const prices = { bid: round(bid), ask: round(bid + spread) };
      const quote = { source, instrument, ...prices, timeMs: clock.nowMs - lagMs, receivedAtMs: clock.nowMs };
      book.accept(quote);
      bookLog.onQuote(quote);
      tapes.onQuote(quote);
      streams.onQuote(quote);
    },
    async flush() {
      await bookLog.flush(FIRST_FENCE);
      await tapes.flush(FIRST_FENCE);
    },
    /** Replays a range to its end, or to the live stream. */
    replay(
      range: Partial<ReplayRange>,
      symbols: readonly string[],
      options: StreamOptions = PLAIN_OPTIONS,
      { format = eventFormat, position = null as string | null, key = KEY as KeyEntry } = {},
    ) {
      const client = createReader(format as StreamFormat);
      const { stream } = admit(range, symbols, options, key);
      stream.open(client.reader, position);
      return { client, stream };
    },
  };
}

export interface Batch {
  readonly id: string;
  /** The events as they were sent, without the position. */
  readonly events: readonly string[];
}

/** The events of a stream, by the position that ends them; without heartbeats and the announcements of a replay. */
export function readBatches(text: string): Batch[] {
  const batches: Batch[] = [];
  let events: string[] = [];
  for (const event of text.split("\n\n").slice(0, -1)) {
    if (/^(retry:|event: (heartbeat|replay|live|done))/.test(event)) continue;
    const id = /^id: (.*)$/m.exec(event)?.[1];
    events.push(event.replace(/^id: .*\n/m, ""));
    if (id === undefined) continue;
    batches.push({ id, events });
    events = [];
  }
  return batches;
}

/** The data of the first event of a name. */
export function readEvent(text: string, name: string): Record<string, unknown> | undefined {
  const data = new RegExp(`event: ${name}\ndata: (.*)`).exec(text)?.[1];
  return data === undefined ? undefined : (JSON.parse(data) as Record<string, unknown>);
}

/** What a client counts and computes of a stream up to the event that says how much was sent. */
export function summarise(text: string): { changes: number; crc32: string } {
  const counted = text
    .split("\n\n")
    .slice(0, -1)
    .filter((event) => !/^(retry:|event: (heartbeat|replay))/.test(event));
  const end = counted.findIndex((event) => /^event: (live|done)$/m.test(event));
  const events = counted.slice(0, end);
  const changes = events.filter((event) => !/^event: snapshot$/m.test(event)).length;
  return {
    changes,
    crc32: crc32(Buffer.from(events.map((event) => `${event}\n\n`).join(""), "latin1"))
      .toString(16)
      .padStart(8, "0"),
  };
}
