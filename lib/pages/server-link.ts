import type { Counters } from "@/lib/access/admission/counters";
import type { BookUpdate } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import type { HistoryFollower } from "@/lib/history/history";
import type { Instrument } from "@/lib/market/instrument";
import { ALIVE_EVERY_MS, decodeSecond, type QuoteMessage, type ToPages, type ToServer } from "@/lib/pages/messages";
import type { ServerStatus } from "@/lib/pages/server-status";
import type { Clock } from "@/lib/platform/timing/clock";

/** The link to the server, in the process of the pages. */
export interface ServerLink {
  /** The sources at the start; `followSources` tells what changed since. */
  readonly sources: readonly FeedSource[];
  readonly isInPast: boolean;
  readonly marketNow: Clock;
  /** Calls `onQuote` with the newest prices, then with every price that the server's book accepts. */
  follow(onQuote: (quote: BookUpdate) => void, instruments: ReadonlyMap<string, Instrument>): void;
  /** Calls `onSources` with every later list of sources, and the names of those whose quotes are to be forgotten. */
  followSources(onSources: (sources: readonly FeedSource[], dropped: ReadonlySet<string>) => void): void;
  /** Calls the follower with everything that the server has recorded since "hello". */
  followHistory(follower: HistoryFollower): void;
  /** Resolves once the server has loaded every earlier change of accounts and keys. */
  refresh(): Promise<void>;
  /** Reads the counters that limit the calls of an account, in the process that counts them. */
  counters(accountId: string): Promise<Counters>;
  /** The state of the server a few seconds ago; null before its first message. */
  status(): ServerStatus | null;
  onStop(stop: () => void): void;
  reportListening(): void;
}

/** Connects to the server that forked this process; resolves with its "hello". */
export function linkToServer(monotonic: Clock): Promise<ServerLink> {
  const requests = createRequests();
  let offsetMs = 0;
  let onQuotes: (quotes: readonly QuoteMessage[]) => void = () => {};
  const earlyHistory: ToPages[] = [];
  let onHistory = (message: ToPages): void => void earlyHistory.push(message);
  const earlySources: (ToPages & { type: "sources" })[] = [];
  let onSources = (message: ToPages & { type: "sources" }): void => void earlySources.push(message);
  let status: ServerStatus | null = null;
  let stop: () => void = () => {};

  return new Promise((resolve) => {
    process.on("message", (message: ToPages) => {
      if (message.type === "hello" || message.type === "quotes") offsetMs = message.marketNowMs - monotonic();
      if (message.type === "quotes") onQuotes(message.quotes);
      if (message.type === "recorded" || message.type === "closed" || message.type === "rewritten") onHistory(message);
      if (message.type === "sources") onSources(message);
      if (message.type === "status") status = message.status;
      if (message.type === "stop") stop();
      if (message.type === "refreshed" || message.type === "counters") requests.onAnswer(message);
      if (message.type === "hello") resolve(createLink(message));
    });
    // Without its server this process receives no requests.
    process.on("disconnect", () => process.exit(1));
    send({ type: "started" });
    setInterval(() => send({ type: "alive" }), ALIVE_EVERY_MS).unref();
  });

  function createLink({ sources, isInPast, quotes }: ToPages & { type: "hello" }): ServerLink {
    const early: QuoteMessage[] = [...quotes];
    onQuotes = (more) => void early.push(...more);
    return {
      sources,
      isInPast,
      marketNow: () => Math.floor(monotonic() + offsetMs),
      follow(onQuote, instruments) {
        onQuotes = (more) => passQuotes(more, instruments, onQuote);
        onQuotes(early);
      },
      followSources(follower) {
        onSources = (message) => follower(message.sources, new Set(message.dropped));
        earlySources.splice(0).forEach(onSources);
      },
      followHistory(follower) {
        onHistory = (message) => passHistory(message, follower);
        earlyHistory.splice(0).forEach(onHistory);
      },
      async refresh() {
        await requests.send((request) => ({ type: "refresh", request }));
      },
      async counters(accountId) {
        const answer = await requests.send((request) => ({ type: "counters", request, accountId }));
        return (answer as Answer & { type: "counters" }).counters;
      },
      status: () => status,
      onStop: (then) => void (stop = then),
      reportListening: () => send({ type: "listening" }),
    };
  }
}

type Answer = ToPages & { readonly request: number };

/** Matches requests to the server with their answers by a number. */
function createRequests() {
  const pending = new Map<number, (answer: Answer) => void>();
  let latest = 0;
  return {
    send: (toMessage: (request: number) => ToServer): Promise<Answer> =>
      new Promise((resolve) => {
        pending.set(++latest, resolve);
        send(toMessage(latest));
      }),
    onAnswer(answer: Answer): void {
      pending.get(answer.request)?.(answer);
      pending.delete(answer.request);
    },
  };
}

function passQuotes(
  quotes: readonly QuoteMessage[],
  instruments: ReadonlyMap<string, Instrument>,
  onQuote: (quote: BookUpdate) => void,
): void {
  for (const [source, symbol, bid, ask, timeMs] of quotes) {
    const instrument = instruments.get(symbol);
    if (instrument !== undefined) onQuote({ source, instrument, bid, ask, timeMs });
  }
}

function passHistory(message: ToPages, follower: HistoryFollower): void {
  if (message.type === "recorded") follower.onRecorded(message.seconds.map(decodeSecond), message.completeUntilMs);
  if (message.type === "closed") follower.onClosed(message.hourMs);
  if (message.type === "rewritten") follower.onRewritten();
}

function send(message: ToServer): void {
  process.send?.(message);
}
