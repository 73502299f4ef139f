import type { Instrument, TradingHours } from "@/lib/market/instrument";
import { commodityInstruments, metalInstruments } from "@/lib/market/instruments/commodities";
import { cryptoInstruments } from "@/lib/market/instruments/crypto";
import { forexInstruments } from "@/lib/market/instruments/forex";
import { indexInstruments } from "@/lib/market/instruments/indices";
import { stockInstruments } from "@/lib/market/instruments/stocks";
import { countDigits, hasDigits } from "@/lib/market/price";

/**
 * The instruments that this process knows: those that are built in, with what an operator corrected, and those that
 * sources or an operator added. The list grows while the process runs. An instrument stays one object for as long as the
 * process runs, and a change is written into it, so that nobody has an old copy.
 */

/** What is built in. Fields that only a broker defines, such as overnight swaps, are null. */
const builtInInstruments: readonly Instrument[] = [
  ...forexInstruments,
  ...metalInstruments,
  ...commodityInstruments,
  ...indexInstruments,
  ...cryptoInstruments,
  ...stockInstruments,
];

const builtInBySymbol: ReadonlyMap<string, Instrument> = new Map(builtInInstruments.map((each) => [each.symbol, each]));

interface State {
  readonly list: Instrument[];
  /** The trading hours of the others by their text: thousands of instruments trade at the same hours. */
  readonly hours: Map<string, TradingHours>;
  readonly bySymbol: Map<string, Instrument>;
  readonly listeners: Set<(changed: readonly Instrument[]) => void>;
  /** How often the list, or an instrument, has changed. */
  changes: number;
  /** The finest digits of a symbol's prices, where they are finer than its instrument says. */
  readonly finest: Map<string, number>;
  /** The digits that were said of an instrument, where its prices have others. */
  readonly said: Map<string, number>;
}

/** The pages are bundled apart from the server of the same process, and both must have the same list. */
const PLACE = Symbol.for("spotline.catalog");
const place = globalThis as { [PLACE]?: State };
const state: State = (place[PLACE] ??= createState());

function createState(): State {
  const list = builtInInstruments.map((instrument) => ({ ...instrument }));
  const bySymbol = new Map(list.map((each) => [each.symbol, each]));
  return { list, hours: new Map(), bySymbol, listeners: new Set(), changes: 0, finest: new Map(), said: new Map() };
}

/** All instruments, in the order of listings: the built-in ones, then the others as they came. */
export const instruments: readonly Instrument[] = state.list;

/** By canonical symbol, case-sensitive. */
export const instrumentBySymbol: ReadonlyMap<string, Instrument> = state.bySymbol;

/** Whether an instrument is one of the built-in ones, perhaps corrected. */
export function isBuiltIn(symbol: string): boolean {
  return builtInBySymbol.has(symbol);
}

/**
 * The digits of a built-in instrument; undefined for any other. Stored prices that say no digits have these, so they never
 * change.
 */
export function getBuiltInDigits(symbol: string): number | undefined {
  return builtInBySymbol.get(symbol)?.digits;
}

/**
 * Raises the digits of a symbol to those of a finer price, also if its instrument is added later. No process is notified: every
 * process sees the price itself, or reads the digits in the database.
 */
export function raiseDigits(symbol: string, digits: number): void {
  const instrument = state.bySymbol.get(symbol);
  if (digits > Math.max(state.finest.get(symbol) ?? 0, instrument?.digits ?? 0)) writeDigits(symbol, digits);
}

/** Takes digits back: an instrument has those that were said of it, or these if they are more. */
export function lowerDigits(symbol: string, digits: number): void {
  if (digits < (state.finest.get(symbol) ?? 0)) writeDigits(symbol, digits);
}

function writeDigits(symbol: string, finest: number): void {
  const instrument = state.bySymbol.get(symbol);
  state.finest.set(symbol, finest);
  state.changes++;
  if (instrument === undefined) return;
  const said = state.said.get(symbol) ?? instrument.digits;
  state.said.set(symbol, said);
  Object.assign(instrument, { digits: Math.max(said, finest) });
}

/** Raises the digits of an instrument if one of its prices is finer. */
export function raiseDigitsTo(instrument: Instrument, ...prices: readonly number[]): void {
  for (const price of prices) {
    if (hasDigits(price, instrument.digits)) continue;
    const digits = countDigits(price);
    if (state.bySymbol.get(instrument.symbol) === instrument) raiseDigits(instrument.symbol, digits);
    else Object.assign(instrument, { digits });
  }
}

/** The digits of the symbols whose prices are finer than their instruments said, by symbol. */
export function listFinestDigits(): ReadonlyMap<string, number> {
  return state.finest;
}

/** The digits of an instrument, or those of a finer price. */
function keepDigits({ symbol, digits }: Instrument): number {
  state.said.set(symbol, digits);
  return Math.max(digits, state.finest.get(symbol) ?? 0);
}

/** The instruments that were added, and the built-in ones that were corrected. */
export function listChangedInstruments(): readonly Instrument[] {
  return state.list.filter(({ addedBy }) => addedBy !== undefined);
}

/** Adds instruments, and writes changed ones over those of the same symbol. */
export function putInstruments(changed: readonly Instrument[]): void {
  const known = changed.flatMap((instrument) => {
    const before = state.bySymbol.get(instrument.symbol);
    const tradingHours = shareHours(instrument.tradingHours);
    const written = { ...instrument, digits: keepDigits(instrument), tradingHours };
    if (before !== undefined) {
      // A process may receive a change twice.
      if (JSON.stringify(before) === JSON.stringify({ ...before, ...written })) return [];
      return Object.assign(before, written);
    }
    state.bySymbol.set(written.symbol, written);
    state.list.push(written);
    return written;
  });
  if (known.length === 0) return;
  tell(known);
}

/** Removes instruments that others were merged into or that an operator removed. A built-in one becomes as it was. */
export function dropInstruments(symbols: readonly string[]): void {
  const dropped = [...new Set(symbols)].flatMap((symbol) => state.bySymbol.get(symbol) ?? []);
  if (dropped.length === 0) return;
  for (const instrument of dropped) {
    const original = builtInBySymbol.get(instrument.symbol);
    if (original !== undefined) {
      Object.assign(instrument, original, { digits: keepDigits(original), addedBy: undefined });
      continue;
    }
    state.bySymbol.delete(instrument.symbol);
    state.list.splice(state.list.indexOf(instrument), 1);
  }
  tell(dropped);
}

function tell(changed: readonly Instrument[]): void {
  state.changes++;
  for (const listener of state.listeners) listener(changed);
}

/** How often the catalog of this process has changed, for those who keep something that is made of it. */
export function countCatalogChanges(): number {
  return state.changes;
}

/** Calls `listener` after every change, with the instruments that were added, changed or removed. Returns how to stop. */
export function onInstruments(listener: (changed: readonly Instrument[]) => void): () => void {
  state.listeners.add(listener);
  return () => void state.listeners.delete(listener);
}

function shareHours(hours: TradingHours): TradingHours {
  const text = JSON.stringify(hours);
  const known = state.hours.get(text);
  if (known === undefined) state.hours.set(text, hours);
  return known ?? hours;
}
