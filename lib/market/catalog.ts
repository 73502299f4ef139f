import type { Instrument } from "@/lib/market/instrument";
import { commodityInstruments, metalInstruments } from "@/lib/market/instruments/commodities";
import { cryptoInstruments } from "@/lib/market/instruments/crypto";
import { forexInstruments } from "@/lib/market/instruments/forex";
import { indexInstruments } from "@/lib/market/instruments/indices";
import { stockInstruments } from "@/lib/market/instruments/stocks";

/** All instruments, in the order of listings. Fields that only a broker defines, such as overnight swaps, are null. */
export const instruments: readonly Instrument[] = [
  ...forexInstruments,
  ...metalInstruments,
  ...commodityInstruments,
  ...indexInstruments,
  ...cryptoInstruments,
  ...stockInstruments,
];

/** By canonical symbol, case-sensitive. */
export const instrumentBySymbol: ReadonlyMap<string, Instrument> = new Map(
  instruments.map((instrument) => [instrument.symbol, instrument]),
);
