import { type BarRow, deleteBars, insertBars, joinHourBars } from "@/lib/history/bars/bar-rows";
import { joinBars, toMinuteBars } from "@/lib/history/bars/point-bar";
import type { HourStore } from "@/lib/history/history";
import { barEnd, barStart, type Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS } from "@/lib/time/units";

/** Timeframes of which an hour holds whole bars. */
const WITHIN_AN_HOUR = ["M5", "M15", "M30", "H1"] as const satisfies readonly Timeframe[];
/** Timeframes whose bars grow hour by hour. */
const BEYOND_AN_HOUR = ["H4", "D1", "W1"] as const satisfies readonly Timeframe[];

/** Statements are put together on the thread that serves prices, so not of everything at once. */
const ROWS_A_STATEMENT = 2_000;

/** Keeps an hour's bars of every timeframe. */
export const barStore: HourStore = {
  async writeHour(client, columns) {
    const symbols = columns.map(({ symbol }) => symbol);
    const [hourMs] = columns.map((each) => each.hourMs);
    if (hourMs === undefined) return;
    const rows = columns.flatMap((hour): BarRow[] => {
      const minutes = toMinuteBars(hour);
      const { symbol } = hour;
      return [
        ...minutes.map((bar) => ({ ...bar, symbol, timeframe: "M1" as const })),
        ...WITHIN_AN_HOUR.flatMap((timeframe) =>
          joinBars(minutes, timeframe).map((bar) => ({ ...bar, symbol, timeframe })),
        ),
      ];
    });
    await deleteBars(client, symbols, hourMs, hourMs + HOUR_MS);
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
      await insertBars(client, rows.slice(at, at + ROWS_A_STATEMENT));
    }
    for (const timeframe of BEYOND_AN_HOUR) {
      const startMs = barStart(timeframe, hourMs);
      await joinHourBars(client, symbols, timeframe, startMs, barEnd(timeframe, startMs));
    }
  },
};
