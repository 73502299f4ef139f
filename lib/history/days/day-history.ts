import type { TradingDay } from "@/lib/market/day-change";

/** The running trading day of each symbol, from its recorded seconds. */
export interface DayHistory {
  /**
   * Loads the days of all symbols, on first use and after hours were rewritten; otherwise resolves at once. Rejects when
   * the database cannot be read. Until then, reads return what is in memory.
   */
  load(): Promise<void>;
  /** The day of the latest recorded price; the same object until it changes. Undefined without a price. */
  read(symbol: string): TradingDay | undefined;
  /** The last bid of each quarter of an hour since the start of the day, in points; null where there was none. */
  readQuarters(symbol: string): readonly (number | null)[];
}
