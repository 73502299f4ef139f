import type { FeedSink } from "@/lib/feeds/feed";
import type { Connection, Protocol, Wire } from "@/lib/feeds/live/connector";
import type { LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { createMask } from "@/lib/feeds/live/mask-secrets";

interface EndedConnection {
  readonly reason: Error;
  /** For how many milliseconds the venue's subscription stood; 0 if never. */
  readonly subscribedMs: number;
}

/** Opens one connection, passes its prices to the sink, and resolves once it has ended. Never rejects. */
export function runConnection(options: LiveFeedOptions, sink: FeedSink, signal: AbortSignal): Promise<EndedConnection> {
  return new Promise((resolve) => new OneConnection(options, sink, signal, resolve));
}

class OneConnection implements Connection {
  readonly now: LiveFeedOptions["now"];
  readonly #options: LiveFeedOptions;
  readonly #sink: FeedSink;
  readonly #signal: AbortSignal;
  readonly #onEnd: (ended: EndedConnection) => void;
  readonly #silence: NodeJS.Timeout;
  readonly #protocol: Protocol;
  readonly #wire: Wire;
  readonly #abort = () => {
    this.#guard(() => this.#protocol.stopping?.());
    this.#end(new Error("stopped"));
  };
  readonly #priceSilence: NodeJS.Timeout | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #subscribedAtMs: number | null = null;
  #hasEnded = false;

  constructor(options: LiveFeedOptions, sink: FeedSink, signal: AbortSignal, onEnd: (ended: EndedConnection) => void) {
    this.now = options.now;
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#onEnd = onEnd;
    const { silenceMs } = options.times;
    this.#silence = setTimeout(() => this.#end(new Error(`nothing arrived for ${silenceMs} ms`)), silenceMs);
    const { prices } = options;
    if (prices !== undefined) {
      this.#priceSilence = setInterval(() => {
        if (prices.areExpected()) this.#end(new Error(`no price for ${prices.silenceMs} ms`));
      }, prices.silenceMs);
    }
    this.#protocol = options.createProtocol(this);
    this.#wire = options.openWire({
      opened: () => this.#guard(() => this.#opened()),
      received: (data) => this.#guard(() => this.#received(data)),
      alive: () => void this.#silence.refresh(),
      closed: (reason) => this.#end(reason),
    });
    signal.addEventListener("abort", this.#abort);
    if (signal.aborted) this.#abort();
  }

  send(data: string | Buffer): void {
    if (this.#hasEnded) return;
    this.#options.recorder?.record(this.#options.name, "sent", data, this.now());
    this.#wire.send(data);
  }

  subscribed(detail?: string): void {
    if (this.#subscribedAtMs !== null || this.#hasEnded) return;
    this.#subscribedAtMs = this.#options.monotonic();
    this.#sink.status(this.#options.name, "connected", detail);
  }

  price(venueSymbol: string, bid: number, ask: number, venueTimeMs: number | null): void {
    // The sink may have stopped the feed while a message with several prices is read.
    if (this.#hasEnded) return;
    this.#priceSilence?.refresh();
    const receivedAtMs = this.now();
    const brokerTimeMs = venueTimeMs ?? receivedAtMs;
    this.#sink.tick({ source: this.#options.name, brokerSymbol: venueSymbol, bid, ask, brokerTimeMs, receivedAtMs });
  }

  warn(problem: string): void {
    const { log, name, secrets } = this.#options;
    log.warn({ source: name, problem: createMask(secrets?.() ?? [])(problem) }, "The venue reported a problem");
  }

  #opened(): void {
    this.#silence.refresh();
    this.#options.recorder?.record(this.#options.name, "opened", "", this.now());
    this.#protocol.opened();
    const { keepAlive } = this.#protocol;
    if (keepAlive === undefined || this.#hasEnded) return;
    this.#keepAlive = setInterval(() => this.#guard(() => keepAlive.send()), keepAlive.everyMs);
  }

  #received(data: string | Buffer): void {
    this.#silence.refresh();
    this.#options.recorder?.record(this.#options.name, "received", data, this.now());
    this.#protocol.received(data);
  }

  /** What a protocol throws ends its connection, not the process. */
  #guard(work: () => void): void {
    if (this.#hasEnded) return;
    try {
      work();
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #end(reason: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#silence);
    clearInterval(this.#priceSilence);
    clearInterval(this.#keepAlive);
    this.#signal.removeEventListener("abort", this.#abort);
    this.#wire?.destroy();
    const { monotonic } = this.#options;
    this.#onEnd({ reason, subscribedMs: this.#subscribedAtMs === null ? 0 : monotonic() - this.#subscribedAtMs });
  }
}
