import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openLeanRows } from "@/lib/feeds/replay/lean-rows";
import { listLeanSeries } from "@/lib/feeds/replay/lean-folder";

/** One recorded price as its file has it, put on the UTC clock. */
export interface RecordedTick {
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
}

/** FXCM's files are in a fixed UTC−5. */
const BEHIND_UTC_MS: Readonly<Record<string, number>> = { fxcm: 5 * 3_600_000 };

/** Every recorded day there is, one after the other, with those prices that do not cross. */
export function* realDays(dir: string) {
  for (const { source, brokerSymbol, days } of listLeanSeries(join(dir, "ticks/lean/Data"))) {
    for (const { path, date } of days) {
      const midnight =
        Date.UTC(+date.slice(0, 4), +date.slice(4, 6) - 1, +date.slice(6)) + (BEHIND_UTC_MS[source] ?? 0);
      const rows = openLeanRows(readFileSync(path));
      const ticks: RecordedTick[] = [];
      while (rows.next()) {
        if (rows.bid <= rows.ask) ticks.push({ timeMs: midnight + rows.ms, bid: rows.bid, ask: rows.ask });
      }
      yield { source, symbol: brokerSymbol.toUpperCase(), ticks };
    }
  }
}
