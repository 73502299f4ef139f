import { join } from "node:path";
import { listSeries } from "@/lib/feeds/replay/folders";
import { openSeries } from "@/lib/feeds/replay/recording";
import { DAY_MS } from "@/lib/time/units";

/** A tick of a recording. Each one is an object of its own. */
export interface DayTick {
  /** The broker's spelling, such as `eurusd`. */
  readonly symbol: string;
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
}

export interface RecordedDay {
  /** The folder of recorded market data. */
  readonly realData: string;
  readonly source: string;
  readonly symbol: string;
  /** UTC midnight of the day. */
  readonly fromMs: number;
}

/** Vendors whose files are not in UTC. */
const ZONES: Readonly<Record<string, string>> = { fxcm: "Etc/GMT+5" };

/** Reads all ticks that one broker sent for one symbol on one day (UTC), in the file's order. Throws if there is none. */
export function* readDay({ realData, source, symbol, fromMs }: RecordedDay): Generator<DayTick> {
  const all = listSeries(join(realData, "ticks/lean/Data"));
  const series = all.find((other) => other.source === source && other.brokerSymbol === symbol);
  if (series === undefined) throw new Error(`no recording of ${symbol} by ${source}`);
  const cursor = openSeries(series, ZONES[source], fromMs, ({ path, error }) => {
    throw error ?? new Error(`${path} has malformed rows`);
  });
  while (cursor.next() && cursor.timeMs < fromMs + DAY_MS) {
    yield { symbol, timeMs: cursor.timeMs, bid: cursor.bid, ask: cursor.ask };
  }
}
