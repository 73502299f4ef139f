import type { Connection, CreateProtocol, Protocol } from "@/lib/feeds/live/connector";
import type { SymbolFacts } from "@/lib/market/new-instrument";

/** A connection of a test, which keeps what a protocol sends and reports. */
export function openTestConnection(create: CreateProtocol, startMs = 0) {
  let nowMs = startMs;
  const sent: string[] = [];
  const prices: (readonly [symbol: string, bid: number, ask: number, timeMs: number | null])[] = [];
  const problems: string[] = [];
  const facts: SymbolFacts[] = [];
  let subscriptions = 0;
  const connection: Connection = {
    now: () => nowMs,
    send: (data) => void sent.push(data.toString()),
    subscribed: () => void subscriptions++,
    price: (...price) => void prices.push(price),
    symbols(said, then) {
      facts.push(...said);
      then();
    },
    warn: (problem) => void problems.push(problem),
  };
  const protocol: Protocol = create(connection);
  return {
    protocol,
    sent,
    prices,
    problems,
    facts,
    isSubscribed: () => subscriptions > 0,
    /** Moves the clock, and calls the protocol as often as it wants to be called meanwhile. */
    pass(ms: number) {
      const endMs = nowMs + ms;
      while (nowMs < endMs) {
        nowMs = Math.min(nowMs + (protocol.keepAlive?.everyMs ?? ms), endMs);
        protocol.keepAlive?.send();
      }
    },
    /** Sends messages as the venue does: objects as JSON. */
    receive(...messages: readonly unknown[]) {
      for (const message of messages) {
        protocol.received(typeof message === "string" ? message : JSON.stringify(message));
      }
    },
  };
}
