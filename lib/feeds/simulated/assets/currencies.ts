import { type Asset, asset } from "@/lib/feeds/simulated/assets/asset";

/**
 * Currencies and precious metals, valued in US dollars. The dollar has its own path, so that all its pairs move
 * together; the volatilities make EURUSD about 7 % a year, USDJPY 9, gold 16.
 */
export const currencies: Readonly<Record<string, Asset>> = {
  USD: asset(1, 4.5, 0.1, "america"),
  EUR: asset(1.16, 5.2, 0.4, "europe"),
  GBP: asset(1.325, 4.6, 0.65, "europe", "EUR 0.7"),
  CHF: asset(1.25, 4, 1.1, "europe", "EUR 0.85"),
  JPY: asset(0.00655, 7.5, 0.4, "asia"),
  AUD: asset(0.655, 6.2, 0.95, "oceania", "EUR 0.6"),
  NZD: asset(0.575, 3.8, 1.8, "oceania", "AUD 0.9"),
  CAD: asset(0.715, 4.2, 0.75, "america", "AUD 0.25"),

  SEK: asset(0.1055, 5, 3, "europe", "EUR 1"),
  NOK: asset(0.0985, 6.5, 3.5, "europe", "EUR 0.9"),
  DKK: asset(0.1553, 0.2, 1.5, "europe", "EUR 1"),
  PLN: asset(0.2735, 4.5, 5, "europe", "EUR 1"),
  HUF: asset(0.003, 6, 6, "europe", "EUR 1"),
  CZK: asset(0.0478, 3.5, 6, "europe", "EUR 1"),
  RON: asset(0.2285, 0.8, 10, "europe", "EUR 1"),
  TRY: asset(0.0237, 6, 15, "europe"),
  ZAR: asset(0.058, 12, 8, "europe", "AUD 0.5"),
  MXN: asset(0.0543, 9.5, 4.5, "america"),
  ILS: asset(0.305, 8, 8, "europe"),
  SGD: asset(0.77, 2.2, 1.6, "asia", "EUR 0.4"),
  CNH: asset(0.1405, 2, 1.3, "asia", "USD 0.7"),
  HKD: asset(0.1285, 0.3, 0.9, "asia", "USD 1"),
  THB: asset(0.0308, 6, 8, "asia"),

  XAU: asset(4_080, 15, 0.6, "global"),
  XAG: asset(50.5, 17, 5, "global", "XAU 1.1"),
  XPT: asset(1_560, 22, 15, "global", "XAU 0.6"),
  XPD: asset(1_410, 30, 25, "global", "XAU 0.4"),
};
