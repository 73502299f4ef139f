import type { Instrument } from "@/lib/market/instrument";
import { DEFAULTS, forexHours } from "@/lib/market/instruments/hours";

/**
 * Currency pairs: the 28 of the eight majors and common crosses. A pip is the fourth decimal, but the second against
 * currencies worth about a cent (JPY, HUF, THB) and the third against the koruna; prices have one decimal more than the
 * pip. Some brokers quote USDTHB in 0.001 and USDCZK to five digits; the catalog follows the majority.
 */

const CURRENCY_NAMES: ReadonlyMap<string, string> = new Map([
  ["AUD", "Australian Dollar"],
  ["CAD", "Canadian Dollar"],
  ["CHF", "Swiss Franc"],
  ["CNH", "Offshore Chinese Yuan"],
  ["CZK", "Czech Koruna"],
  ["DKK", "Danish Krone"],
  ["EUR", "Euro"],
  ["GBP", "British Pound"],
  ["HKD", "Hong Kong Dollar"],
  ["HUF", "Hungarian Forint"],
  ["ILS", "Israeli Shekel"],
  ["JPY", "Japanese Yen"],
  ["MXN", "Mexican Peso"],
  ["NOK", "Norwegian Krone"],
  ["NZD", "New Zealand Dollar"],
  ["PLN", "Polish Zloty"],
  ["RON", "Romanian Leu"],
  ["SEK", "Swedish Krona"],
  ["SGD", "Singapore Dollar"],
  ["THB", "Thai Baht"],
  ["TRY", "Turkish Lira"],
  ["USD", "US Dollar"],
  ["ZAR", "South African Rand"],
]);

const DIGITS_BY_QUOTE: ReadonlyMap<string, number> = new Map([
  ["JPY", 3],
  ["HUF", 3],
  ["THB", 3],
  ["CZK", 4],
]);
const PIP_BY_DIGITS: ReadonlyMap<number, number> = new Map([
  [3, 0.01],
  [4, 0.001],
  [5, 0.0001],
]);

function forex(symbol: string): Instrument {
  const base = symbol.slice(0, 3);
  const quote = symbol.slice(3);
  const digits = DIGITS_BY_QUOTE.get(quote) ?? 5;
  const name = `${CURRENCY_NAMES.get(base) ?? base} vs ${CURRENCY_NAMES.get(quote) ?? quote}`;
  return {
    ...DEFAULTS,
    symbol,
    name,
    description: `${name}, spot rate: ${quote} for one ${base}`,
    category: "forex",
    base,
    quote,
    digits,
    pipSize: PIP_BY_DIGITS.get(digits) ?? 0.0001,
    contractSize: 100_000,
    marginCurrency: base,
    tradingHours: forexHours,
  };
}

const majors = ["EURUSD", "GBPUSD", "AUDUSD", "NZDUSD", "USDJPY", "USDCHF", "USDCAD"];

const crosses = [
  ["EURGBP", "EURJPY", "EURCHF", "EURAUD", "EURCAD", "EURNZD"],
  ["GBPJPY", "GBPCHF", "GBPAUD", "GBPCAD", "GBPNZD"],
  ["AUDJPY", "AUDCHF", "AUDCAD", "AUDNZD"],
  ["NZDJPY", "NZDCHF", "NZDCAD"],
  ["CADJPY", "CADCHF", "CHFJPY"],
].flat();

const exotics = [
  ["USDSEK", "USDNOK", "USDDKK", "USDPLN", "USDHUF", "USDCZK", "USDRON", "USDTRY", "USDZAR", "USDMXN"],
  ["USDSGD", "USDHKD", "USDCNH", "USDTHB", "USDILS"],
  ["EURSEK", "EURNOK", "EURDKK", "EURPLN", "EURHUF", "EURCZK", "EURRON", "EURTRY", "EURZAR", "EURMXN"],
  ["EURSGD", "EURHKD", "EURCNH", "EURILS"],
  ["GBPSEK", "GBPNOK", "GBPDKK", "GBPPLN", "GBPTRY", "GBPZAR", "GBPMXN", "GBPSGD"],
  ["AUDSGD", "NZDSGD", "SGDJPY", "ZARJPY", "TRYJPY", "NOKSEK"],
].flat();

export const forexInstruments: readonly Instrument[] = [...majors, ...crosses, ...exotics].map(forex);
