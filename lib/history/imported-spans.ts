import type { Pool, PoolClient } from "pg";
import type { DataMode } from "@/lib/market/bar";

/** The spans of imported prices in the database. Times are Unix seconds. */

const HOUR = 3_600;

interface SpanRow extends ImportedSpan {
  readonly symbol: string;
}

/** The spans of every symbol that has any, oldest first. */
export async function readSpans(pool: Pool): Promise<Map<string, readonly ImportedSpan[]>> {
  const { rows } = await pool.query<SpanRow>(
    "SELECT symbol, since, until, mode FROM imported_span ORDER BY symbol, since",
  );
  const bySymbol = new Map<string, ImportedSpan[]>();
  for (const { symbol, ...span } of rows) {
    const spans = bySymbol.get(symbol) ?? [];
    bySymbol.set(symbol, spans);
    spans.push(span);
  }
  return bySymbol;
}

/** The spans of a symbol, oldest first. */
export async function readSymbolSpans(client: Pool | PoolClient, symbol: string): Promise<ImportedSpan[]> {
  const { rows } = await client.query<ImportedSpan>(
    "SELECT since, until, mode FROM imported_span WHERE symbol = $1 ORDER BY since",
    [symbol],
  );
  return rows;
}

/**
 * Writes the spans again after hours of a symbol were, in the caller's transaction. `written` has the pieces of each of
 * those hours, by the hour's Unix time.
 */
export async function writeSpans(
  client: PoolClient,
  symbol: string,
  written: ReadonlyMap<number, readonly Piece[]>,
): Promise<void> {
  if (written.size === 0) return;
  const hours = [...written.keys()];
  const range = { since: Math.min(...hours), until: Math.max(...hours) + HOUR };
  const spans = await readSymbolSpans(client, symbol);
  const stored = await readStoredHours(client, symbol, range);
  const all = [...new Set([...stored.within, ...hours])].sort((a, b) => a - b);
  const pieces = all.flatMap((since) => {
    return written.get(since) ?? cutPieces(spans, { since, until: since + HOUR });
  });
  const changed = replaceSpans(spans, range, pieces, stored);
  await client.query("DELETE FROM imported_span WHERE symbol = $1", [symbol]);
  await client.query(
    "INSERT INTO imported_span (symbol, since, until, mode) SELECT $1, * FROM unnest($2::int4[], $3::int4[], $4::text[])",
    [symbol, ...(["since", "until", "mode"] as const).map((field) => changed.map((span) => span[field]))],
  );
}

/**
 * Takes hours out of the spans of a symbol because prices that are not imported were stored there, in the caller's
 * transaction. Returns whether a span had any of them.
 */
export async function excludeHours(client: PoolClient, symbol: string, hours: readonly number[]): Promise<boolean> {
  if (hours.length === 0) return false;
  const spans = await readSymbolSpans(client, symbol);
  const spanned = hours.filter((hour) => spans.some(({ since, until }) => since < hour + HOUR && until > hour));
  const toPieces = (since: number): Piece[] => [{ since, until: since + HOUR, mode: null }];
  await writeSpans(client, symbol, new Map(spanned.map((hour) => [hour, toPieces(hour)])));
  return spanned.length > 0;
}

/**
 * The hours with bars within a range, and those next to it. Where back-filling has stored nothing shorter than H4, the
 * first hour of such a bar stands for it; one that reaches into the range is longer because of the range.
 */
async function readStoredHours(client: PoolClient, symbol: string, { since, until }: Span) {
  const { rows } = await client.query<{ time: number }>(
    `SELECT DISTINCT time FROM bar
      WHERE symbol = $1 AND (timeframe = 60 OR timeframe > 60 AND origin IS NULL) AND time >= $2 AND time < $3`,
    [symbol, since, until],
  );
  const { rows: next } = await client.query<{ before: number | null; after: number | null }>(
    `SELECT greatest(near.before, long.before) AS before, least(near.after, long.after) AS after
       FROM (
              SELECT max(time) FILTER (WHERE time < $2) AS before, min(time) FILTER (WHERE time >= $3) AS after
                FROM (
                       (SELECT time FROM bar WHERE symbol = $1 AND timeframe = 60 AND time < $2 ORDER BY time DESC LIMIT 1)
                       UNION ALL
                       (SELECT time FROM bar WHERE symbol = $1 AND timeframe = 60 AND time >= $3 ORDER BY time LIMIT 1)
                     ) AS hours
            ) AS near, LATERAL (
              SELECT max(time) FILTER (WHERE time + timeframe * 60 <= $2) AS before, min(time) FILTER (WHERE time >= $3) AS after
                FROM bar
               WHERE symbol = $1 AND timeframe = ANY (ARRAY[240, 1440, 10080]::int2[]) AND origin IS NULL
                 AND time > coalesce(near.before, -1) AND time < coalesce(near.after, 2147483647)
            ) AS long`,
    [symbol, since, until],
  );
  const toHour = (time: number | null | undefined) => (time == null ? null : { since: time, until: time + HOUR });
  return { within: rows.map(({ time }) => time), before: toHour(next[0]?.before), after: toHour(next[0]?.after) };
}

/** Spans of time in which everything stored was imported. Times are Unix seconds; the second one is not included. */

export interface Span {
  readonly since: number;
  readonly until: number;
}

/** A span in which everything that is stored was imported from sources of one mode. */
export interface ImportedSpan extends Span {
  readonly mode: DataMode;
}

/** A piece of time in which something is stored: imported prices of a mode, or for null others. */
export interface Piece extends Span {
  readonly mode: DataMode | null;
}

/** What is stored around the pieces: the hour before them and the hour after them, if there are any. */
interface Neighbours {
  readonly before: Span | null;
  readonly after: Span | null;
}

/** What the spans say of a piece of time. */
export function cutPieces(spans: readonly ImportedSpan[], { since, until }: Span): Piece[] {
  const pieces: Piece[] = [];
  let at = since;
  for (const span of spans) {
    const [from, to] = [Math.max(span.since, at), Math.min(span.until, until)];
    if (from >= to) continue;
    if (at < from) pieces.push({ since: at, until: from, mode: null });
    pieces.push({ since: from, until: to, mode: span.mode });
    at = to;
  }
  return at < until ? [...pieces, { since: at, until, mode: null }] : pieces;
}

/**
 * The spans after a part of the time was written again. `pieces` are everything that is now stored in `range`, oldest
 * first. Imported pieces of one mode that follow each other form one span, also across time without anything stored.
 */
function replaceSpans(
  spans: readonly ImportedSpan[],
  range: Span,
  pieces: readonly Piece[],
  { before, after }: Neighbours,
): ImportedSpan[] {
  const findAround = (hour: Span | null) =>
    hour === null ? undefined : spans.find(({ since, until }) => since <= hour.since && until >= hour.until);
  const earlier = findAround(before);
  const later = findAround(after);
  const first = before !== null && earlier !== undefined ? [{ ...earlier, until: before.until }] : [];
  const last = after !== null && later !== undefined ? [{ ...later, since: after.since }] : [];
  const runs: ImportedSpan[] = [];
  let modeBefore: DataMode | null = null;
  for (const { since, until, mode } of [...first, ...pieces, ...last]) {
    const run = runs.at(-1);
    if (mode !== null && mode === modeBefore && run !== undefined) runs[runs.length - 1] = { ...run, until };
    else if (mode !== null) runs.push({ since, until, mode });
    modeBefore = mode;
  }
  const others = spans.filter((span) => span !== earlier && span !== later).flatMap((span) => cutOut(span, range));
  return [...others, ...runs].sort((a, b) => a.since - b.since);
}

/** What is left of a span without a part of the time. */
function cutOut(span: ImportedSpan, range: Span): ImportedSpan[] {
  const parts = [
    { ...span, until: Math.min(span.until, range.since) },
    { ...span, since: Math.max(span.since, range.until) },
  ];
  return parts.filter((part) => part.since < part.until);
}
