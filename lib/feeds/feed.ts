import type { DataMode, Tick } from "@/lib/market/tick";

/** One broker that a feed reports prices of. */
export interface FeedSource {
  /** Lower-case letters, digits and dashes: answers show it as `source` and `broker`. */
  readonly name: string;
  readonly mode: DataMode;
}

export interface FeedSink {
  tick(tick: Tick): void;
  /** A change of the connection, for the log and the health report; never changes the age of a price. */
  status(source: string, status: "connected" | "disconnected" | "ended", detail?: string): void;
}

/** A price of the past. */
export interface PastPrice {
  /** UTC milliseconds: the beginning of the step. */
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
  /** How many prices the source sent in that step; may be an estimate. */
  readonly updates: number;
}

/** A source of prices. It reports unchecked ticks in the order in which they arrive. */
export interface Feed {
  readonly name: string;
  readonly sources: readonly FeedSource[];
  /** Resolves once the feed is running (not once it has a price). */
  start(sink: FeedSink): Promise<void>;
  /** After it resolves, the sink is not called again. May be called twice. */
  stop(): Promise<void>;
  /**
   * A source's past prices, for feeds that have them: oldest first, from `fromMs` up to but not at `toMs`, at whole
   * multiples of `stepMs`, without the steps in which the market was closed or nothing was sent. Empty if the source
   * does not quote the (canonical) symbol. Can be called before `start`.
   */
  history?(symbol: string, source: string, fromMs: number, toMs: number, stepMs: number): Iterable<PastPrice>;
}
