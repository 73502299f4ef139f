import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Verdict } from "@/lib/access/admission/windows";
import { STREAM_CREDITS_PER_MINUTE } from "@/lib/access/plans";
import { ApiError } from "@/lib/api/engine/errors";
import { createDayError, createKeyDayError, createMinuteError } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { STALE_PRICES } from "@/lib/api/engine/stale-prices";
import { PriceChanges, type SymbolGroup } from "@/lib/api/stream/price-changes";
import { MAX_STUCK_MS, PriceStream, type StreamOwner } from "@/lib/api/stream/price-stream";
import type { Replay } from "@/lib/api/stream/replay";
import { createStreamsError, stream as endpoint, findRefusal, pastStream } from "@/lib/api/stream/stream";
import type { StreamFormat } from "@/lib/api/stream/stream-format";
import { PLAIN_OPTIONS, type StreamOptions } from "@/lib/api/stream/stream-options";
import type { Book } from "@/lib/book/book";
import type { Calendar } from "@/lib/calendar/calendar";
import type { UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import type { Instrument } from "@/lib/market/instrument";
import { inBackground } from "@/lib/platform/faults";
import type { Clock } from "@/lib/platform/timing/clock";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { MINUTE_MS } from "@/lib/time/units";

interface Options {
  readonly book: Pick<Book, "served" | "servedSource" | "sources">;
  readonly calendar: Pick<Calendar, "query">;
  readonly gaps: Pick<UnfilledGaps, "ended">;
  readonly instruments: readonly Instrument[];
  readonly marketNow: Clock;
  readonly monotonic: Clock;
  /** Whether the prices are too old to be served, because this process lacks changes of its writer. */
  readonly isStale: () => boolean;
  /** Counts the streams of each key; by default those of this process alone. */
  readonly slots?: StreamSlots;
  /** Shorter in tests. */
  readonly maxStuckMs?: number;
}

/** A new quote of one source. */
interface NewQuote {
  readonly instrument: Pick<Instrument, "symbol">;
  readonly source: string;
  readonly bid: number;
}

/** What is done for every open stream a few times a second: its key is checked, and its minutes are paid. */
type Upkeep = (streams: ReadonlySet<PriceStream>) => void;

/** Changes are collected for at least this time, which one write to a connection then carries. */
const MIN_GAP_MS = 20;
const MAX_GAP_MS = 250;
/** Streams get at most about a third of the time of the process, so that calls are answered beside them. */
const REST_PER_WORK = 2;
/** How long one turn of the event loop may write to streams. */
const TURN_MS = 3;
const UPKEEP_MS = 200;
const HEARTBEAT_MS = 10_000;
/** A lost change is replaced by a snapshot within a moment; streams end when that takes longer. */
const MAX_STALE_MS = 1_000;
/** Within this time readers come back after the end of a server, each at a random moment. */
const RETRY_MS = { least: 1_000, most: 5_000 } as const;

/** The open streams of a server. Timers run only while there are any. */
export class PriceStreams {
  readonly #options: Options;
  readonly #changes: PriceChanges;
  readonly #slots: StreamSlots;
  readonly #open = new Set<PriceStream>();
  readonly #changed = new Set<string>();
  #upkeep: Upkeep = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isWriting = false;
  #nextRoundMs = 0;
  #maintenance: NodeJS.Timeout | undefined;
  #heartbeatAtMs = 0;
  #staleSinceMs: number | null = null;
  #ended: ApiError | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#slots = options.slots ?? countLocalStreams();
    this.#changes = new PriceChanges(options, listSymbols(options));
  }

  /** Sets what keeps the streams in order. It needs the services, which have these streams. */
  maintain(upkeep: Upkeep): void {
    this.#upkeep = upkeep;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Counts one more stream of a key, before it is admitted. Throws 429 TOO_MANY_STREAMS, or 503 while the server stops or
   * its prices are too old. A promise where processes count their streams together.
   */
  reserve(key: KeyEntry): void | Promise<void> {
    const reason = this.#findReason();
    if (reason !== null) throw reason;
    const taken = this.#slots.take(key);
    return mapMaybeAsync<boolean, void>(taken, (isTaken) => {
      if (!isTaken) throw createStreamsError(key);
    });
  }

  /** To be called when the catalog has changed, before the prices of new instruments. */
  readonly onInstruments = (): void => this.#changes.list(listSymbols(this.#options));

  /** Admits a stream that was reserved: it must be opened or closed. Throws 503 like `reserve`. */
  admit(
    owner: StreamOwner,
    symbols: readonly string[] | SymbolGroup,
    chosen: StreamOptions = PLAIN_OPTIONS,
    replay: Replay | null = null,
  ): PriceStream {
    const reason = this.#findReason();
    if (reason !== null) {
      this.#slots.free(owner.key);
      throw reason;
    }
    // Nothing was read while no stream was open.
    const nowMs = this.#options.marketNow();
    this.#changes.addReader(chosen, nowMs);
    this.#changes.read(nowMs);
    const stream = new PriceStream(owner, {
      changes: this.#changes,
      set: this.#changes.select(symbols, chosen),
      replay,
      paidUntilMs: this.#options.monotonic() + MINUTE_MS,
      onClose: (closed) => this.#remove(closed),
    });
    this.#open.add(stream);
    this.#maintenance ??= setInterval(() => this.#maintain(), UPKEEP_MS);
    this.#schedule();
    return stream;
  }

  /** To be called when the book has a new quote of a symbol. */
  readonly onQuote = ({ instrument, source, bid }: NewQuote): void => {
    this.#addToBar(instrument.symbol, source, bid);
    if (this.#open.size === 0) return;
    this.#changed.add(instrument.symbol);
    this.#schedule();
  };

  /** Bars are made of the prices that are served. */
  #addToBar(symbol: string, source: string, bid: number): void {
    const { book, marketNow } = this.#options;
    const { bars } = this.#changes;
    const nowMs = marketNow();
    if (bars.isNeeded(nowMs) && book.servedSource(symbol, nowMs) === source) bars.onPrice(symbol, bid, nowMs);
  }

  /** Ends every stream with 503, and admits no more. */
  endAll(): void {
    this.#ended = new ApiError("SERVICE_UNAVAILABLE", "The server stops. Connect again.");
    this.#endOpen(this.#ended);
  }

  /** Returns why no stream may begin now; null if one may. */
  #findReason(): ApiError | null {
    return this.#ended ?? (this.#options.isStale() ? STALE_PRICES : null);
  }

  #endOpen(reason: ApiError): void {
    for (const stream of this.#open) stream.end(reason, chooseRetry());
  }

  #remove(stream: PriceStream): void {
    this.#open.delete(stream);
    this.#changes.removeReader(stream.options, this.#options.marketNow());
    this.#slots.free(stream.owner.key);
    if (this.#open.size > 0) return;
    clearInterval(this.#maintenance);
    clearTimeout(this.#timer);
    this.#maintenance = this.#timer = undefined;
    this.#changed.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isWriting || this.#open.size === 0) return;
    const waitMs = Math.max(0, this.#nextRoundMs - this.#options.monotonic());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startRound(this.#changed);
    }, waitMs);
  }

  #startRound(symbols?: Iterable<string>): void {
    this.#changes.read(this.#options.marketNow(), symbols);
    this.#changed.clear();
    this.#isWriting = true;
    this.#takeTurn([...this.#open], 0, 0);
  }

  /** Writes to streams for a short time, then lets calls be answered before the next ones. */
  #takeTurn(streams: readonly PriceStream[], first: number, workedMs: number): void {
    const { monotonic, maxStuckMs = MAX_STUCK_MS } = this.#options;
    const startedAtMs = monotonic();
    let [index, nowMs] = [first, startedAtMs];
    while (index < streams.length && nowMs - startedAtMs < TURN_MS) {
      streams[index++]?.flush(nowMs, maxStuckMs);
      if (index % 8 === 0) nowMs = monotonic();
    }
    const workMs = workedMs + monotonic() - startedAtMs;
    if (index < streams.length) {
      setImmediate(() => this.#takeTurn(streams, index, workMs));
      return;
    }
    this.#isWriting = false;
    this.#changes.forgetWritten();
    this.#nextRoundMs = monotonic() + Math.min(MAX_GAP_MS, Math.max(MIN_GAP_MS, REST_PER_WORK * workMs));
    if (this.#changed.size > 0) this.#schedule();
  }

  /** Finds states that changed by time alone, and readers that have caught up. */
  #maintain(): void {
    this.#upkeep(this.#open);
    const nowMs = this.#options.monotonic();
    this.#staleSinceMs = this.#options.isStale() ? (this.#staleSinceMs ?? nowMs) : null;
    if (this.#staleSinceMs !== null && nowMs - this.#staleSinceMs >= MAX_STALE_MS) this.#endOpen(STALE_PRICES);
    if (nowMs >= this.#heartbeatAtMs) {
      this.#heartbeatAtMs = nowMs + HEARTBEAT_MS;
      this.#beat();
    }
    if (this.#isWriting || this.#open.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#startRound();
  }

  #beat(): void {
    const time = new Date(Math.floor(this.#options.marketNow())).toISOString();
    const written = new Map<StreamFormat, Buffer>();
    const select = (format: StreamFormat): Buffer => {
      const bytes = written.get(format) ?? Buffer.from(format.heartbeat(time), "latin1");
      written.set(format, bytes);
      return bytes;
    };
    for (const stream of this.#open) stream.sendBeside(select);
  }
}

function listSymbols({ instruments }: Pick<Options, "instruments">): string[] {
  return instruments.map(({ symbol }) => symbol);
}

/** When a reader should connect again, in milliseconds. */
function chooseRetry(): number {
  return Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
}

/** Counts the open streams of each key. */
export interface StreamSlots {
  /** Counts one more stream; false, counting nothing, if the key has as many as it may have. */
  take(key: KeyEntry): boolean | Promise<boolean>;
  /** Counts one less. */
  free(key: KeyEntry): void;
}

/** Counts by this process alone. */
function countLocalStreams(): StreamSlots {
  const counts = new Map<KeyEntry, number>();
  return {
    take(key) {
      const count = counts.get(key) ?? 0;
      if (count >= key.entitlements.streams) return false;
      counts.set(key, count + 1);
      return true;
    },
    free(key) {
      const count = (counts.get(key) ?? 1) - 1;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}

/** A minute that the limit of its key's calls holds up is tried again for this long. */
const MAX_UNPAID_MS = 2 * MINUTE_MS;

/** Ends the streams whose key may not have them any more, and counts a call for each further minute of the others. */
export function createUpkeep(services: Services, monotonic: Clock) {
  return (streams: ReadonlySet<PriceStream>): void => {
    const counts = new Map<KeyEntry, number>();
    for (const stream of streams) {
      const { key } = stream.owner;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const refusal = findRefusal(stream, stream.isPast ? pastStream : endpoint, services);
      if (refusal !== null) stream.end(refusal, chooseRetry());
      else if (count > key.entitlements.streams) stream.end(createStreamsError(key), MINUTE_MS);
      else if (monotonic() >= stream.paidUntilMs && !stream.isPaying) {
        inBackground(pay(stream), services.log, "counting a minute of a stream");
      }
    }
  };

  async function pay(stream: PriceStream): Promise<void> {
    const { key } = stream.owner;
    const credits = stream.isPast ? pastStream.weight : STREAM_CREDITS_PER_MINUTE;
    stream.isPaying = true;
    try {
      settle(stream, credits, await services.windows.count(key, credits, services.now()));
    } catch (error) {
      services.log.error({ err: error }, "a minute of a stream could not be counted");
    } finally {
      stream.isPaying = false;
    }
  }

  function settle(stream: PriceStream, credits: number, verdict: Verdict): void {
    const { key, call } = stream.owner;
    const nowMs = services.now();
    if (verdict === "counted") {
      stream.paidUntilMs += MINUTE_MS;
      services.usage.count(key, endpoint.path, 200, credits, call, nowMs);
    } else if (verdict === "day used up") stream.end(createDayError(nowMs), MINUTE_MS);
    else if (verdict === "key day used up") stream.end(createKeyDayError(key, nowMs), MINUTE_MS);
    else if (monotonic() >= stream.paidUntilMs + MAX_UNPAID_MS) stream.end(createMinuteError(key, nowMs), MINUTE_MS);
  }
}
