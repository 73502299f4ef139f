import type { Instrument } from "@/lib/market/instrument";
import { DEFAULTS } from "@/lib/market/instruments/defaults";
import { cmeHours } from "@/lib/market/instruments/hours";

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
