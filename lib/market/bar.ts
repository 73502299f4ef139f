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

/** One price update as a broker sent it, unchecked. */
export interface Tick {
  /** The broker source's name, lower case: "oanda". */
  readonly source: string;
  /** The instrument in the broker's own spelling. */
  readonly brokerSymbol: string;
  readonly bid: number;
  readonly ask: number;
  /** The broker's time of the price: UTC milliseconds. The age of the price is measured from it. */
  readonly brokerTimeMs: number;
  /** When this process received it: UTC milliseconds of the market clock. */
  readonly receivedAtMs: number;
}

/** The kind of a source's prices; everything but "live" is labelled wherever it is shown. */
export const DATA_MODES = ["live", "simulated", "replay"] as const;
export type DataMode = (typeof DATA_MODES)[number];

/** The data mode of an imported source, which its name tells: "simulated-parquet". */
export function getSourceMode(source: string): DataMode {
  const [first] = source.split("-");
  return first === "simulated" || first === "replay" ? first : "live";
}

/** The name under which prices of a mode are imported from a source. One that tells a mode keeps it. */
export function markSource(source: string, mode: DataMode): string {
  return mode === "live" || mode === getSourceMode(source) ? source : `${mode}-${source}`;
}
