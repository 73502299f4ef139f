import { ApiError, ConnectionError, type ErrorCode, readErrorBody } from "./errors.js";
import type { Time } from "./pages.js";
import { PriceState, type PriceUpdate } from "./price-state.js";
import { ReplayCheck, ReplayError, type ReplaySummary } from "./replay-check.js";
import { computeRetryDelay, sleep } from "./retry.js";
import { readEvents } from "./stream-connection.js";
import { formatTarget } from "./target.js";
import type { Transport } from "./transport.js";

export interface StreamOptions {
  /** Every symbol that the key may read when left out. */
  readonly symbols?: readonly string[] | undefined;
  /** The only fields of each quote beside its symbol; the others are undefined then. */
  readonly fields?: readonly ("bid" | "ask" | "spread" | "spread_pips" | "timestamp" | "source")[] | undefined;
  /** Each source's own quote in place of the served one, under "EURUSD icmarkets". */
  readonly sources?: "all" | readonly string[] | undefined;
  /** Adds the bar of each second. */
  readonly bars?: "1s" | undefined;
  /** Adds released figures: "all", or impacts and currencies such as "high" and "USD". */
  readonly events?: "all" | readonly string[] | undefined;
  /**
   * Begins in the past, with what was recorded from this second on; the iteration ends at `to`. Without `to`, or with one
   * in the future, the stream becomes live.
   */
  readonly from?: Time | undefined;
  readonly to?: Time | undefined;
  /** Recorded seconds in each second; "max", as fast as this program reads, by default. */
  readonly speed?: number | "max" | undefined;
  /** "tick" for every tick of the past where the server keeps them; "1s", the last price of each second, by default. */
  readonly resolution?: "1s" | "tick" | undefined;
  /** Ends the stream; the iteration then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long a connection may be silent before it counts as lost, in milliseconds; 30,000 by default. */
  readonly idleMs?: number | undefined;
  /** Called when a connection is lost, with the wait before the next: until then the prices are not followed. */
  readonly onDisconnect?: ((reason: Error, waitMs: number) => void) | undefined;
}

const IDLE_MS = 30_000;
/** How long to wait after a connection that ended without a word. */
const RECONNECT_MS = 2_000;

/**
 * The prices of several symbols. Iterating over it connects, and connects again with the last position whenever the
 * connection is lost, until you stop, or the server ends it for a reason that does not pass.
 */
export class PriceStream implements AsyncIterable<PriceUpdate> {
  readonly #transport: Transport;
  readonly #options: StreamOptions;
  readonly #state: PriceState;
  readonly #closing = new AbortController();
  #isStarted = false;
  #isConnected = false;
  #replayed: ReplaySummary | null = null;
  #isDone = false;

  constructor(transport: Transport, options: StreamOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#state = new PriceState(options.sources !== undefined);
  }

  /** The newest quote of each symbol, or of each symbol and source. While `connected` is false, they may be older than the server's. */
  get quotes() {
    return this.#state.quotes as ReadonlyMap<string, PriceUpdate["quotes"][number]>;
  }

  get states() {
    return this.#state.states as ReadonlyMap<string, PriceUpdate["states"][number]>;
  }

  get connected(): boolean {
    return this.#isConnected;
  }

  /** How much of the past was sent, once it is over: everything after it is live. Null before, and without `from`. */
  get replayed(): ReplaySummary | null {
    return this.#replayed;
  }

  /** The position up to which everything is here; null before the first update. */
  get position(): string | null {
    return this.#state.position;
  }

  /** Ends the iteration. */
  close(): void {
    this.#closing.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PriceUpdate, void, undefined> {
    if (this.#isStarted) throw new Error("A stream can be read once.");
    this.#isStarted = true;
    const { signal } = this.#options;
    const either = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    let failures = 0;
    try {
      for (;;) {
        const outcome = { waitMs: RECONNECT_MS, reason: new ConnectionError("The server closed the stream.") as Error };
        try {
          for await (const update of this.#connect(either, outcome)) {
            failures = 0;
            yield update;
          }
        } catch (error) {
          either.throwIfAborted();
          outcome.reason = error as Error;
          outcome.waitMs = this.#findDelay(error, failures++);
        }
        if (this.#isDone) return;
        this.#options.onDisconnect?.(outcome.reason, outcome.waitMs);
        await sleep(outcome.waitMs, either);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.#closing.signal.aborted) throw error;
    } finally {
      this.#closing.abort();
    }
  }

  async *#connect(signal: AbortSignal, outcome: { waitMs: number; reason: Error }): AsyncGenerator<PriceUpdate> {
    const { symbols, fields, sources, bars, events, from, to, speed, resolution, idleMs = IDLE_MS } = this.#options;
    const check = new ReplayCheck();
    const { position } = this.#state;
    const headers = { Accept: "text/event-stream", ...(position === null ? {} : { "Last-Event-ID": position }) };
    const chosen = { symbols, fields, sources, bars, events, from, to, speed, resolution };
    const target = formatTarget("/v1/stream", chosen);
    const response = await this.#transport.open({ method: "GET", target, headers }, signal);
    this.#isConnected = true;
    try {
      for await (const event of readEvents(response, idleMs)) {
        if (event.retryMs !== null) outcome.waitMs = event.retryMs;
        if (event.name === "end") {
          outcome.reason = readEnd(event.data, response.headers);
          // The server stops, and another takes its place.
          if ((outcome.reason as ApiError).code !== "SERVICE_UNAVAILABLE") throw outcome.reason;
          return;
        }
        if (from !== undefined && this.#replayed === null) this.#replayed = check.take(event);
        if (event.name === "done") {
          this.#isDone = true;
          return;
        }
        const update = this.#state.take(event);
        if (update !== null) yield update;
      }
    } finally {
      this.#isConnected = false;
      this.#state.dropIncomplete();
    }
  }

  /** How long to wait after a failure, in milliseconds. Throws the failure if waiting does not help. */
  #findDelay(failure: unknown, failures: number): number {
    if (failure instanceof ReplayError) throw failure;
    const isLost = !(failure instanceof ApiError);
    // What fetch throws while a body is read is a lost connection, whatever its class.
    const reason = isLost ? new ConnectionError("The connection was lost.", { cause: failure }) : failure;
    const waitMs = computeRetryDelay(reason, failures, this.#transport.retry, Math.random());
    if (waitMs === null) throw failure;
    return waitMs;
  }
}

function readEnd(data: string, headers: Headers): ApiError {
  const { code, message, fields } = readErrorBody(data) ?? {
    code: "UNKNOWN" as ErrorCode,
    message: "The server ended the stream.",
    fields: {},
  };
  return new ApiError(message, {
    code,
    status: null,
    requestId: headers.get("x-request-id"),
    fields,
    retryAfterMs: null,
  });
}
