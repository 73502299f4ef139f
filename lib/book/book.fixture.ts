import { type BookUpdate, createBook } from "@/lib/book/book";
import { instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

export const WEDNESDAY = Date.UTC(2026, 6, 15, 12);
export const SATURDAY = Date.UTC(2026, 6, 18, 12);

function instrument(symbol: string): Instrument {
  const found = instruments.find((candidate) => candidate.symbol === symbol);
  if (found === undefined) throw new Error(`no ${symbol} in the catalog`);
  return found;
}

const EURUSD = instrument("EURUSD");

/** A book of two live sources and a simulated one, with a clock that the test moves. */
export function setUp(startMs = WEDNESDAY) {
  let nowMs = startMs;
  const book = createBook({
    sources: [
      { name: "first", mode: "live" },
      { name: "second", mode: "live" },
      { name: "third", mode: "simulated" },
    ],
    now: () => nowMs,
  });
  const update = (source: string, bid: number, ask: number, timeMs = nowMs): void => {
    const quote: BookUpdate = { source, instrument: EURUSD, bid, ask, timeMs };
    book.accept(quote);
  };
  /** Moves the clock while the named sources quote once a second; sets it back if `seconds` is below zero. */
  const pass = (seconds: number, ...quoting: string[]): void => {
    if (seconds < 0) nowMs += seconds * 1000;
    for (let second = 0; second < seconds; second++) {
      nowMs += 1000;
      for (const source of quoting) update(source, 1.1, 1.1002);
    }
  };
  return { book, update, pass, now: () => nowMs };
}
