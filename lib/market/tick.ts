/** One price update as a broker sent it, before anything has been checked. */
export interface Tick {
  /** The broker source's name, lower case: "oanda". */
  readonly source: string;
  /** The instrument in the broker's own spelling. */
  readonly brokerSymbol: string;
  readonly bid: number;
  readonly ask: number;
  /** When the broker says the price was made: UTC milliseconds. Authority on the age of the price. */
  readonly brokerTimeMs: number;
  /** When it reached this process: UTC milliseconds of the market clock. */
  readonly receivedAtMs: number;
}

/** Where a source's prices come from; everything but "live" is labelled wherever it is shown. */
export type DataMode = "live" | "simulated" | "replay";
