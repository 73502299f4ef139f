import type { CallToCount, CountAnswer, ReturnedCalls } from "@/lib/access/admission/call-counter";
import type { Counters } from "@/lib/access/admission/windows";
import type { Traffic } from "@/lib/access/usage/traffic";
import type { Health } from "@/lib/api/service/health-check";
import type { FeedSource } from "@/lib/feeds/feed";
import type { TerminalState } from "@/lib/feeds/mt5/terminals";
import type { SetChange } from "@/lib/feeds/set/feed-set";
import type { SourceState } from "@/lib/feeds/set/source-state";
import type { BackfillProgress } from "@/lib/history/backfill/backfill";
import type { SecondRow } from "@/lib/history/hour-columns";
import { fromStoredDigits } from "@/lib/history/points";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import type { Instrument } from "@/lib/market/instrument";
import type { EndpointCounts } from "@/lib/platform/metrics/call-counts";
import type { Vitals } from "@/lib/platform/vitals";

/**
 * The messages between the writer, which receives and records prices, and its readers: the process that renders the
 * pages, because rendering would block calls for milliseconds, and the processes that answer calls beside it.
 */

/** One price that the writer's book accepted. Times in UTC milliseconds. */
export type QuoteMessage = readonly [
  source: string,
  symbol: string,
  bid: number,
  ask: number,
  timeMs: number,
  /** In a snapshot, the usual pause between the updates; a writer of an earlier version leaves it out. */
  gapMs?: number,
];

/** One recorded second, see SecondRow. Prices in points. */
export type SecondMessage = readonly [
  symbol: string,
  second: number,
  bid: number,
  ask: number,
  open: number,
  high: number,
  low: number,
  updates: number,
  /** The digits of the prices; a writer of an earlier version leaves it out. */
  digits?: number,
];

export type Change =
  | { readonly type: "quotes"; readonly quotes: readonly QuoteMessage[] }
  /** The list of sources has changed. The dropped quotes, of sources or as of `nameQuote`, must not be shown any more. */
  | { readonly type: "sources"; readonly sources: readonly FeedSource[]; readonly dropped: readonly string[] }
  /** Instruments were added or changed, or are in the catalog no more. */
  | { readonly type: "instruments"; readonly put: readonly Instrument[]; readonly dropped: readonly string[] }
  | HistoryChange;

export type HistoryChange =
  /** Seconds that were recorded, and the moment up to which recording is complete. */
  | { readonly type: "recorded"; readonly seconds: readonly SecondMessage[]; readonly completeUntilMs: number }
  /** An hour was closed, and is now in the database. */
  | { readonly type: "closed"; readonly hourMs: number }
  /** Hours that were not recorded live were written, or old ones removed; or what lies after a moment was set aside. */
  | { readonly type: "rewritten"; readonly presentMs?: number | undefined };

interface Stamp {
  /** The run of the writer. Positions of another run mean nothing. */
  readonly epoch: string;
  /** How many changes the writer had published before this message. */
  readonly at: number;
  /** When it was sent, by the clock of the machine; see `machineClock`. */
  readonly sentAtMs: number;
  /** The market clock then, UTC milliseconds. */
  readonly marketNowMs: number;
}

/** Changes in their order; none where the message only tells that the writer has no newer ones. */
export interface Changes extends Stamp {
  readonly type: "changes";
  readonly changes: readonly Change[];
}

/** Everything that a reader needs besides the database, at one position. */
export interface Snapshot extends Stamp {
  readonly type: "snapshot";
  readonly sources: readonly FeedSource[];
  /** Whether the market clock is that of a recording. */
  readonly isInPast: boolean;
  readonly quotes: readonly QuoteMessage[];
  /** The instruments that are not built in, or corrected; a writer of an earlier version has none. */
  readonly instruments?: readonly Instrument[];
}

/** Counts the changes of a message: each quote is one. */
export function countChanges(changes: readonly Change[]): number {
  let count = 0;
  for (const change of changes) count += change.type === "quotes" ? change.quotes.length : 1;
  return count;
}

/** What a reader requests of its writer; each request is answered. */
export type Request =
  /** An account or a key was changed. Every process loads the change before it is acknowledged. */
  | { readonly type: "refresh" }
  /** A page shows the counters of an account. */
  | { readonly type: "counters"; readonly accountId: string }
  /** Calls are counted against their limits. */
  | { readonly type: "count"; readonly calls: readonly CallToCount[] }
  /** A stream is opened: it counts against the streams of its key. */
  | { readonly type: "open-stream"; readonly keyId: string; readonly limit: number };

/** The answers, by the type of the request. */
export interface Answers {
  readonly refresh: null;
  readonly counters: Counters;
  readonly count: readonly CountAnswer[];
  readonly "open-stream": boolean;
}

export type ToReader =
  | Snapshot
  | Changes
  /** The health of the writer, every HEALTH_MS. */
  | { readonly type: "health"; readonly health: Health }
  /** The state of the server, every few seconds. */
  | { readonly type: "status"; readonly status: ServerStatus }
  /** Whether the pages answer at their socket. */
  | { readonly type: "pages"; readonly areListening: boolean }
  /** Accounts or keys were changed: the reader loads them, then acknowledges. */
  | { readonly type: "load-keys"; readonly request: number }
  /** Returns what is left of the calls granted for these keys, then acknowledges. */
  | { readonly type: "recall"; readonly request: number; readonly keyIds: readonly string[] }
  | { readonly type: "answer"; readonly request: number; readonly answer: Answers[keyof Answers] }
  /** The request failed, or cannot be answered now. */
  | {
      readonly type: "failure";
      readonly request: number;
      readonly reason: string;
      /** Whether it failed because the database was away. */
      readonly isUnavailable: boolean;
    }
  /** The port is free: the reader may listen. */
  | { readonly type: "listen" }
  | { readonly type: "stop"; readonly delayMs: number; readonly drainMs: number };

export type ToWriter =
  /** Ready for a snapshot, or in need of a new one because changes are missing. */
  | { readonly type: "send-snapshot" }
  /** Sent every second: the process does not hang. */
  | { readonly type: "alive"; readonly residentBytes: number }
  /** Ready to listen at the port. */
  | { readonly type: "ready" }
  /** Listening at its socket, or at the port. */
  | { readonly type: "listening" }
  /** The process ends because of this, which is a sentence for the operator. */
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "request"; readonly request: number; readonly body: Request }
  /** "load-keys" or "recall" is done. */
  | { readonly type: "done"; readonly request: number }
  | { readonly type: "return"; readonly calls: ReturnedCalls }
  /** Calls that were counted but failed are given back to their days. */
  | { readonly type: "release"; readonly keyId: string; readonly credits: number; readonly countedAtMs: number }
  | { readonly type: "close-stream"; readonly keyId: string }
  /** The calls of this process in the last minute. */
  | { readonly type: "traffic"; readonly traffic: Traffic }
  /** What this process has counted for the metrics. */
  | { readonly type: "report"; readonly report: ProcessReport };

/** How often a reader reports that it does not hang. */
export const ALIVE_EVERY_MS = 1_000;

export function encodeSecond({ symbol, second, bid, ask, open, high, low, updates, digits }: SecondRow): SecondMessage {
  return [symbol, second, bid, ask, open, high, low, updates, digits];
}

export function decodeSecond([symbol, second, bid, ask, open, high, low, updates, digits]: SecondMessage): SecondRow {
  const prices = { digits: fromStoredDigits(symbol, digits ?? null), bid, ask, open, high, low };
  return { symbol, second, ...prices, updates };
}

/** The state of the server, for the operator. */
export interface ServerStatus {
  readonly health: Health;
  /** The connection, the pace and the refused ticks of each source, most trusted first. */
  readonly feeds: readonly SourceState[];
  /** The latest request to read the file of sources again, by its number, and what came of it. */
  readonly reload: {
    readonly request: number;
    readonly change: SetChange | null;
    readonly error: string | null;
  };
  /** What came from the terminals that push. */
  readonly terminals: readonly TerminalState[];
  readonly recorder: RecordingStatus;
  readonly backfill: BackfillProgress;
  readonly traffic: Traffic;
  readonly vitals: Vitals;
}

/** What a process that answers calls has counted since its start, and how it is doing. It is sent every second. */
export interface ProcessReport {
  readonly calls: readonly EndpointCounts[];
  /** Open connections of the public port, and open streams of prices. */
  readonly connections: number;
  readonly streams: number;
  /** The longest delay of the event loop since the report before. */
  readonly delayMs: number;
  /** How far the prices of the process are behind those of the writer. */
  readonly lagMs: number;
}
