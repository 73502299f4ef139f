import { join } from "node:path";
import { listLeanSeries } from "@/lib/feeds/replay/folders";

/** One recorded price, unchanged from its file. */
export interface RecordedTick {
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
}

const ZONES: Readonly<Record<string, string>> = { fxcm: "Etc/GMT+5" };

/** Reads every recorded day in order, without crossed prices. */
export function* readRealDays(dir: string) {
  for (const { source, brokerSymbol, files } of listLeanSeries(join(dir, "ticks/lean/Data"))) {
    for (const file of files) {
      const rows = file.open(ZONES[source]);
      const ticks: RecordedTick[] = [];
      while (rows.next()) {
        if (rows.bid <= rows.ask) ticks.push({ timeMs: rows.timeMs, bid: rows.bid, ask: rows.ask });
      }
      yield { source, symbol: brokerSymbol.toUpperCase(), ticks };
    }
  }
}
