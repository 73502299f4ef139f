import type { Counters } from "@/lib/access/admission/counters";
import type { FeedSource } from "@/lib/feeds/feed";
import type { ServerStatus } from "@/lib/pages/server-status";

/**
 * What the server and the process that renders its pages say to each other. The pages have a process of their own
 * because rendering takes milliseconds in which no price could be answered, and because Next slows down every
 * request of the process it is loaded into.
 */

/** One price as the server's book took it. Times in UTC milliseconds. */
export type QuoteMessage = readonly [source: string, symbol: string, bid: number, ask: number, timeMs: number];

/** One recorded second; see SecondRow. Prices in points. */
export type SecondMessage = readonly [
  ...[symbol: string, second: number, bid: number, ask: number],
  ...[open: number, high: number, low: number, updates: number],
];

export type ToPages =
  | {
      readonly type: "hello";
      readonly sources: readonly FeedSource[];
      readonly quotes: readonly QuoteMessage[];
      readonly marketNowMs: number;
    }
  | { readonly type: "quotes"; readonly quotes: readonly QuoteMessage[]; readonly marketNowMs: number }
  /** Seconds that were recorded, and how far recording has come. */
  | { readonly type: "recorded"; readonly seconds: readonly SecondMessage[]; readonly completeUntilMs: number }
  /** The hour that began then was closed: it is in the database now. */
  | { readonly type: "closed"; readonly hourMs: number }
  /** Hours that were not recorded live were written, or old ones removed. */
  | { readonly type: "rewritten" }
  /** What the server is doing; every few seconds. */
  | { readonly type: "status"; readonly status: ServerStatus }
  /** Everything that was changed before the request with this number is known to the server now. */
  | { readonly type: "refreshed"; readonly request: number }
  /** What the limits of an account go by, as it was asked for with this number. */
  | { readonly type: "counters"; readonly request: number; readonly counters: Counters }
  | { readonly type: "stop" };

export type ToServer =
  /** Ready to be greeted. */
  | { readonly type: "started" }
  /** Listening at the socket. */
  | { readonly type: "listening" }
  /** An account or a key was changed: the server must know before the change is acknowledged. */
  | { readonly type: "refresh"; readonly request: number }
  /** Somebody looks at the counters of an account. */
  | { readonly type: "counters"; readonly request: number; readonly accountId: string };
