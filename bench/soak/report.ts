import { isSteady, isSteadyByHours, measureGrowth } from "@/bench/soak/growth";
import { getRowsColumn } from "@/bench/soak/rows";
import { listRemovals, type RetentionDays } from "@/lib/history/retention";

/** One row for 500 bars, which goes with them, a row for a minute of all symbols, and one for each start of a server. */
const REMOVED_TOO = ["bar_memory", "book_log", "tape_run", "quality_hour"];
/** Records that nothing removes, with a few rows an hour. */
const KEPT_TABLES = ["audit_event", "calendar_change", "calendar_event", "closed_hour", "usage_hour"];

export interface Sample {
  readonly atMs: number;
  readonly columns: Readonly<Record<string, number>>;
}

/** Prints the growth of every column. Returns whether all are steady that no later clean-up reduces. */
export function reportGrowth(samples: readonly Sample[], columns: readonly string[], keepDays: RetentionDays): boolean {
  const removed = [...listRemovals(keepDays, 0).map(({ table }) => table), ...REMOVED_TOO];
  const retained = new Set(removed.map(getRowsColumn));
  const kept = new Set(KEPT_TABLES.map(getRowsColumn));
  const packed = getRowsColumn("tick_second");
  console.log("\nThe straight line through the second half:\n");
  console.log("| measure | first | last | an hour | % an hour | % since the hour before | within 1 % an hour |");
  console.log("|---|---|---|---|---|---|---|");
  const unsteady: string[] = [];
  for (const column of columns) {
    const points = samples.flatMap(({ atMs, columns }) => {
      const value = columns[column];
      return value === undefined || Number.isNaN(value) ? [] : [{ atMs, value }];
    });
    const growth = measureGrowth(points);
    const words = () => {
      if (retained.has(column)) return "grows until retention removes rows";
      if (column === packed) return "grows for an hour, then its rows are packed";
      if (isSteady(growth)) return "yes";
      if (kept.has(column)) return "no: kept for good";
      if (isSteadyByHours(growth)) return "no, but steady from hour to hour";
      unsteady.push(column);
      return "NO";
    };
    const { perHour, percentPerHour, percentSinceHourBefore } = growth;
    const cells = [
      column,
      toText(points[0]?.value),
      toText(points.at(-1)?.value),
      toText(perHour),
      percentPerHour.toFixed(2),
      percentSinceHourBefore?.toFixed(2) ?? "",
      words(),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(
    `\nRetention removes rows of: ${[...retained].map((column) => column.slice("rows of ".length)).join(", ")}.`,
  );
  console.log(unsteady.length === 0 ? "All others are steady." : `Not steady: ${unsteady.join(", ")}.`);
  return unsteady.length === 0;
}

function toText(value: number | undefined): string {
  if (value === undefined) return "";
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
