import type { Pool } from "pg";
import type { Column, Rows } from "@/lib/export/table";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * One kind of what is stored, as a table of rows with a time, oldest first. It is read from the database, some days at a
 * time, so a command can do that beside a running server. Times are UTC milliseconds.
 */
export interface Dataset {
  /** "ticks": the name of its folder and of its files. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** "1s", "H1". */
  readonly resolution: string;
  /** How much time is read at once: a few megabytes of the busiest symbol. */
  readonly stepMs: number;
  /** Which rows are read: those of closed hours, of all seconds until now, or also those that lie ahead. */
  readonly reaches: "closed" | "present" | "future";
  /** Time without a row is a gap from here on; null where gaps have no meaning. */
  readonly leastGapMs: number | null;
  /** Why nothing may be stored of a symbol, where that is a choice of the operator. */
  readonly unstored?: string;
  /** When the time of a row that begins at a moment ends. */
  getEnd(timeMs: number): number;
  /** When the row that has a moment begins; absent where that is the moment or its minute. */
  getStart?(timeMs: number): number;
  /** The symbols of which something is stored; null if rows are of no symbol. */
  readonly listSymbols: ((pool: Pool) => Promise<string[]>) | null;
  /** The beginnings of the first and the last stored row, at most an hour early or late; null if nothing is stored. */
  findSpan(pool: Pool, symbol: string): Promise<{ readonly firstMs: number; readonly lastMs: number } | null>;
  /** The rows that begin in a range of at most `stepMs`. */
  read(pool: Pool, symbol: string, range: ReadRange): Promise<Rows>;
  /**
   * Where the rows of all symbols are stored together: the same for several symbols, of which `most` are held in memory at
   * once. The span is then that of all symbols.
   */
  readonly together?: {
    readonly most: number;
    read(pool: Pool, symbols: readonly string[], range: ReadRange): Promise<ReadonlyMap<string, Rows>>;
  };
  /**
   * Tells the stored rows of a closed range apart from what they were before, without reading them; absent where they are
   * few.
   */
  readonly fingerprint?: (pool: Pool, symbol: string, range: Pick<ReadRange, "fromMs" | "toMs">) => Promise<string>;
}

export interface ReadRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** Every hour before is closed. */
  readonly closedUntilMs: number;
}

/** An hour that is over still belongs to the recorder for a moment: late seconds come, then it is closed. */
const RECORDER_MS = 2 * MINUTE_MS;
/** The last update of a second is known this long after it. */
const SETTLED_MS = 2 * SECOND_MS;

export interface Present {
  /** Every hour before is closed: it has all its rows, unless an import or gap filling adds some. */
  readonly closedUntilMs: number;
  /** Every second before has its last update. */
  readonly settledUntilMs: number;
}

/** A text that is another one wherever a row of a query is: SQL for it, of the rows' own texts in an order. */
export const digestRows = (row: string, order: string) =>
  `count(*) || ':' || coalesce(md5(string_agg(md5(${row}), '' ORDER BY ${order})), '')`;

/** How far the recording is complete at a moment of the wall clock. */
export async function readPresent(pool: Pool, nowMs: number): Promise<Present> {
  // The journal has a partition for each hour that is not closed.
  const { rows } = await pool.query<{ second: string }>({
    text: `SELECT substring(relname FROM '\\d+$') AS second FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
            WHERE inhparent = 'tick_second'::regclass`,
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  } as { text: string });
  const open = rows.map(({ second }) => Number(second) * SECOND_MS);
  return {
    closedUntilMs: Math.min(Math.floor((nowMs - RECORDER_MS) / HOUR_MS) * HOUR_MS, ...open),
    settledUntilMs: Math.floor((nowMs - SETTLED_MS) / SECOND_MS) * SECOND_MS,
  };
}

/** The end of what can be read of a kind: UTC milliseconds. */
export function getReadableEnd(
  { reaches }: Pick<Dataset, "reaches">,
  { closedUntilMs, settledUntilMs }: Present,
): number {
  if (reaches === "future") return Infinity;
  return reaches === "closed" ? closedUntilMs : settledUntilMs;
}

interface StepOptions {
  readonly dataset: Dataset;
  readonly fromMs: number;
  readonly toMs: number;
  /** The moment from which the steps are counted, at or before `fromMs`: the parts of a month are always the same. */
  readonly beginMs: number;
  readonly present: Present;
}

interface PartsOptions extends StepOptions {
  /** Null for rows of no symbol. */
  readonly symbol: string | null;
}

/** The rows of a range, in parts of at most a step; none is empty. */
export async function* readParts(pool: Pool, { symbol, ...options }: PartsOptions): AsyncGenerator<Rows> {
  const { dataset, present } = options;
  for (const range of listSteps(options)) {
    const read = await dataset.read(pool, symbol ?? "", range);
    const part = dataset.reaches === "closed" ? cutUnfinished(read, dataset, present.closedUntilMs) : read;
    if (part.count > 0) yield part;
  }
}

/** The same of several symbols of a dataset that reads them together, at most so many as it says. */
export async function* readPartsTogether(
  pool: Pool,
  { symbols, together, ...options }: StepOptions & { symbols: readonly string[]; together: Together },
): AsyncGenerator<readonly (readonly [symbol: string, part: Rows])[]> {
  for (const range of listSteps(options)) {
    const read = await together.read(pool, symbols, range);
    yield [...read].filter(([, { count }]) => count > 0);
  }
}

type Together = NonNullable<Dataset["together"]>;

function* listSteps({ dataset, fromMs, toMs, beginMs, present }: StepOptions): Generator<ReadRange> {
  const { closedUntilMs } = present;
  const endMs = Math.min(toMs, getReadableEnd(dataset, present));
  const firstMs = beginMs + Math.floor((fromMs - beginMs) / dataset.stepMs) * dataset.stepMs;
  for (let stepMs = firstMs; stepMs < endMs; stepMs += dataset.stepMs) {
    const range = { fromMs: Math.max(stepMs, fromMs), toMs: Math.min(stepMs + dataset.stepMs, endMs), closedUntilMs };
    if (range.fromMs < range.toMs) yield range;
  }
}

/** The times of rows: UTC milliseconds. */
export function getTimes({ columns }: Dataset, rows: Rows): Float64Array {
  const at = columns.findIndex(({ type }) => type === "time" || type === "instant");
  return rows.columns[at] as Float64Array;
}

/** The rows of a span, of rows that are in order. */
export function cutToSpan(dataset: Dataset, rows: Rows, fromMs: number, toMs: number): Rows {
  const times = getTimes(dataset, rows);
  let [first, end] = [0, rows.count];
  while (first < end && (times[first] as number) < fromMs) first++;
  while (end > first && (times[end - 1] as number) >= toMs) end--;
  return slice(rows, first, end);
}

function slice({ count, columns }: Rows, from: number, to: number): Rows {
  if (from === 0 && to === count) return { count, columns };
  return { count: to - from, columns: columns.map((values) => values.slice(from, to)) };
}

/** Without the rows at the end whose time goes beyond the closed hours, such as a week's bar that still grows. */
function cutUnfinished(rows: Rows, dataset: Dataset, closedUntilMs: number): Rows {
  const times = getTimes(dataset, rows);
  let count = rows.count;
  while (count > 0 && dataset.getEnd(times[count - 1] as number) > closedUntilMs) count--;
  return slice(rows, 0, count);
}

interface EmptyRange {
  readonly pool: Pool;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly present: Present;
}

/** Says of what kind and symbol nothing was exported, and what is stored of it. */
export async function explainEmpty(
  dataset: Dataset,
  symbol: string | null,
  { pool, fromMs, toMs, present }: EmptyRange,
): Promise<string> {
  const { name, resolution } = dataset;
  const { closedUntilMs } = present;
  const what = [symbol, name === "bars" ? resolution : "", name.replace("_", " ")].filter(Boolean).join(" ");
  const span = await dataset.findSpan(pool, symbol ?? "");
  if (span === null) return [`${what}: nothing is stored`, dataset.unstored].filter(Boolean).join("; ");
  if (dataset.reaches === "closed" && fromMs !== null && fromMs >= closedUntilMs) {
    const closes = formatMoment(closedUntilMs + HOUR_MS + RECORDER_MS);
    return `${what}: the hour from ${formatMoment(closedUntilMs)} is not closed yet; it will be at about ${closes}, and its rows can be exported then`;
  }
  const from = fromMs === null ? "the beginning" : formatMoment(fromMs);
  const to = toMs === null ? "now" : formatMoment(toMs);
  const [first, last] = [formatMoment(span.firstMs), formatMoment(span.lastMs)];
  const stored =
    dataset.together === undefined
      ? `the first is of ${first}, the last of ${last}`
      : `${dataset.name} of all symbols were recorded from ${first} to ${last}`;
  return `${what}: nothing is stored from ${from} to ${to}; ${stored}`;
}

/** "2026-11-20T13:00:00Z", with milliseconds where there are some. */
export const formatMoment = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");
