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

/** The port every source of prices stands behind: it hands over what it hears, unchecked, in the order it hears it. */
export interface Feed {
  readonly name: string;
  readonly sources: readonly FeedSource[];
  /** Resolves once the feed is running (not once it has a price). */
  start(sink: FeedSink): Promise<void>;
  /** After it resolves, the sink is not called again. May be called twice. */
  stop(): Promise<void>;
}
