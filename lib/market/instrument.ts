/** The asset classes an instrument can belong to, as `/v1/symbols?category=` names them. */
export const CATEGORIES = ["forex", "metals", "commodities", "indices", "crypto", "stocks"] as const;
export type Category = (typeof CATEGORIES)[number];

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * When an instrument trades: intervals of civil time in one IANA zone. Trading from Sunday "17:00" to Friday is written
 * as one interval for each weekday, which ends at "24:00" or at a break.
 */
export interface TradingHours {
  readonly zone: string;
  readonly days: Readonly<Record<Weekday, readonly { readonly from: string; readonly to: string }[]>>;
}

/** Where a fact of an instrument comes from: its source or an operator says so, the symbol's name shows it, or it is usual. */
export type FactOrigin = "source" | "operator" | "name" | "default";

/** Where each fact that could be derived comes from. */
export type Provenance = Readonly<Record<"category" | "currencies" | "digits" | "pip" | "hours" | "name", FactOrigin>>;

/** A tradable instrument under its canonical name. */
export interface Instrument {
  /** Canonical symbol, upper case: "EURUSD", "XAUUSD", "GER40", "AAPL". */
  readonly symbol: string;
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  /** ISO 4217 code (or metal / coin code) of the base; null if there is none, as for an index. */
  readonly base: string | null;
  /** ISO 4217 code of the currency that it is priced in. */
  readonly quote: string | null;
  /** Decimals of a price. One point is 10^-digits. */
  readonly digits: number;
  /** Size of one pip in price units. */
  readonly pipSize: number;
  /** Units of the base in one lot. */
  readonly contractSize: number;
  readonly minVolume: number;
  readonly maxVolume: number;
  readonly volumeStep: number;
  /** Overnight financing in points per lot; null if only the broker defines it. */
  readonly swapLong: number | null;
  readonly swapShort: number | null;
  readonly marginCurrency: string | null;
  readonly tradingHours: TradingHours;
  /** Other names of the same instrument in their usual spelling, such as "GOLD" or "DE40". "EUR/USD" is implied. */
  readonly aliases: readonly string[];
  /** Who added it to the catalog; undefined for a built-in one. The source is null if an operator did. */
  readonly addedBy?: { readonly source: string | null; readonly provenance: Provenance };
}
