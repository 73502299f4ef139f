import type { Feed, FeedSink, FeedSource, FetchPast } from "@/lib/feeds/feed";
import type { CreateProtocol, OpenWire, VenueTimes } from "@/lib/feeds/live/connector";
import { VenueError } from "@/lib/feeds/live/connector";
import type { FrameRecorder } from "@/lib/feeds/live/frame-recorder";
import { createMask } from "@/lib/feeds/live/mask-secrets";
import type { PriceWatch } from "@/lib/feeds/live/price-watch";
import { RetryPause } from "@/lib/feeds/live/retry-pause";
import { runConnection } from "@/lib/feeds/live/run-connection";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

/** What every live feed gets from the server. */
export interface LiveContext {
  readonly now: Clock;
  readonly monotonic: Clock;
  readonly log: Logger;
  /** From 0 up to 1; spreads the attempts to connect. */
  readonly random: () => number;
  /** Null unless what venues send is recorded. */
  readonly recorder: FrameRecorder | null;
}

export interface LiveFeedOptions extends LiveContext {
  /** The source's name. */
  readonly name: string;
  readonly times: VenueTimes;
  /** Ends a connection that has heartbeats but no prices although some are expected, as on an open market. */
  readonly prices?: PriceWatch | undefined;
  /** What the venue is signed in to with now. No status and no log line has these texts, though a venue repeats them. */
  readonly secrets?: () => readonly string[];
  readonly fetchPast?: FetchPast;
  readonly openWire: OpenWire;
  readonly createProtocol: CreateProtocol;
}

/** Creates a feed of one source that stays connected to a venue: whatever ends a connection, it connects again. */
export function createLiveFeed(options: LiveFeedOptions): Feed {
  return new LiveFeed(options);
}

class LiveFeed implements Feed {
  readonly name: string;
  readonly sources: readonly FeedSource[];
  readonly fetchPast: FetchPast | undefined;
  readonly #options: LiveFeedOptions;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: LiveFeedOptions) {
    this.name = options.name;
    this.sources = [{ name: options.name, mode: "live" }];
    this.fetchPast = options.fetchPast;
    this.#options = options;
  }

  async start(sink: FeedSink): Promise<void> {
    this.#stopping = new AbortController();
    this.#running = this.#run(sink, this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(sink: FeedSink, signal: AbortSignal): Promise<void> {
    const { name, times, random, secrets } = this.#options;
    const pause = new RetryPause(times, random);
    while (!signal.aborted) {
      const { reason, subscribedMs } = await runConnection(this.#options, sink, signal);
      if (signal.aborted) return;
      const isFinal = reason instanceof VenueError && reason.isFinal;
      const mask = createMask(secrets?.() ?? []);
      sink.status(name, isFinal ? "ended" : "disconnected", mask(reason.message));
      if (isFinal) return;
      await wait(pause.next(subscribedMs, reason instanceof VenueError ? reason.retryAfterMs : 0), signal);
    }
  }
}

/** Resolves after a time, or at once when the signal is aborted. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
