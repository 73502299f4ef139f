import type { Counters } from "@/lib/access/admission/counters";
import type { FeedSource } from "@/lib/feeds/feed";
import type { SecondRow } from "@/lib/history/hour-columns";
import type { ServerStatus } from "@/lib/pages/server-status";

/**
 * The messages between the server and the process that renders its pages. The pages have their own process because
 * rendering would block calls for milliseconds, and because Next slows every request of its process.
 */

/** One price that the server's book accepted. Times in UTC milliseconds. */
export type QuoteMessage = readonly [source: string, symbol: string, bid: number, ask: number, timeMs: number];

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
];

export type ToPages =
  | {
      readonly type: "hello";
      readonly sources: readonly FeedSource[];
      /** Whether the market clock is that of a recording. */
      readonly isInPast: boolean;
      readonly quotes: readonly QuoteMessage[];
      readonly marketNowMs: number;
    }
  | { readonly type: "quotes"; readonly quotes: readonly QuoteMessage[]; readonly marketNowMs: number }
  /** The list of sources has changed. The quotes of the dropped ones must not be shown any more. */
  | { readonly type: "sources"; readonly sources: readonly FeedSource[]; readonly dropped: readonly string[] }
  /** Seconds that were recorded, and the moment up to which recording is complete. */
  | { readonly type: "recorded"; readonly seconds: readonly SecondMessage[]; readonly completeUntilMs: number }
  /** An hour was closed, and is now in the database. */
  | { readonly type: "closed"; readonly hourMs: number }
  /** Hours that were not recorded live were written, or old ones removed. */
  | { readonly type: "rewritten" }
  /** The state of the server, every few seconds. */
  | { readonly type: "status"; readonly status: ServerStatus }
  /** The answer to "refresh": the server has loaded every change made before that request. */
  | { readonly type: "refreshed"; readonly request: number }
  /** The answer to "counters". */
  | { readonly type: "counters"; readonly request: number; readonly counters: Counters }
  | { readonly type: "stop" };

export type ToServer =
  /** Ready for "hello". */
  | { readonly type: "started" }
  /** Sent every second: the process does not hang. */
  | { readonly type: "alive" }
  /** Listening at the socket. */
  | { readonly type: "listening" }
  /** An account or a key was changed. The server loads the change before it is acknowledged. */
  | { readonly type: "refresh"; readonly request: number }
  /** A page shows the counters of an account. */
  | { readonly type: "counters"; readonly request: number; readonly accountId: string };

/** How often the process of the pages reports that it does not hang. */
export const ALIVE_EVERY_MS = 1_000;

export function encodeSecond({ symbol, second, bid, ask, open, high, low, updates }: SecondRow): SecondMessage {
  return [symbol, second, bid, ask, open, high, low, updates];
}

export function decodeSecond([symbol, second, bid, ask, open, high, low, updates]: SecondMessage): SecondRow {
  return { symbol, second, bid, ask, open, high, low, updates };
}
