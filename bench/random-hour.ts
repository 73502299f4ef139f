import { createHourColumns, type HourColumns, SECONDS_PER_HOUR, writeSecond } from "@/lib/history/hour-columns";

/** Creates an hour with a tick in every second. Prices and spreads are random, but equal for equal seeds. */
export function createRandomHour(symbol: string, hourMs: number, seed: number): HourColumns {
  const hour = createHourColumns(symbol, 5, hourMs);
  const random = createRandom(seed);
  let bid = 114_000;
  for (let second = 0; second < SECONDS_PER_HOUR; second++) {
    // Mostly small steps with an occasional jump, like real prices.
    bid += Math.round((random() + random() + random() - 1.5) * (random() < 0.02 ? 30 : 5));
    const ask = bid + 10 + Math.floor(random() * random() * 8);
    const prices = { bid, ask, open: bid, high: bid, low: bid };
    writeSecond(hour, { symbol, digits: 5, second: hourMs / 1000 + second, ...prices, updates: 1 });
  }
  return hour;
}

/** Creates a generator of numbers in [0, 1): Tommy Ettinger's mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
