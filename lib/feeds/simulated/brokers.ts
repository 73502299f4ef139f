import { deriveSeed, drawUniform } from "@/lib/feeds/simulated/noise";
import type { Category, Instrument } from "@/lib/market/instrument";

/** An invented broker, with the habits in which real ones differ. */
export interface Broker {
  readonly name: string;
  /** The categories that it quotes. */
  readonly categories: ReadonlySet<Category>;
  readonly spell: (instrument: Instrument) => string;
  /** Its spreads as a multiple of the usual ones. */
  readonly spreadScale: number;
  /** Its updates a second as a multiple of the usual rate. */
  readonly pace: number;
  /** How far its clock is ahead of this process's, in milliseconds. */
  readonly skewMs: number;
}

const everything: ReadonlySet<Category> = new Set<Category>([
  "forex",
  "metals",
  "commodities",
  "indices",
  "crypto",
  "stocks",
]);
const withoutStocks: ReadonlySet<Category> = new Set([...everything].filter((category) => category !== "stocks"));

export const brokers: readonly Broker[] = [
  {
    ...{ name: "alpha-markets", categories: everything, spreadScale: 1, pace: 1, skewMs: -12 },
    spell: ({ symbol }) => symbol,
  },
  {
    ...{ name: "borealis-fx", categories: everything, spreadScale: 1.1, pace: 0.8, skewMs: 8 },
    spell: ({ symbol, base, quote }) => (base === null ? symbol : `${base}/${quote}`),
  },
  {
    ...{ name: "cobalt-prime", categories: withoutStocks, spreadScale: 0.7, pace: 1.3, skewMs: 35 },
    spell: ({ symbol }) => `${symbol}.r`,
  },
  {
    ...{ name: "dunmore-trading", categories: everything, spreadScale: 1.5, pace: 0.6, skewMs: -140 },
    spell: ({ symbol, category }) => (category === "stocks" ? `#${symbol}` : `${symbol}m`),
  },
];

const OUTAGE_BLOCK_MS = 1_800_000;
const OUTAGE_PROBABILITY = 0.4;
const SHORTEST_OUTAGE_MS = 20_000;
const LONGEST_OUTAGE_MS = 150_000;

/**
 * Whether the connection to a broker is down at a moment of the simulation: about once in an hour and a quarter, for 20
 * to 150 seconds, so that failover and recovery can be seen.
 */
export function isDown(seed: string, broker: string, atMs: number): boolean {
  const lineSeed = deriveSeed(seed, broker, "line");
  const block = Math.floor(atMs / OUTAGE_BLOCK_MS);
  if (drawUniform(lineSeed, block, 0) >= OUTAGE_PROBABILITY) return false;
  const lengthMs = SHORTEST_OUTAGE_MS + drawUniform(lineSeed, block, 1) * (LONGEST_OUTAGE_MS - SHORTEST_OUTAGE_MS);
  const fromMs = block * OUTAGE_BLOCK_MS + drawUniform(lineSeed, block, 2) * (OUTAGE_BLOCK_MS - lengthMs);
  return fromMs <= atMs && atMs < fromMs + lengthMs;
}
