import type { FileTable } from "@/lib/feeds/files/file-table";
import type { OutcomeJson, SeriesCheck } from "@/lib/history/import/import-outcome";
import type { RefusedRow } from "@/lib/history/import/import-report";
import type { Shape } from "@/lib/history/import/price-shape";

/** An import in short, for the page: its files by series, with a bounded number of everything. */

export interface ImportSummary {
  readonly rows: number;
  readonly accepted: number;
  readonly added: number;
  /** Files that are not imported whole. */
  readonly failed: number;
  /** Files that were imported before, as a whole. */
  readonly known: number;
  readonly added_instruments: readonly string[];
  readonly series: readonly SeriesSummary[];
  /** Series that are not among those listed. */
  readonly more_series: number;
  readonly left_out: readonly LeftOut[];
  readonly left_out_count: number;
  /** The columns of one file, the first refused one if there is one; undefined in summaries of earlier versions. */
  readonly table?: FileTable | null;
}

interface LeftOut {
  readonly file: string;
  readonly reason: string;
  readonly has_prices: boolean;
}

/** The files of one symbol, source, format, zone and timeframe that are read alike. */
export interface SeriesSummary {
  readonly symbol: string;
  readonly source: string;
  readonly format: string;
  readonly zone: string;
  readonly timeframe: string | null;
  readonly symbol_reason: string;
  readonly zone_reason: string;
  readonly timeframe_reason: string | null;
  readonly digits: number;
  /** What each field of a row is read from; empty where the format tells it. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns that are not read; undefined in summaries of earlier versions. */
  readonly unused?: readonly string[];
  readonly assumptions: readonly string[];
  readonly file_count: number;
  readonly files: readonly string[];
  readonly rows: number;
  readonly accepted: number;
  readonly added: number;
  /** ISO 8601. */
  readonly from: string | null;
  readonly to: string | null;
  readonly gaps: number;
  readonly moved: number;
  readonly without_volume: number;
  readonly refused: Readonly<Partial<Record<RefusedRow, Refusal>>>;
  readonly first_rows: readonly string[];
  readonly errors: readonly { readonly file: string; readonly error: string }[];
  readonly error_count: number;
  readonly check: SeriesCheck | null;
  readonly shape: Shape | null;
}

interface Refusal {
  readonly count: number;
  readonly samples: readonly RefusedSample[];
}

interface RefusedSample {
  readonly file: string;
  readonly line: number;
  readonly row: string;
  readonly expected?: string;
}

const MOST_SERIES = 200;
const MOST_SHAPES = 40;
const MOST_LEFT_OUT = 200;
const MOST_FILES = 3;
const MOST_ERRORS = 10;
const MOST_SAMPLES = 3;
const MOST_TEXT = 400;

type FileJson = OutcomeJson["files"][number];
type Draft = { -readonly [Key in keyof SeriesSummary]: SeriesSummary[Key] } & {
  files: string[];
  errors: { file: string; error: string }[];
  refused: Partial<Record<RefusedRow, { count: number; samples: RefusedSample[] }>>;
};

/** The key of a series in its import. */
export function nameSeries(
  of: Readonly<Record<"symbol" | "source" | "zone" | "timeframe" | "format", string | null>>,
): string {
  return [of.symbol, of.source, of.zone, of.timeframe ?? "ticks", of.format].join(" ");
}

/** @param shapes by the name of their series */
export function summariseImport(
  json: OutcomeJson,
  shapes: ReadonlyMap<string, Shape>,
  table: FileTable | null,
): ImportSummary {
  const series = new Map<string, Draft>();
  for (const file of json.files) addFile(series, file);
  const all = [...series];
  for (const [at, [name, each]] of all.entries()) {
    each.shape = at < MOST_SHAPES ? (shapes.get(name) ?? null) : null;
    each.check =
      json.weekly_sessions.find(
        ({ symbol, source, zone }) => symbol === each.symbol && source === each.source && zone === each.zone,
      ) ?? null;
  }
  return {
    rows: json.rows,
    accepted: json.accepted,
    added: json.added,
    failed: json.failed,
    known: json.files.filter((file) => file.already_imported).length,
    added_instruments: json.added_instruments,
    series: all.slice(0, MOST_SERIES).map(([, each]) => each),
    more_series: Math.max(0, all.length - MOST_SERIES),
    left_out: json.left_out
      .toSorted((a, b) => Number(b.has_prices) - Number(a.has_prices))
      .slice(0, MOST_LEFT_OUT)
      .map((each) => ({ ...each, reason: cut(each.reason) })),
    left_out_count: json.left_out.length,
    table,
  };
}

function addFile(series: Map<string, Draft>, file: FileJson): void {
  const { symbol, source, format, zone, plan } = file;
  const name = nameSeries(file);
  const draft: Draft = series.get(name) ?? {
    ...{ symbol, source, format, zone, timeframe: file.timeframe },
    symbol_reason: plan.symbol_reason,
    zone_reason: plan.zone_reason,
    timeframe_reason: plan.timeframe_reason,
    digits: 0,
    columns: plan.columns,
    unused: plan.unused_columns,
    assumptions: plan.assumptions,
    ...{ file_count: 0, files: [], rows: 0, accepted: 0, added: 0, from: null, to: null, gaps: 0, moved: 0 },
    ...{ without_volume: 0, refused: {}, first_rows: [], errors: [], error_count: 0, check: null, shape: null },
  };
  series.set(name, draft);
  draft.file_count++;
  if (draft.files.length < MOST_FILES) draft.files.push(file.file);
  draft.digits = Math.max(draft.digits, plan.digits);
  draft.rows += file.rows;
  draft.accepted += file.accepted;
  draft.added += file.added;
  draft.gaps += file.gaps.count;
  draft.moved += file.moved;
  draft.without_volume += file.without_volume;
  if (file.from !== null && (draft.from === null || file.from < draft.from)) draft.from = file.from;
  if (file.to !== null && (draft.to === null || file.to > draft.to)) draft.to = file.to;
  if (draft.first_rows.length === 0) draft.first_rows = file.first_rows;
  for (const [reason, { count, samples }] of Object.entries(file.refused)) {
    const known = (draft.refused[reason as RefusedRow] ??= { count: 0, samples: [] });
    known.count += count;
    for (const sample of samples) {
      if (known.samples.length < MOST_SAMPLES) known.samples.push({ ...sample, file: file.file, row: cut(sample.row) });
    }
  }
  if (file.error === null) return;
  draft.error_count++;
  if (draft.errors.length < MOST_ERRORS) draft.errors.push({ file: file.file, error: cut(file.error) });
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
