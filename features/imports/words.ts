import type { DotLook } from "@/components/ui/state";
import type { FileColumn } from "@/lib/feeds/files/column-names";
import type { OptionName } from "@/lib/history/import/import-options";
import type { ImportRun } from "@/lib/history/import/import-runs";
import type { ImportSummary } from "@/lib/history/import/import-summary";
import { formatCount } from "@/lib/text/text";

/** The words of the pages of imports. */

export const OPTION_LABELS: Readonly<Record<OptionName, string>> = {
  source: "Source",
  zone: "Zone",
  clock: "Clock",
  symbol: "Symbol",
  decimals: "Decimals",
  timeframe: "Timeframe",
  columns: "Columns",
  dates: "Order of dates",
  decimal: "Decimal sign",
  align: "Align bars",
  stamps: "Time of a bar",
  "as-is": "Prices as they are",
  "max-refused": "Most refused rows",
};

/** What a column of a file may be, in the words of the option. */
export const COLUMN_LABELS: Readonly<Record<FileColumn["field"], string>> = {
  "-": "Not read",
  time: "Time",
  date: "Date",
  bid: "Bid",
  ask: "Ask",
  open: "Open",
  high: "High",
  low: "Low",
  close: "Close",
  volume: "Volume",
  symbol: "Symbol",
};

/** A reason of the command with the fields of the page in place of options. */
export function toPageWords(text: string): string {
  return text.replaceAll(/--([a-z-]+)/g, (option, name: string) =>
    name in OPTION_LABELS ? `“${OPTION_LABELS[name as OptionName]}”` : option,
  );
}

/** An option that the plan suggests, with its value. */
export interface Suggestion {
  readonly option: OptionName;
  readonly value: string;
}

const MOST_SUGGESTED = 6;

const SUGGESTED = /--(zone|dates|decimal|stamps|columns) ((?<=columns )[^\s;]+|[^\s,;]+)/g;

/** What a plan suggests to change, most common first: zones that fit the weekly openings, and what refused files need. */
export function listSuggestions(summary: ImportSummary, given: ImportRun["options"]): readonly Suggestion[] {
  const counts = new Map<string, Suggestion & { count: number }>();
  const add = (option: OptionName, value: string) => {
    if (given[option] === value) return;
    const known = counts.get(`${option} ${value}`);
    if (known === undefined) counts.set(`${option} ${value}`, { option, value, count: 1 });
    else known.count++;
  };
  for (const { check } of summary.series) {
    if (check === null || check.state !== "differs") continue;
    for (const zone of check.suggestions) add(check.hasOffsets ? "clock" : "zone", zone);
  }
  for (const { reason } of summary.left_out) {
    for (const [, option = "", value = ""] of reason.matchAll(SUGGESTED)) add(option as OptionName, value);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, MOST_SUGGESTED);
}

interface StateLook {
  readonly look: DotLook;
  readonly text: string;
}

/** The state of an import in a word or two. */
export function describeState({ state, isInterrupted, isImported, canUndo }: Omit<ImportRun, "summary">): StateLook {
  if (isInterrupted) return { look: "failed", text: "interrupted" };
  switch (state) {
    case "uploading":
      return { look: "waiting", text: "uploading" };
    case "planning":
      return { look: "waiting", text: "reading" };
    case "planned":
      return { look: "warning", text: "checked" };
    case "queued":
      return { look: "waiting", text: "queued" };
    case "importing":
      return { look: "waiting", text: "importing" };
    case "done":
      return { look: "good", text: "imported" };
    case "failed":
      return { look: "failed", text: isImported || canUndo ? "not whole" : "failed" };
    case "cancelled":
      return { look: "off", text: "stopped" };
    case "undoing":
      return { look: "waiting", text: "undoing" };
    case "undone":
      return { look: "off", text: "undone" };
  }
}

/** "EURUSD-2024.csv", "EURUSD-2024.csv and 11 more". */
export function nameRun({ firstFile, fileCount }: Pick<ImportRun, "firstFile" | "fileCount">): string {
  const name = firstFile.split(/[/\\]/).at(-1) ?? firstFile;
  return fileCount > 1 ? `${name} and ${formatCount(fileCount - 1)} more` : name || "No files";
}
