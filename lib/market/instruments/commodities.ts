import type { Instrument, TradingHours } from "@/lib/market/instrument";
import { brentHours, cmeHours, DEFAULTS } from "@/lib/market/instruments/hours";

/**
 * Energy and industrial metals as brokers offer them: CFDs on the front future or a cash price derived from it. "OIL"
 * is an alias of both oils, because brokers mean either: the resolver must report it as ambiguous.
 */

interface Terms {
  readonly digits: number;
  readonly pipSize: number;
  /** The content of one lot, and its unit. */
  readonly lot: number;
  readonly unit: string;
  readonly hours?: TradingHours;
  readonly aliases: readonly string[];
}

function commodity(symbol: string, name: string, terms: Terms): Instrument {
  return {
    ...DEFAULTS,
    symbol,
    name,
    description: `${name}: price of one ${terms.unit} in USD`,
    category: "commodities",
    base: null,
    quote: "USD",
    digits: terms.digits,
    pipSize: terms.pipSize,
    contractSize: terms.lot,
    marginCurrency: "USD",
    tradingHours: terms.hours ?? cmeHours,
    aliases: terms.aliases,
  };
}

const oil = { digits: 3, pipSize: 0.01, lot: 1_000, unit: "barrel" };
const wti = ["WTI", "USWTI", "WTIUSD", "XTIUSD", "WTICO", "CL-OIL", "CRUDE", "CRUDEOIL", "WTIOIL", "US Oil"];
const brent = ["BRENT", "XBRUSD", "BCOUSD", "BRENTOIL", "CL_BRENT", "UKBRENT", "BRENT.CMD-USD", "UK Oil"];

export const commodityInstruments: readonly Instrument[] = [
  commodity("USOIL", "US Crude Oil (WTI)", { ...oil, aliases: [...wti, "LIGHT.CMD-USD", "OILCash", "OIL"] }),
  commodity("UKOIL", "UK Crude Oil (Brent)", { ...oil, hours: brentHours, aliases: [...brent, "OIL"] }),
  commodity("NATGAS", "US Natural Gas (Henry Hub)", {
    digits: 4,
    pipSize: 0.001,
    lot: 10_000,
    unit: "million British thermal units",
    aliases: ["XNGUSD", "NGAS", "NATURALGAS", "US Natural Gas", "GAS.CMD-USD"],
  }),
  commodity("COPPER", "High Grade Copper", {
    digits: 4,
    pipSize: 0.001,
    lot: 25_000,
    unit: "pound",
    aliases: ["XCUUSD", "COPPER.CMD-USD"],
  }),
];

/**
 * Spot precious metals, priced per troy ounce. Brokers quote gold with two or three digits; the catalog has three, so
 * that no broker's price loses one. A pip is 0.01, as at Dukascopy; some trading programs call 0.10 a pip of gold.
 */

interface Extras {
  readonly ounces: number;
  readonly aliases?: readonly string[];
}

function metal(symbol: string, name: string, { ounces, aliases = [] }: Extras): Instrument {
  const base = symbol.slice(0, 3);
  const quote = symbol.slice(3);
  return {
    ...DEFAULTS,
    symbol,
    name,
    description: `${name}: spot price of one troy ounce in ${quote}`,
    category: "metals",
    base,
    quote,
    digits: 3,
    pipSize: 0.01,
    contractSize: ounces,
    maxVolume: 50,
    marginCurrency: quote,
    tradingHours: cmeHours,
    aliases,
  };
}

export const metalInstruments: readonly Instrument[] = [
  metal("XAUUSD", "Gold vs US Dollar", { ounces: 100, aliases: ["GOLD", "GOLDUSD"] }),
  metal("XAUEUR", "Gold vs Euro", { ounces: 100, aliases: ["GOLDEUR"] }),
  metal("XAUGBP", "Gold vs British Pound", { ounces: 100, aliases: ["GOLDGBP"] }),
  metal("XAUAUD", "Gold vs Australian Dollar", { ounces: 100, aliases: ["GOLDAUD"] }),
  metal("XAUCHF", "Gold vs Swiss Franc", { ounces: 100, aliases: ["GOLDCHF"] }),
  metal("XAGUSD", "Silver vs US Dollar", { ounces: 5_000, aliases: ["SILVER", "SILVERUSD"] }),
  metal("XAGEUR", "Silver vs Euro", { ounces: 5_000, aliases: ["SILVEREUR"] }),
  metal("XPTUSD", "Platinum vs US Dollar", { ounces: 100, aliases: ["PLATINUM", "XPT.CMD-USD"] }),
  metal("XPDUSD", "Palladium vs US Dollar", { ounces: 100, aliases: ["PALLADIUM", "XPD.CMD-USD"] }),
];
