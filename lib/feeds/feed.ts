import type { DataMode, Tick } from "@/lib/market/bar";
import type { TradingHours } from "@/lib/market/instrument";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import type { Clock } from "@/lib/platform/timing/clock";

/** One broker that a feed reports prices of. */
export interface FeedSource {
  /** Lower-case letters, digits and dashes: answers show it as `source` and `broker`. */
  readonly name: string;
  readonly mode: DataMode;
  /** When this source trades, if not at the usual hours of each instrument. */
  readonly hours?: TradingHours | undefined;
}

/** The quotes of one symbol from one source, where they are named beside whole sources. No source's name has a space. */
export function nameQuote(source: string, symbol: string): string {
  return `${source} ${symbol}`;
}

export interface FeedSink {
  tick(tick: Tick): void;
  /** A change of the connection, for the log and the health report; never changes the age of a price. */
  status(source: string, status: "connected" | "disconnected" | "ended", detail?: string): void;
  /**
   * What a source says of its symbols, before it sends their prices. Resolves once those that the catalog lacks are in it,
   * or cannot be: that is logged, and tried again with the source's next list. Never rejects.
   */
  symbols?(source: string, facts: readonly SymbolFacts[]): Promise<void>;
  /** Resolves once what was sent is stored. A feed that can be faster than its market awaits it between hours. */
  stored?(): Promise<void>;
  /** The feed cannot go on. It is stopped, and a new one is started after a pause. */
  failed?(error: unknown): void;
}

/** A price of the past. */
export interface PastPrice {
  /** UTC milliseconds: the beginning of the step, or the last second of a venue's candle. */
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
  /** How many prices the source sent in that step; may be an estimate. */
  readonly updates: number;
}

/**
 * Fetches a source's prices of the past from its venue: oldest first, from `fromMs` up to but not at `toMs` (UTC
 * milliseconds), one for each step of the venue in which it sent a price. `symbol` is canonical, or the broker's
 * spelling. Yields nothing if the source does not quote the symbol. Throws a VenueError if the venue refuses, and
 * an Error if the signal is aborted. Can be called before `start`.
 */
export type FetchPast = (symbol: string, fromMs: number, toMs: number, signal: AbortSignal) => AsyncIterable<PastPrice>;

/**
 * A source of prices. It reports unchecked ticks in the order in which they arrive.
 *
 * A venue's snapshot, such as the last price that it sends to every new connection, is a tick only if it has the venue's
 * own time: the intake then judges its age by that time. A feed drops a snapshot without one, because the time of its
 * receipt would make an old price young. An update that the venue sends when its price changes may carry its receipt as
 * its time if the venue sends none.
 */
export interface Feed {
  readonly name: string;
  readonly sources: readonly FeedSource[];
  /** The symbols that it asks for, in the broker's spelling; undefined if they are not known before it runs. */
  readonly symbols?: readonly string[] | undefined;
  /** The clock of its prices, if that is not the present: only a replay at its own time has one. */
  readonly ownClock?: Clock | undefined;
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
  /** For feeds whose venue serves the past over the network; their step is the venue's own. */
  readonly fetchPast?: FetchPast | undefined;
}

/** Why a source sent no prices: its connection, an operator, a change of its settings, or no server ran. */
export type GapReason = "disconnected" | "paused" | "reloaded" | "stopped";

/** A time without prices of a source although a market of it was open. Plain data, times in UTC milliseconds. */
export interface SourceGap {
  readonly source: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: GapReason;
}

/** What an operator is shown of the gaps of one source that are not filled. */
export interface GapSummary {
  readonly count: number;
  /** Newest first. */
  readonly latest: readonly SourceGap[];
}
