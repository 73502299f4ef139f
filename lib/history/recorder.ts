import type { Quote } from "@/lib/feeds/intake";
import type { SecondRow } from "@/lib/history/hour-columns";
import { type OpenHoursKeeper, startOfHour } from "@/lib/history/open-hours";
import { addUpdate, type FillingRow, mergeRedelivered } from "@/lib/history/second-fold";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/clock";
import { type Logger, silentLog } from "@/lib/platform/log";

/**
 * Folds every quote that is served into one row per symbol and second of broker time, and has finished rows written
 * down. A row counts as recorded once the database has acknowledged it; only then do readers see it. While the
 * database is away rows wait in memory, and prices are not held up by any of this.
 */
export interface Recorder {
  /** Hears a quote that the book has just taken; it is recorded if it is the one served. */
  onQuote(quote: Quote): void;
  /** Writes down every finished second. Rejects when the database refuses; what could not be written waits. */
  flush(): Promise<void>;
  /** Writes down what has been finished already. */
  drain(): Promise<void>;
  /** Ends every second that is still filling, and writes it down too. */
  finish(): Promise<void>;
  /** Whether rows of an hour, or of an earlier one, still wait to be written. */
  isWaiting(hourMs: number): boolean;
  /** What comes for this hour from now on is dropped; undone by `reopen`. */
  refuse(hourMs: number): void;
  reopen(hourMs: number): void;
  counts(): Readonly<RecorderCounts>;
}

export interface RecorderCounts {
  /** Rows acknowledged, a second that was written again included. */
  recorded: number;
  /** Updates that came for a second after it had been finished, and were merged into it. */
  merged: number;
  /** Seconds heard again that held nothing new. */
  repeated: number;
  /** Updates that came after their hour had been closed. */
  tooLate: number;
  /** Seconds lost because the database was away for too long, or because a price was too large. */
  dropped: number;
}

interface Options {
  readonly instruments: readonly Pick<Instrument, "symbol" | "digits">[];
  readonly openHours: Pick<OpenHoursKeeper, "readSecond" | "completeUntilMs">;
  /** Hours that were closed, by when they began. */
  readonly closedHours: Iterable<number>;
  /** The source that the book serves a symbol from. */
  readonly servedSource: (symbol: string, nowMs: number) => string | undefined;
  /** Writes rows down; resolves once they are safe. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  /** Told of rows that are safe, which must be in the open hours when it returns. */
  readonly onRecorded: (rows: readonly SecondRow[], completeUntilMs: number) => void;
  readonly marketNow: Clock;
  readonly log?: Logger;
  /** Rows kept while the database is away: about an hour of everything there is. */
  readonly maxWaiting?: number;
}

/** Where a row stands. A sealed one was handed to the database and must not change any more. */
type Phase = "filling" | "queued" | "sealed";

interface PendingRow extends FillingRow {
  phase: Phase;
}

/** One symbol. */
interface Track {
  readonly symbol: string;
  readonly scale: number;
  /** The latest second heard of. */
  current: PendingRow | null;
  /** The newest version of each second that was finished and not acknowledged. */
  readonly waiting: Map<number, PendingRow>;
}

const MAX_WAITING = 500_000;
/** Rows in one statement: a few hundred milliseconds' work for the slower database. */
const LARGEST_BATCH = 10_000;
const MAX_POINTS = 2_147_483_647;

export function createRecorder(options: Options): Recorder {
  const { openHours, servedSource, append, onRecorded, marketNow, log = silentLog, maxWaiting = MAX_WAITING } = options;
  const tracks = new Map<string, Track>(
    options.instruments.map(({ symbol, digits }) => [
      symbol,
      { symbol, scale: 10 ** digits, current: null, waiting: new Map() },
    ]),
  );
  const refused = new Set(options.closedHours);
  const counts: RecorderCounts = { recorded: 0, merged: 0, repeated: 0, tooLate: 0, dropped: 0 };
  let queue: PendingRow[] = [];
  let heard = 0;
  let heardByLastFlush = 0;
  let heardUntilMs = 0;
  let overflowing = false;

  function begin(track: Track, second: number, bid: number, ask: number): void {
    const { current } = track;
    if (bid > MAX_POINTS || ask > MAX_POINTS) return void counts.dropped++;
    if (refused.has(startOfHour(second))) return void counts.tooLate++;
    if (current !== null && second <= current.second) return addLate(track, second, bid, ask);
    if (current?.phase === "filling") end(track, current);
    track.current = firstOf(track.symbol, second, bid, ask);
  }

  /** An update for a second that was finished: another source took over whose clock is behind, or ours is ahead. */
  function addLate(track: Track, second: number, bid: number, ask: number): void {
    const waiting = track.waiting.get(second);
    const before = waiting ?? openHours.readSecond(track.symbol, second);
    if (before !== undefined) counts.merged++;
    if (waiting?.phase === "queued") return addUpdate(waiting, bid, ask);
    const row = before === undefined ? firstOf(track.symbol, second, bid, ask) : copyOf(before);
    if (before !== undefined) addUpdate(row, bid, ask);
    if (second === track.current?.second) track.current = row;
    enqueue(track, row);
  }

  /** Ends a second. One that an earlier run has recorded may be heard again. */
  function end(track: Track, row: PendingRow): void {
    const known = openHours.readSecond(track.symbol, row.second);
    if (known !== undefined) {
      const whole = mergeRedelivered(known, row);
      if (whole === null) {
        row.phase = "sealed";
        counts.repeated++;
        return;
      }
      Object.assign(row, whole);
    }
    enqueue(track, row);
  }

  function enqueue(track: Track, row: PendingRow): void {
    if (queue.length >= maxWaiting) {
      row.phase = "sealed";
      counts.dropped++;
      if (!overflowing) log.error({ maxWaiting }, "too much waits to be recorded: new seconds are lost from now on");
      overflowing = true;
      return;
    }
    row.phase = "queued";
    track.waiting.set(row.second, row);
    queue.push(row);
  }

  function endSecondsBefore(untilMs: number): void {
    for (const track of tracks.values()) {
      const { current } = track;
      if (current?.phase === "filling" && current.second * 1000 < untilMs) end(track, current);
    }
  }

  /**
   * How far the market has been heard, on its own clock. A recording may be played faster than it can be heard: its
   * clock is then ahead of what comes, and believed only in silence.
   */
  function heardUntil(): number {
    const isSilent = heard === heardByLastFlush;
    heardByLastFlush = heard;
    const nowMs = marketNow();
    return isSilent ? nowMs : Math.min(nowMs, heardUntilMs);
  }

  async function writeQueue(completeUntilMs: number): Promise<void> {
    let left = queue.length;
    while (left > 0) {
      const batch = queue.splice(0, Math.min(left, LARGEST_BATCH));
      left -= batch.length;
      for (const row of batch) row.phase = "sealed";
      try {
        await append(batch);
      } catch (error) {
        putBack(batch);
        throw error;
      }
      acknowledge(batch);
    }
    overflowing = false;
    onRecorded([], completeUntilMs);
  }

  function acknowledge(batch: readonly PendingRow[]): void {
    counts.recorded += batch.length;
    onRecorded(batch, openHours.completeUntilMs);
    for (const row of batch) {
      const { waiting } = tracks.get(row.symbol) as Track;
      if (waiting.get(row.second) === row) waiting.delete(row.second);
    }
  }

  /** A second that has grown meanwhile is queued already, with everything this version holds. */
  function putBack(batch: readonly PendingRow[]): void {
    const newest = batch.filter((row) => tracks.get(row.symbol)?.waiting.get(row.second) === row);
    for (const row of newest) row.phase = "queued";
    queue = [...newest, ...queue];
  }

  return {
    onQuote(quote) {
      const track = tracks.get(quote.instrument.symbol);
      heard++;
      if (quote.timeMs > heardUntilMs) heardUntilMs = quote.timeMs;
      if (track === undefined || servedSource(track.symbol, quote.receivedAtMs) !== quote.source) return;
      const second = Math.floor(quote.timeMs / 1000);
      const bid = Math.round(quote.bid * track.scale);
      const ask = Math.round(quote.ask * track.scale);
      const { current } = track;
      if (current !== null && current.second === second && current.phase === "filling") addUpdate(current, bid, ask);
      else begin(track, second, bid, ask);
    },

    async flush() {
      const untilMs = Math.floor(heardUntil() / 1000) * 1000;
      endSecondsBefore(untilMs);
      await writeQueue(untilMs);
    },

    drain: () => writeQueue(openHours.completeUntilMs),

    async finish() {
      endSecondsBefore(Infinity);
      await writeQueue(openHours.completeUntilMs);
    },

    isWaiting(hourMs) {
      const endSecond = hourMs / 1000 + 3_600;
      const isEarlier = (row: PendingRow | null) => row !== null && row.second < endSecond;
      if (queue.some(isEarlier)) return true;
      return Array.from(tracks.values()).some(({ current }) => current?.phase === "filling" && isEarlier(current));
    },

    refuse: (hourMs) => void refused.add(hourMs),
    reopen: (hourMs) => void refused.delete(hourMs),
    counts: () => ({ ...counts }),
  };
}

function firstOf(symbol: string, second: number, bid: number, ask: number): PendingRow {
  return { symbol, second, bid, ask, open: bid, high: bid, low: bid, updates: 1, phase: "filling" };
}

function copyOf({ symbol, second, bid, ask, open, high, low, updates }: SecondRow): PendingRow {
  return { symbol, second, bid, ask, open, high, low, updates, phase: "queued" };
}
