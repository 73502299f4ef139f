import { createIntake, type Quote } from "@/lib/feeds/intake";
import { type Refusal, REFUSALS } from "@/lib/feeds/refusals";
import type { Tick } from "@/lib/market/bar";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { silentLog } from "@/lib/platform/log/log";

export const T = Date.UTC(2026, 0, 15, 12);
/** Of copies: prices raise the digits of their instruments. */
export const resolver = createResolver(instruments.map((instrument) => ({ ...instrument })));

/** An intake of the source "a", which keeps what it passes on. */
export function openIntake(watched = resolver, log = silentLog) {
  const quotes: Quote[] = [];
  const sources = [{ name: "a", mode: "live" }] as const;
  const intake = createIntake({
    resolver: watched,
    sources,
    onQuote: (quote) => quotes.push(quote),
    now: () => T,
    log,
  });
  let atMs = T;
  /** Sends one tick, a second after the last unless the tick has its own time; returns why it was refused, or null. */
  const send = (tick: Partial<Tick>): Refusal | null => {
    atMs += 1_000;
    const before = intake.counts();
    const usual = { source: "a", brokerSymbol: "EURUSD", bid: 1.1, ask: 1.1001, brokerTimeMs: atMs };
    intake.tick({ ...usual, receivedAtMs: tick.brokerTimeMs ?? atMs, ...tick });
    const after = intake.counts();
    return REFUSALS.find((reason) => after.refused[reason] > before.refused[reason]) ?? null;
  };
  return { intake, quotes, send };
}
