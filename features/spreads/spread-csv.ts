import type { SpreadLinesData, SpreadTableData } from "@/features/spreads/types";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { formatCsv } from "@/lib/text/csv";

/** Formats the compared symbols, in pips. A cell without a figure is empty. */
export function formatTable({ rows }: SpreadTableData, period: SpreadPeriod): string {
  const heads = ["symbol", "period", "current", "average", "p5", "median", "p95", "lowest", "highest", "state"];
  return formatCsv(
    heads,
    rows.map(({ symbol, current, avg, p5, median, p95, min, max, state }) =>
      [symbol, period, current, avg, p5, median, p95, min, max, state].map((cell) => cell ?? ""),
    ),
  );
}

/** Formats every step of the lines, in pips: one row for each line and step. */
export function formatLines({ lines }: SpreadLinesData): string {
  return formatCsv(
    ["symbol", "source", "time", "average", "p5", "p95"],
    lines.flatMap(({ key, points }) => {
      const [symbol = "", ...source] = key.split(":");
      return points.map(([startMs, avg, p5, p95]) => {
        return [symbol, source.join(":"), new Date(startMs).toISOString(), avg, p5 ?? "", p95 ?? ""];
      });
    }),
  );
}
