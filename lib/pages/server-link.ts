import type { Counters } from "@/lib/access/admission/counters";
import type { BookUpdate } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import type { HistoryFollower } from "@/lib/history/create-history";
import type { SecondRow } from "@/lib/history/hour-columns";
import type { Instrument } from "@/lib/market/instrument";
import type { QuoteMessage, SecondMessage, ToPages, ToServer } from "@/lib/pages/messages";
import type { ServerStatus } from "@/lib/pages/server-status";
import type { Clock } from "@/lib/platform/clock";

/** The pages' half of the link: what the server told, and how to ask it. */
export interface ServerLink {
  readonly sources: readonly FeedSource[];
  readonly marketNow: Clock;
  /** Tells every price the server's own book takes, from the ones it holds on. */
  follow(onQuote: (quote: BookUpdate) => void, instruments: ReadonlyMap<string, Instrument>): void;
  /** Tells what the server has recorded, from the moment it was greeted on. */
  followHistory(follower: HistoryFollower): void;
  /** Resolves once the server knows every change of accounts and keys made before. */
  refresh(): Promise<void>;
  /** What the limits of an account go by, in the process that counts its calls. */
  counters(accountId: string): Promise<Counters>;
  /** What the server is doing, as of a few seconds ago; null until it has said so. */
  status(): ServerStatus | null;
  onStop(stop: () => void): void;
  tellListening(): void;
}

/** Greets the server this process was forked by, and resolves with its answer. */
export function linkToServer(now: Clock): Promise<ServerLink> {
  const asked = new Map<number, (answer: ToPages) => void>();
  let request = 0;
  let offsetMs = 0;
  let take: (quotes: readonly QuoteMessage[]) => void = () => {};
  const earlyHistory: ToPages[] = [];
  let hearHistory = (message: ToPages): void => void earlyHistory.push(message);
  let status: ServerStatus | null = null;
  let stop: () => void = () => {};

  return new Promise((resolve) => {
    const listen = (message: ToPages) => {
      if (message.type === "hello" || message.type === "quotes") offsetMs = message.marketNowMs - now();
      if (message.type === "quotes") take(message.quotes);
      if (message.type === "recorded" || message.type === "closed" || message.type === "rewritten")
        hearHistory(message);
      if (message.type === "status") status = message.status;
      if (message.type === "stop") stop();
      if (message.type === "refreshed" || message.type === "counters") {
        asked.get(message.request)?.(message);
        asked.delete(message.request);
      }
      if (message.type === "hello") resolve(link(message));
    };
    process.on("message", listen);
    // Without its server nobody can reach this process any more.
    process.on("disconnect", () => process.exit(1));
    send({ type: "started" });
  });

  function ask(question: (number: number) => ToServer): Promise<ToPages> {
    return new Promise((answered) => {
      asked.set(++request, answered);
      send(question(request));
    });
  }

  function link({ sources, quotes }: ToPages & { type: "hello" }): ServerLink {
    const early: QuoteMessage[] = [...quotes];
    take = (more) => void early.push(...more);
    return {
      sources,
      marketNow: () => now() + offsetMs,
      follow(onQuote, instruments) {
        take = (more) => {
          for (const [source, symbol, bid, ask, timeMs] of more) {
            const instrument = instruments.get(symbol);
            if (instrument !== undefined) onQuote({ source, instrument, bid, ask, timeMs });
          }
        };
        take(early);
      },
      followHistory(follower) {
        hearHistory = (message) => {
          if (message.type === "recorded") follower.onRecorded(message.seconds.map(rowOf), message.completeUntilMs);
          if (message.type === "closed") follower.onClosed(message.hourMs);
          if (message.type === "rewritten") follower.onRewritten();
        };
        earlyHistory.splice(0).forEach(hearHistory);
      },
      async refresh() {
        await ask((number) => ({ type: "refresh", request: number }));
      },
      async counters(accountId) {
        const answer = await ask((number) => ({ type: "counters", request: number, accountId }));
        return (answer as ToPages & { type: "counters" }).counters;
      },
      status: () => status,
      onStop: (then) => void (stop = then),
      tellListening: () => send({ type: "listening" }),
    };
  }
}

function rowOf([symbol, second, bid, ask, open, high, low, updates]: SecondMessage): SecondRow {
  return { symbol, second, bid, ask, open, high, low, updates };
}

function send(message: ToServer): void {
  process.send?.(message);
}
