import type { Instrument } from "@/lib/market/instrument";
import type { NameHit, SymbolNames } from "@/lib/market/symbols/symbol-names";

/**
 * Names in the notation of data vendors: "OANDA:EUR_USD", "EURUSD=X", "US30_USD", "AAPL.US-USD". Each form is accepted
 * only if it cannot name anything else: NYSE:GOLD is a mining company, XETR:AAPL is priced in euros.
 */

/**
 * Vendors that quote currencies and CFDs with these prefixes, so that a synonym after one is not a company's ticker.
 */
const QUOTE_VENDORS: ReadonlySet<string> = new Set(["C", "X", "FX", "FX_IDC", "OANDA", "FXCM", "FOREXCOM", "TVC"]);
const US_EXCHANGES: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "ARCA", "BATS"]);
const US_SUFFIXES: ReadonlySet<string> = new Set(["US", "NAS", "NASDAQ", "NYSE"]);

const PREFIXED = /^([A-Za-z][A-Za-z0-9_]*):([^:]+)$/;
const QUOTE_SUFFIXED = /^([^:]+):QUOTE$/i;
const YAHOO_PAIR = /^([A-Za-z]{6})=X$/i;
const SHARE = /^([A-Za-z0-9]+)(?:_CFD)?\.([A-Za-z]+)(?:-([A-Za-z]{3}))?$/;
const WITH_CURRENCY = /^(.+?)[/_-]?([A-Za-z]{3})$/;

/** The instruments that a name in a vendor's notation may mean; empty if it is unknown. */
export function readVendorSyntax(spelling: string, names: SymbolNames): readonly Instrument[] {
  const prefixed = PREFIXED.exec(spelling);
  const suffixed = QUOTE_SUFFIXED.exec(spelling) ?? YAHOO_PAIR.exec(spelling);
  const readings = [
    findBehindPrefix(prefixed?.[1], prefixed?.[2], names),
    suffixed?.[1] === undefined ? [] : listCanonical(names.find(suffixed[1])).filter(isNoStock),
    readShare(SHARE.exec(spelling), names),
    readNameAndCurrency(WITH_CURRENCY.exec(spelling), names),
  ];
  return readings.flat();
}

function findBehindPrefix(
  prefix: string | undefined,
  name: string | undefined,
  names: SymbolNames,
): readonly Instrument[] {
  if (prefix === undefined || name === undefined) return [];
  const vendor = prefix.toUpperCase();
  const hit = names.find(name);
  if (US_EXCHANGES.has(vendor)) return listCanonical(hit).filter(isUsStock);
  if (!QUOTE_VENDORS.has(vendor)) return listCanonical(hit).filter(isNoStock);
  const found = hit?.instruments ?? readNameAndCurrency(WITH_CURRENCY.exec(name), names);
  return found.filter(isNoStock);
}

/** "AAPL.US", "AAPL_CFD.US", "AAPL.US-USD", "SAP.DE-EUR". */
function readShare(match: RegExpExecArray | null, names: SymbolNames): readonly Instrument[] {
  const [, ticker, place = "", currency] = match ?? [];
  if (ticker === undefined) return [];
  const isUs = US_SUFFIXES.has(place.toUpperCase());
  const hits = listCanonical(names.find(isUs ? ticker : `${ticker}.${place}`));
  return hits
    .filter((instrument) => instrument.category === "stocks" && isUsStock(instrument) === isUs)
    .filter((instrument) => currency === undefined || instrument.quote === currency.toUpperCase());
}

/**
 * "US30_USD", "WTICO_USD": an index or commodity with the currency that it is priced in, if the catalog's is the same.
 * Three letters with a currency look like a pair: exchanges trade a coin as SPXUSD.
 */
function readNameAndCurrency(match: RegExpExecArray | null, names: SymbolNames): readonly Instrument[] {
  const [, name, currency] = match ?? [];
  if (name === undefined || currency === undefined || /^[A-Za-z]{1,3}$/.test(name)) return [];
  const priced = (names.find(name)?.instruments ?? []).filter(({ quote }) => quote === currency.toUpperCase());
  return priced.filter(({ category }) => category === "indices" || category === "commodities");
}

function listCanonical(hit: NameHit | undefined): readonly Instrument[] {
  return hit?.isCanonical === true ? hit.instruments : [];
}

function isNoStock({ category }: Instrument): boolean {
  return category !== "stocks";
}

function isUsStock({ category, symbol }: Instrument): boolean {
  return category === "stocks" && !symbol.includes(".");
}
