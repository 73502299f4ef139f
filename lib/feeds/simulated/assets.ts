import type { RegionName } from "@/lib/feeds/simulated/week";
import type { Instrument } from "@/lib/market/instrument";

/** One asset with its own price path. Instruments' prices are computed from assets. */
interface Asset {
  /** The level that the path returns to: in USD for currencies, metals and coins, in its own currency otherwise. */
  readonly value: number;
  /** Yearly volatility of its own path in percent, without the part that comes from the asset it follows. */
  readonly volatility: number;
  /** Its part of a typical broker's spread, in hundredths of a percent of the price. */
  readonly spreadBp: number;
  /** The hours in which it moves. */
  readonly region: RegionName;
  /** Adds this share of another asset's path. */
  readonly follows?: { readonly asset: string; readonly share: number };
}

/** Shorthand for one row of a table: `follows` is text such as "EUR 0.7" for 0.7 of the euro's moves. */
function asset(value: number, volatility: number, spreadBp: number, region: RegionName, follows = ""): Asset {
  if (follows === "") return { value, volatility, spreadBp, region };
  const [leader = "", share = "1"] = follows.split(" ");
  return { value, volatility, spreadBp, region, follows: { asset: leader, share: Number(share) } };
}

/**
 * Currencies and precious metals, valued in US dollars. The dollar has its own path, so that all its pairs move
 * together; the volatilities make EURUSD about 7 % a year, USDJPY 9, gold 16.
 */
const currencies: Readonly<Record<string, Asset>> = {
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

/** Coins, valued in US dollars. Most follow Bitcoin, with larger moves. */
const coins: Readonly<Record<string, Asset>> = {
  BTC: asset(91_500, 42, 1.8, "coins"),
  ETH: asset(3_020, 32, 3, "coins", "BTC 1.15"),
  LTC: asset(88, 45, 12, "coins", "BTC 0.9"),
  BCH: asset(495, 48, 12, "coins", "BTC 0.9"),
  XRP: asset(2.1, 50, 8, "coins", "BTC 0.9"),
  SOL: asset(138, 45, 8, "coins", "BTC 1.2"),
  BNB: asset(890, 35, 8, "coins", "BTC 0.8"),
  LINK: asset(13.2, 50, 15, "coins", "BTC 1.1"),
  UNI: asset(7.1, 60, 25, "coins", "BTC 1.1"),
  AVAX: asset(14.1, 55, 20, "coins", "BTC 1.2"),
  DOT: asset(2.75, 52, 25, "coins", "BTC 1.1"),
  ATOM: asset(2.85, 52, 25, "coins", "BTC 1"),
  ETC: asset(14.2, 48, 20, "coins", "BTC 1"),
  ADA: asset(0.47, 50, 20, "coins", "BTC 1.1"),
  DOGE: asset(0.158, 60, 18, "coins", "BTC 1.1"),
  XLM: asset(0.25, 52, 20, "coins", "XRP 0.8"),
  TRX: asset(0.288, 35, 20, "coins", "BTC 0.5"),
  XTZ: asset(0.55, 50, 30, "coins", "BTC 1"),
  ALGO: asset(0.158, 52, 30, "coins", "BTC 1.1"),
};

/** Commodities and stock indices under their instruments' symbols, each in the currency it is quoted in. */
const contracts: Readonly<Record<string, Asset>> = {
  USOIL: asset(59.8, 32, 4, "global"),
  UKOIL: asset(63.9, 6, 4, "global", "USOIL 0.93"),
  NATGAS: asset(4.4, 55, 12, "america"),
  COPPER: asset(5.05, 22, 6, "global"),

  US500: asset(6_650, 15, 0.7, "america"),
  US30: asset(46_500, 6, 0.6, "america", "US500 0.85"),
  NAS100: asset(24_600, 9, 0.8, "america", "US500 1.15"),
  US2000: asset(2_390, 12, 1.8, "america", "US500 1.05"),
  GER40: asset(23_500, 11, 0.5, "europe", "US500 0.6"),
  EU50: asset(5_600, 3, 2.5, "europe", "GER40 0.95"),
  FRA40: asset(8_050, 6, 1.5, "europe", "GER40 0.85"),
  UK100: asset(9_600, 8, 1, "europe", "GER40 0.5"),
  ESP35: asset(16_100, 8, 3, "europe", "GER40 0.8"),
  ITA40: asset(43_200, 8, 3, "europe", "GER40 0.85"),
  NED25: asset(935, 7, 2, "europe", "GER40 0.8"),
  SWI20: asset(12_650, 8, 2.5, "europe", "GER40 0.5"),
  JP225: asset(49_200, 17, 1.5, "asia", "US500 0.5"),
  AUS200: asset(8_500, 11, 1.6, "oceania", "US500 0.35"),
  HK50: asset(25_700, 22, 2.5, "asia"),
  CHINA50: asset(15_100, 12, 5, "asia", "HK50 0.5"),
  SING30: asset(415, 9, 6, "asia", "HK50 0.3"),
};

const american = (value: number, volatility: number, spreadBp = 2.5, share = 0.9) =>
  asset(value, volatility, spreadBp, "america", `US500 ${share}`);
const european = (value: number, volatility: number, spreadBp = 5) =>
  asset(value, volatility, spreadBp, "europe", "GER40 0.8");

/** Shares under their instruments' symbols, each in its listing's currency. */
const shares: Readonly<Record<string, Asset>> = {
  AAPL: american(270, 22, 1.5, 1.1),
  AMD: american(225, 42, 2.5, 1.5),
  AMZN: american(225, 24, 1.8, 1.2),
  BA: american(185, 30),
  BABA: american(155, 38),
  BAC: american(52, 20, 3),
  COIN: american(262, 60, 5, 1.6),
  CVX: american(153, 20),
  DIS: american(106, 23),
  GOOGL: american(288, 25, 1.8, 1.1),
  INTC: american(36, 45, 4, 1.2),
  JNJ: american(200, 15, 2.5, 0.4),
  JPM: american(305, 18),
  KO: american(71, 13, 3, 0.4),
  MCD: american(306, 15, 2.5, 0.4),
  META: american(600, 28, 2, 1.2),
  MSFT: american(482, 18, 1.5, 1),
  NFLX: american(108, 30, 3, 1),
  NKE: american(63, 30, 3),
  NVDA: american(184, 35, 1.8, 1.6),
  ORCL: american(213, 38, 3, 1.2),
  PFE: american(25, 20, 4, 0.5),
  TSLA: american(405, 45, 2, 1.6),
  V: american(328, 16),
  WMT: american(102, 17, 3, 0.5),
  XOM: american(118, 19),

  "ADS.DE": european(160, 26),
  "ALV.DE": european(365, 14, 4),
  "BMW.DE": european(86, 24),
  "DBK.DE": european(30.5, 27),
  "SAP.DE": european(212, 22, 3.5),
  "SIE.DE": european(228, 20, 3.5),
  "VOW3.DE": european(97, 25),
  "AIR.FR": european(207, 22),
  "BNP.FR": european(71, 22),
  "MC.FR": european(625, 26, 4),
  "OR.FR": european(362, 19),
  "ASML.NL": european(870, 30, 4),
  "NESN.CH": european(79.5, 15),
  "NOVN.CH": european(103, 15),
};

/** All assets by name: a currency's code, or an instrument's symbol. */
const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries({ ...currencies, ...coins, ...contracts, ...shares }),
);

export function findAsset(name: string): Asset {
  const found = assets.get(name);
  if (found === undefined) throw new Error(`The simulation has no asset "${name}"`);
  return found;
}

/**
 * The assets of an instrument's price: one asset against another, or one asset in its own currency. Undefined for an
 * instrument whose level the simulation does not define; it is not quoted.
 */
export function findLegs({ symbol, base, quote }: Instrument): { base: string; quote: string | null } | undefined {
  if (base !== null && quote !== null && assets.has(base) && assets.has(quote)) return { base, quote };
  return assets.has(symbol) ? { base: symbol, quote: null } : undefined;
}

/** The level of an instrument's price in late 2025; null if the simulation does not define it. */
export function findUsualLevel(instrument: Instrument): number | null {
  const legs = findLegs(instrument);
  if (legs === undefined) return null;
  const { value } = findAsset(legs.base);
  return legs.quote === null ? value : value / findAsset(legs.quote).value;
}
