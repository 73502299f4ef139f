import { UNUSED } from "@/lib/feeds/files/column-names";
import type { LeftOutFile } from "@/lib/feeds/files/open-price-file";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { ImportResult, ImportTask } from "@/lib/history/import/import-file";
import { type ImportReport, REFUSED_WORDS, type RefusedRow } from "@/lib/history/import/import-report";
import { checkZone, joinWeekends, type ZoneCheck } from "@/lib/history/import/plan-import";
import type { Instrument } from "@/lib/market/instrument";
import { formatCount, toNameText } from "@/lib/text/text";
import { formatWait } from "@/lib/time/duration";
import { MINUTE_MS } from "@/lib/time/units";

/** The report of an import, as JSON and as text. */

/** Reports of single files in the text of many. */
const MAX_FILES_SHOWN = 20;

/** What an import has done. */
export interface Outcome {
  readonly outcomes: readonly FileOutcome[];
  readonly leftOut: readonly LeftOutFile[];
  /** The instruments that the catalog lacked. */
  readonly added: readonly Instrument[];
  readonly isDryRun: boolean;
}

/** An import as JSON, as the command prints it. */
export type OutcomeJson = ReturnType<typeof report>["json"];

/** The outcome of an import as JSON and as text. It has failed if a file was not imported whole, or if there was none. */
export function report({ outcomes, leftOut, added, isDryRun }: Outcome) {
  const failed = outcomes.filter(({ error }) => error !== null);
  const refused = leftOut.filter(({ hasPrices }) => hasPrices);
  const sum = (pick: (report: NonNullable<FileOutcome["result"]>["report"]) => number) =>
    outcomes.reduce((total, { result }) => total + (result === null ? 0 : pick(result.report)), 0);
  const shown = [...failed, ...outcomes.filter(({ error }) => error === null)].slice(0, MAX_FILES_SHOWN);
  const lines = shown.map((outcome) => formatImport(outcome, isDryRun));
  if (outcomes.length > shown.length)
    lines.push(`… and ${formatCount(outcomes.length - shown.length)} more files; --json has all`);
  for (const { symbol, name, category, digits } of added) {
    const verb = isDryRun ? "would be added" : "was added";
    lines.push(`${symbol} ${verb} to the catalog: ${name}, ${category}, ${digits} digits.`);
  }
  lines.push(...formatLeftOut("Not imported", refused));
  lines.push(
    ...formatLeftOut(
      "Skipped, no file of prices",
      leftOut.filter(({ hasPrices }) => !hasPrices),
    ),
  );
  const checks = checkSeries(outcomes);
  lines.push(...checks.map((check) => formatCheck(check, isDryRun)));
  const failures = failed.length + refused.length;
  if (outcomes.length + leftOut.length > 1) {
    const counts = `${formatCount(sum(({ accepted }) => accepted))} rows accepted, ${formatCount(sum(({ added }) => added))} new`;
    lines.push(
      `${formatCount(outcomes.length + leftOut.length)} files: ${counts}, ${formatCount(failures)} not imported whole, ${formatCount(leftOut.length - refused.length)} skipped`,
    );
  }
  const json = {
    dry_run: isDryRun,
    files: outcomes.map((outcome) => toImportJson(outcome, isDryRun)),
    added_instruments: added.map(({ symbol }) => symbol),
    left_out: leftOut.map(({ path, reason, hasPrices }) => ({ file: path, reason, has_prices: hasPrices })),
    rows: sum(({ rows }) => rows),
    accepted: sum(({ accepted }) => accepted),
    added: sum(({ added }) => added),
    weekly_sessions: checks,
    failed: failures,
  };
  return { json, text: lines.join("\n"), failed: failures > 0 || outcomes.length === 0 };
}

/** The files of folders that were left out, with their reasons. */
function formatLeftOut(title: string, files: readonly LeftOutFile[]): string[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MAX_FILES_SHOWN).map(({ reason }) => `  ${reason}`);
  const more = files.length - shown.length;
  return [`${title}:`, ...shown, ...(more === 0 ? [] : [`  … and ${formatCount(more)} more; --json has all`])];
}

/** Rows that are left out for what they are, not for a fault of the file or of how it was read. */
const NO_FAULTS: ReadonlySet<RefusedRow> = new Set(["closed_hours", "too_recent", "open_hour"]);

/** Why a file counts as not imported; null for a good one. A file of Dukascopy may be an hour without ticks. */
export function findFault({ file }: ImportTask, report: ImportReport, mostRefused: number): string | null {
  const { rows, accepted, refused } = report;
  const count = (isCounted: (reason: RefusedRow) => boolean) =>
    Object.entries(refused).reduce(
      (sum, [reason, each]) => sum + (isCounted(reason as RefusedRow) ? each.count : 0),
      0,
    );
  const malformed = count((reason) => reason === "malformed");
  const faulty = count((reason) => !NO_FAULTS.has(reason));
  if (malformed > accepted) return `${formatCount(malformed)} of ${formatCount(rows)} rows cannot be read`;
  if (rows === 0) return file.format === "dukascopy" ? null : "it has no rows";
  if (accepted === 0 && count((reason) => reason === "closed_hours") < rows) {
    return `none of its ${formatCount(rows)} rows can be imported`;
  }
  if (faulty <= mostRefused * rows) return null;
  return `${formatCount(faulty)} of ${formatCount(rows)} rows were refused, more than ${Math.round(mostRefused * 100)} %`;
}

/** What became of a file, or of one series of it. */
export interface FileOutcome {
  readonly path: string;
  readonly task: ImportTask;
  readonly result: ImportResult | null;
  /** Why the file was not imported whole; null if it was. */
  readonly error: string | null;
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const short = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

function toImportJson({ path, task, result, error }: FileOutcome, isDryRun: boolean) {
  const report = result?.report;
  return {
    file: path,
    error,
    format: task.file.format,
    digest: task.key.digest,
    symbol: task.instrument.symbol,
    source: task.key.source,
    zone: task.key.zone,
    timeframe: task.timeframe,
    plan: toPlanJson(task),
    first_rows: report?.first ?? [],
    already_imported: result?.isKnown ?? false,
    resumed_at_row: result?.resumedAt ?? 0,
    rows: report?.rows ?? 0,
    accepted: report?.accepted ?? 0,
    added: report?.added ?? 0,
    // A dry run does not compare rows with what is stored.
    duplicates: report === undefined || isDryRun ? null : report.accepted - report.added,
    from: iso(report?.firstMs ?? null),
    to: iso(report?.lastMs ?? null),
    refused: report?.refused ?? {},
    moved: report?.moved ?? 0,
    without_volume: report?.withoutVolume ?? 0,
    gaps: {
      count: report?.gaps.count ?? 0,
      longest: (report?.gaps.longest ?? []).map(({ fromMs, toMs }) => ({ from: iso(fromMs), to: iso(toMs) })),
    },
  };
}

/** How a file is read, and what tells it. */
function toPlanJson({ file, instrument, reasons }: ImportTask) {
  const { text, columns = [] } = file;
  return {
    symbol_reason: reasons.symbol,
    zone_reason: reasons.zone,
    timeframe_reason: reasons.timeframe === "" ? null : reasons.timeframe,
    digits: instrument.digits,
    member: text?.member ?? null,
    encoding: text?.encoding ?? null,
    delimiter: text?.delimiter ?? null,
    decimal: text?.decimal ?? null,
    columns: Object.fromEntries(columns.flatMap(({ field, name }) => (field === UNUSED ? [] : [[field, name]]))),
    unused_columns: columns.flatMap(({ field, name }) => (field === UNUSED ? [name] : [])),
    assumptions: text?.notes ?? file.notes ?? [],
  };
}

/** The lines of the plan of one file. */
function formatPlan(task: ImportTask, first: readonly string[]): string[] {
  const { reasons, instrument, file, key, timeframe } = task;
  const { text, columns = [], notes = [] } = file;
  const lines = [
    `  symbol ${instrument.symbol} (${reasons.symbol}), ${instrument.digits} digits; zone ${key.zone} (${reasons.zone})`,
  ];
  if (timeframe !== null) lines.push(`  timeframe ${timeframe} (${reasons.timeframe})`);
  if (text !== undefined)
    lines.push(`  ${text.encoding}, ${text.delimiter} between fields, ${text.decimal} before decimals`);
  if (columns.length > 0) {
    const used = columns.filter(({ field }) => field !== UNUSED);
    const read = used.map(({ field, name }) => (field === name ? name : `${field} from “${name}”`));
    const unused = columns.filter(({ field }) => field === UNUSED).map(({ name }) => name);
    lines.push(`  columns: ${read.join(", ")}${unused.length === 0 ? "" : `; not read: ${unused.join(", ")}`}`);
  }
  lines.push(...(text?.notes ?? notes).map((note) => `  assumed: ${note}`));
  return [...lines, ...first.map((row) => `  stored as ${row}`)];
}

/** The lines about one file. */
function formatImport(outcome: FileOutcome, isDryRun: boolean): string {
  const { path, task, result, error } = outcome;
  if (result === null) return error ?? toNameText(path);
  const { report, isKnown, resumedAt } = result;
  const kind = task.timeframe === null ? "ticks" : `${task.timeframe} bars`;
  const lines = [
    `${toNameText(path)}: ${task.instrument.symbol} ${kind} from ${task.key.source} (${task.file.format}, ${task.key.zone})`,
  ];
  const notes = task.file.text?.notes ?? task.file.notes ?? [];
  lines.push(...(isDryRun ? formatPlan(task, report.first) : notes.map((note) => `  assumed: ${note}`)));
  if (isKnown) lines.push("  This file is imported already; nothing was changed. Its report was:");
  if (resumedAt > 0) lines.push(`  Continued at row ${formatCount(resumedAt)}, where an earlier import had ended.`);
  const added = isDryRun ? "nothing stored (dry run)" : `${formatCount(report.added)} new`;
  const duplicates = isDryRun ? "" : `, ${formatCount(report.accepted - report.added)} duplicates`;
  lines.push(`  ${formatCount(report.rows)} rows: ${formatCount(report.accepted)} accepted, ${added}${duplicates}`);
  if (report.firstMs !== null && report.lastMs !== null) {
    lines.push(
      `  ${short(report.firstMs)} to ${short(report.lastMs)} UTC, ${formatCount(report.gaps.count)} gaps while the market was open`,
    );
  }
  for (const { fromMs, toMs } of report.gaps.longest) {
    lines.push(`    no rows for ${formatWait(toMs - fromMs)} from ${short(fromMs)}`);
  }
  for (const [reason, { count, samples }] of Object.entries(report.refused)) {
    const verb = reason === "closed_hours" ? "left out" : "refused";
    lines.push(`  ${formatCount(count)} ${verb}: they ${REFUSED_WORDS[reason as RefusedRow]}`);
    for (const { line, row, expected } of samples) {
      lines.push(`    line ${line}: ${row}${expected === undefined ? "" : ` (expected ${expected})`}`);
    }
  }
  if (report.moved > 0)
    lines.push(`  ${formatCount(report.moved)} bars were moved back to the grid of ${task.timeframe ?? ""}`);
  if (report.withoutVolume > 0)
    lines.push(`  ${formatCount(report.withoutVolume)} bars have no volume; it counts as 0`);
  if (error !== null) lines.push(`  NOT IMPORTED WHOLE: ${error}`);
  return lines.join("\n");
}

/** The check of the zone of all files of one symbol, source and zone. */
export interface SeriesCheck extends ZoneCheck {
  /** Whether each time states its offset. */
  readonly hasOffsets: boolean;
  readonly symbol: string;
  readonly source: string;
  readonly zone: string;
}

function checkSeries(outcomes: readonly FileOutcome[]): SeriesCheck[] {
  const series = new Map<string, { readonly task: ImportTask; readonly reports: ImportReport[] }>();
  for (const { task, result } of outcomes) {
    if (result === null) continue;
    const key = `${task.key.symbol} ${task.key.source} ${task.key.zone} ${task.file.text?.offset ?? ""}`;
    const known = series.get(key);
    if (known === undefined) series.set(key, { task, reports: [result.report] });
    else known.reports.push(result.report);
  }
  return Array.from(series.values(), ({ task, reports }) => {
    const { symbol, source, zone } = task.key;
    const { text } = task.file;
    const hasOffsets = text?.hasOffsets === true && !task.isClock;
    // Another clock is compared with what the times show, which is not UTC if their offset is another one.
    const offset = hasOffsets ? text.offset : zone;
    const stepMs = task.timeframe === null || task.isEnd ? 0 : TIMEFRAME_MINUTES[task.timeframe] * MINUTE_MS;
    const check = checkZone(joinWeekends(reports), task.instrument, offset ?? zone, stepMs);
    return { symbol, source, zone, hasOffsets, ...check, suggestions: offset === null ? [] : check.suggestions };
  });
}

function formatCheck(check: SeriesCheck, isDryRun: boolean): string {
  const { symbol, source, zone, state, weekends, fitting, suggestions } = check;
  const name = `${symbol} from ${source}, times of ${zone}`;
  if (state === "unknown") return `${name}: the zone could not be checked, because no weekly opening is in the files.`;
  const counted = `${name}: ${fitting} of ${weekends} weekly openings and closes fit the market's, Sunday to Friday 17:00 New York`;
  if (check.isEnd) return `TIMES OF ENDS? ${counted}. If each bar is stamped with its end, give --stamps end.`;
  if (state === "fits") return `${counted}.`;
  if (suggestions.length === 0) return `${counted}; no common zone fits better.`;
  const again = isDryRun ? "" : " Take the rows back with “import undo”, then import them again.";
  if (check.hasOffsets) {
    return `WRONG OFFSET? ${counted}. Each time states its offset, and none is doubted unless you say so: if the vendor labelled server time wrongly, --clock ${suggestions.join(", or ")} fits better.${again}`;
  }
  return `WRONG ZONE? ${counted}. Better fits --zone ${suggestions.join(", or ")}.${again}`;
}
