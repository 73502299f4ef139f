/** One candle of a timeframe, made of bid prices as in MetaTrader. */
export interface Bar {
  /** When it opened: UTC milliseconds. */
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Price updates in it (tick volume). */
  readonly volume: number;
}
