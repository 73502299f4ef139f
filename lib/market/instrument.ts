/** The asset classes an instrument can belong to, as `/v1/symbols?category=` names them. */
export const CATEGORIES = ["forex", "metals", "commodities", "indices", "crypto", "stocks"] as const;
export type Category = (typeof CATEGORIES)[number];

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/**
 * When an instrument trades: intervals of civil time in one IANA zone. A start of "17:00" on Sunday with an end on
 * Friday is written as one interval per weekday, each ending at "24:00" or at a break.
 */
export interface TradingHours {
  readonly zone: string;
  readonly days: Readonly<Record<Weekday, readonly { readonly from: string; readonly to: string }[]>>;
}

/** One tradable thing under the name Spotline gives it, whatever brokers call it. */
export interface Instrument {
  /** Canonical symbol, upper case: "EURUSD", "XAUUSD", "GER40", "AAPL". */
  readonly symbol: string;
  readonly name: string;
  readonly description: string;
  readonly category: Category;
  /** ISO 4217 code (or metal / coin code) of what is bought; null where there is none, as for an index. */
  readonly base: string | null;
  /** ISO 4217 code of what it is priced in. */
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
  /** Overnight financing in points per lot; null where only the broker knows. */
  readonly swapLong: number | null;
  readonly swapShort: number | null;
  readonly marginCurrency: string | null;
  readonly tradingHours: TradingHours;
  /** Other names of the same instrument, in their usual spelling: "GOLD", "DE40", "EUR/USD" is implied. */
  readonly aliases: readonly string[];
}
