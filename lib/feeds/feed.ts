import type { DataMode, Tick } from "@/lib/market/tick";

/** One broker a feed speaks for. */
export interface FeedSource {
  /** Lower case letters, digits and dashes: it appears in answers as `source` and `broker`. */
  readonly name: string;
  readonly mode: DataMode;
}

export interface FeedSink {
  tick(tick: Tick): void;
  /** Connection news, for the log and the health report; never touches a price's age. */
  status(source: string, status: "connected" | "disconnected" | "ended", detail?: string): void;
}

/** A price of the past. */
export interface PastPrice {
  /** UTC milliseconds: the beginning of the step that this price stands for. */
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
  /** How many prices the source sent in that step, or about so many. */
  readonly updates: number;
}

/** The port every source of prices stands behind: it hands over what it hears, unchecked, in the order it hears it. */
export interface Feed {
  readonly name: string;
  readonly sources: readonly FeedSource[];
  /** Resolves once the feed is running (not once it has a price). */
  start(sink: FeedSink): Promise<void>;
  /** After it resolves, the sink is not called again. May be called twice. */
  stop(): Promise<void>;
  /**
   * What a source's prices were, for feeds that can tell: oldest first, from `fromMs` up to but not at `toMs`, at whole
   * multiples of `stepMs`, without the steps in which the market was closed or nothing was sent. Empty where the source
   * does not quote the (canonical) symbol. Answers without being started.
   */
  history?(symbol: string, source: string, fromMs: number, toMs: number, stepMs: number): Iterable<PastPrice>;
}
