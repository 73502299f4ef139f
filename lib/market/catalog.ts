import type { Instrument } from "@/lib/market/instrument";
import { commodityInstruments } from "@/lib/market/instruments/commodities";
import { cryptoInstruments } from "@/lib/market/instruments/crypto";
import { forexInstruments } from "@/lib/market/instruments/forex";
import { indexInstruments } from "@/lib/market/instruments/indices";
import { metalInstruments } from "@/lib/market/instruments/metals";
import { stockInstruments } from "@/lib/market/instruments/stocks";

/**
 * Everything Spotline knows how to name and price, in the order listings show it. What only a broker can know, such as
 * overnight swaps, is null rather than invented.
 */
export const instruments: readonly Instrument[] = [
  ...forexInstruments,
  ...metalInstruments,
  ...commodityInstruments,
  ...indexInstruments,
  ...cryptoInstruments,
  ...stockInstruments,
];

/** By canonical symbol, exactly as written. */
export const instrumentBySymbol: ReadonlyMap<string, Instrument> = new Map(
  instruments.map((instrument) => [instrument.symbol, instrument]),
);
