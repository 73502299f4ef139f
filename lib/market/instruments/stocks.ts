import type { Instrument, TradingHours } from "@/lib/market/instrument";
import { DEFAULTS, newYorkStockHours, weekdays } from "@/lib/market/instruments/hours";

/**
 * Shares of large companies, one share a lot, in the hours of their home exchange. American shares have their ticker as
 * symbol. European ones have a country suffix ("SAP.DE"), because the same letters name another listing in New York.
 */

interface Listing {
  readonly currency: string;
  readonly hours: TradingHours;
}

function stock(
  symbol: string,
  name: string,
  { currency, hours }: Listing,
  aliases: readonly string[] = [],
): Instrument {
  return {
    ...DEFAULTS,
    symbol,
    name,
    description: `${name}: price of one share in ${currency}`,
    category: "stocks",
    base: null,
    quote: currency,
    digits: 2,
    pipSize: 0.01,
    contractSize: 1,
    minVolume: 1,
    maxVolume: 10_000,
    volumeStep: 1,
    marginCurrency: currency,
    tradingHours: hours,
    aliases,
  };
}

const newYork: Listing = { currency: "USD", hours: newYorkStockHours };
const xetra: Listing = { currency: "EUR", hours: weekdays("Europe/Berlin", "09:00-17:30") };
const paris: Listing = { currency: "EUR", hours: weekdays("Europe/Paris", "09:00-17:30") };
const amsterdam: Listing = { currency: "EUR", hours: weekdays("Europe/Amsterdam", "09:00-17:30") };
const zurich: Listing = { currency: "CHF", hours: weekdays("Europe/Zurich", "09:00-17:20") };

export const stockInstruments: readonly Instrument[] = [
  stock("AAPL", "Apple", newYork),
  stock("AMD", "Advanced Micro Devices", newYork),
  stock("AMZN", "Amazon", newYork),
  stock("BA", "Boeing", newYork),
  stock("BABA", "Alibaba (ADR)", newYork),
  stock("BAC", "Bank of America", newYork),
  stock("COIN", "Coinbase", newYork),
  stock("CVX", "Chevron", newYork),
  stock("DIS", "Walt Disney", newYork),
  stock("GOOGL", "Alphabet class A", newYork),
  stock("INTC", "Intel", newYork),
  stock("JNJ", "Johnson & Johnson", newYork),
  stock("JPM", "JPMorgan Chase", newYork),
  stock("KO", "Coca-Cola", newYork),
  stock("MCD", "McDonald's", newYork),
  stock("META", "Meta Platforms", newYork, ["FB"]),
  stock("MSFT", "Microsoft", newYork),
  stock("NFLX", "Netflix", newYork),
  stock("NKE", "Nike", newYork),
  stock("NVDA", "NVIDIA", newYork),
  stock("ORCL", "Oracle", newYork),
  stock("PFE", "Pfizer", newYork),
  stock("TSLA", "Tesla", newYork),
  stock("V", "Visa", newYork),
  stock("WMT", "Walmart", newYork),
  stock("XOM", "Exxon Mobil", newYork),
  stock("ADS.DE", "Adidas", xetra),
  stock("ALV.DE", "Allianz", xetra),
  stock("BMW.DE", "BMW", xetra),
  stock("DBK.DE", "Deutsche Bank", xetra),
  stock("SAP.DE", "SAP", xetra),
  stock("SIE.DE", "Siemens", xetra),
  stock("VOW3.DE", "Volkswagen preference", xetra),
  stock("AIR.FR", "Airbus", paris),
  stock("BNP.FR", "BNP Paribas", paris),
  stock("MC.FR", "LVMH", paris),
  stock("OR.FR", "L'Oreal", paris),
  stock("ASML.NL", "ASML", amsterdam),
  stock("NESN.CH", "Nestle", zurich),
  stock("NOVN.CH", "Novartis", zurich),
];
