import type { FileOutcome } from "@/cli/import-text";
import type { ImportTask } from "@/lib/history/import/import-file";
import type { ImportReport } from "@/lib/history/import/import-report";
import { checkZone, joinWeekends, type ZoneCheck } from "@/lib/history/import/zone-check";

/** The check of the zone of all files of one symbol, source and zone. */
export interface SeriesCheck extends ZoneCheck {
  readonly symbol: string;
  readonly source: string;
  readonly zone: string;
}

export function checkSeries(outcomes: readonly FileOutcome[]): SeriesCheck[] {
  const series = new Map<string, { readonly task: ImportTask; readonly reports: ImportReport[] }>();
  for (const { task, result } of outcomes) {
    if (task === null || result === null) continue;
    const key = `${task.key.symbol} ${task.key.source} ${task.key.zone}`;
    const known = series.get(key);
    if (known === undefined) series.set(key, { task, reports: [result.report] });
    else known.reports.push(result.report);
  }
  return Array.from(series.values(), ({ task, reports }) => {
    const { symbol, source, zone } = task.key;
    return { symbol, source, zone, ...checkZone(joinWeekends(reports), task.instrument, zone) };
  });
}

export function formatCheck(check: SeriesCheck, isDryRun: boolean): string {
  const { symbol, source, zone, state, weekends, fitting, suggestions } = check;
  const name = `${symbol} from ${source}, times of ${zone}`;
  if (state === "unknown") return `${name}: the zone could not be checked, because no weekly opening is in the files.`;
  const counted = `${name}: ${fitting} of ${weekends} weekly openings and closes fit the market's, Sunday to Friday 17:00 New York`;
  if (state === "fits") return `${counted}.`;
  if (suggestions.length === 0) return `${counted}; no common zone fits better.`;
  const again = isDryRun
    ? ""
    : ` Remove the rows with “import remove --source ${source} --symbol ${symbol}”, then import them again.`;
  return `WRONG ZONE? ${counted}. Better fits --zone ${suggestions.join(", or ")}.${again}`;
}
