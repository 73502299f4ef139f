import type { ImportResult, ImportTask } from "@/lib/history/import/import-file";
import type { RefusedRow } from "@/lib/history/import/import-report";
import { formatCount } from "@/lib/text/text";
import { formatWait } from "@/lib/time/duration";

/** The report of an import, as JSON and as text. */

export interface FileOutcome {
  readonly path: string;
  readonly task: ImportTask | null;
  readonly result: ImportResult | null;
  /** Why the file was not imported whole; null if it was. */
  readonly error: string | null;
}

const REASONS: Readonly<Record<RefusedRow, string>> = {
  malformed: "cannot be read",
  non_positive: "have a price that is not above zero",
  crossed: "have a bid above the ask, or a high and low that do not enclose open and close",
  far_off: "are far off the prices around them",
  out_of_range: "have a value that cannot be stored",
  too_recent: "are of the current hour or later, which belongs to the recorder",
  open_hour: "are of an hour that the recorder is still filling, or that its clock has not reached",
};

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const short = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

export function toImportJson({ path, task, result, error }: FileOutcome) {
  const report = result?.report;
  return {
    file: path,
    error,
    format: task?.file.format ?? null,
    symbol: task?.instrument.symbol ?? null,
    source: task?.key.source ?? null,
    zone: task?.key.zone ?? null,
    timeframe: task?.timeframe ?? null,
    already_imported: result?.isKnown ?? false,
    resumed_at_row: result?.resumedAt ?? 0,
    rows: report?.rows ?? 0,
    accepted: report?.accepted ?? 0,
    added: report?.added ?? 0,
    duplicates: report === undefined ? 0 : report.accepted - report.added,
    from: iso(report?.firstMs ?? null),
    to: iso(report?.lastMs ?? null),
    refused: report?.refused ?? {},
    gaps: {
      count: report?.gaps.count ?? 0,
      longest: (report?.gaps.longest ?? []).map(({ fromMs, toMs }) => ({ from: iso(fromMs), to: iso(toMs) })),
    },
  };
}

/** The lines about one file. */
export function formatImport(outcome: FileOutcome, isDryRun: boolean): string {
  const { path, task, result, error } = outcome;
  if (task === null || result === null) return error ?? path;
  const { report, isKnown, resumedAt } = result;
  const kind = task.timeframe === null ? "ticks" : `${task.timeframe} bars`;
  const lines = [
    `${path}: ${task.instrument.symbol} ${kind} from ${task.key.source} (${task.file.format}, ${task.key.zone})`,
  ];
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
    lines.push(`  ${formatCount(count)} refused: they ${REASONS[reason as RefusedRow]}`);
    for (const { line, row, expected } of samples) {
      lines.push(`    line ${line}: ${row}${expected === undefined ? "" : ` (expected ${expected})`}`);
    }
  }
  if (error !== null) lines.push(`  NOT IMPORTED WHOLE: ${error}`);
  return lines.join("\n");
}
