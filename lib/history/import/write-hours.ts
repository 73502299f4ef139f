import type { PoolClient } from "pg";
import { forgetBars } from "@/lib/history/bars/bar-memory";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { ComposedHour, OriginBar } from "@/lib/history/import/compose-hour";
import { query } from "@/lib/history/import/import-rows";
import type { Piece } from "@/lib/history/imported/imported-spans";
import { writeSpans } from "@/lib/history/imported/span-rows";
import { SERVED, toSpreadHour } from "@/lib/history/spreads/spread-hour";
import { writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import { tickHourStore } from "@/lib/history/ticks/tick-hour-store";
import { getBarEnd, getBarStart, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const BEYOND_AN_HOUR = ["H4", "D1", "W1"] as const satisfies readonly Timeframe[];

/** Back-filling may have added the same bar meanwhile. */
const ON_CONFLICT = `ON CONFLICT (symbol, timeframe, time) DO UPDATE
  SET open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
      volume = excluded.volume, origin = excluded.origin`;

interface Options {
  readonly symbol: string;
  /** Spreads are stored from here on: older ones would be removed at once. UTC milliseconds. */
  readonly spreadsFromMs: number;
}

/**
 * Replaces the ticks, bars and spreads of hours of one symbol by composed ones, in the caller's transaction. Bars longer
 * than an hour are joined again.
 */
export async function writeHours(
  client: PoolClient,
  hours: readonly ComposedHour[],
  { symbol, spreadsFromMs }: Options,
): Promise<void> {
  if (hours.length === 0) return;
  const starts = hours.map(({ columns }) => columns.hourMs);
  const withTicks = hours.map(({ columns }) => columns).filter(({ count }) => count > 0);
  const barsOnly = hours.filter(({ columns }) => columns.count === 0).map(({ columns }) => columns.hourMs / HOUR_MS);
  await tickHourStore.writeHour(client, withTicks);
  if (barsOnly.length > 0) {
    await query(client, "DELETE FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])", [symbol, barsOnly]);
    await query(
      client,
      "DELETE FROM spread_hour WHERE symbol = $1 AND source = $2 AND hour = ANY (SELECT to_timestamp(unnest($3::float8[])))",
      [symbol, SERVED, barsOnly.map((hour) => hour * 3_600)],
    );
  }
  await writeSpreadHours(client, withTicks.filter(({ hourMs }) => hourMs >= spreadsFromMs).map(toSpreadHour));
  await deleteHourBars(client, symbol, starts);
  await insertOriginBars(
    client,
    symbol,
    hours.flatMap(({ bars }) => bars),
  );
  await joinLongBars(client, symbol, starts);
  await writeSpans(client, symbol, new Map(hours.map((hour) => [hour.columns.hourMs / SECOND_MS, listPieces(hour)])));
  const firstMs = starts.reduce((a, b) => Math.min(a, b));
  const changes = TIMEFRAMES.map((timeframe) => ({ timeframe, sinceMs: getBarStart(timeframe, firstMs) }));
  await forgetBars(client, [symbol], changes);
}

/** What an hour has that was imported, and what was not: the whole hour if all of it is of one kind, else its minutes. */
function listPieces({ columns, bars }: ComposedHour): Piece[] {
  const isImported = ({ origin }: OriginBar) => origin !== null;
  const [first] = bars;
  if (first === undefined) return [];
  const isMixed = bars.some((bar) => isImported(bar) !== isImported(first));
  const toPiece = (fromMs: number, lengthMs: number, piece: boolean) => {
    return { since: fromMs / SECOND_MS, until: (fromMs + lengthMs) / SECOND_MS, isImported: piece };
  };
  if (!isMixed) return [toPiece(columns.hourMs, HOUR_MS, isImported(first))];
  const minutes = bars.filter(({ timeframe }) => timeframe === "M1");
  return minutes.map((bar) => toPiece(bar.timeMs, MINUTE_MS, isImported(bar)));
}

/** Deletes by a range of times and then by hour: joined with a list of hours, the whole table would be read. */
async function deleteHourBars(client: PoolClient, symbol: string, starts: readonly number[]): Promise<void> {
  const hours = starts.map((startMs) => startMs / HOUR_MS);
  await query(
    client,
    `DELETE FROM bar
      WHERE symbol = $1 AND timeframe = ANY (ARRAY[1, 5, 15, 30, 60]::int2[]) AND time >= $2::int4 AND time < $3::int4
        AND time / 3600 = ANY ($4::int4[])`,
    [symbol, Math.min(...hours) * 3_600, (Math.max(...hours) + 1) * 3_600, hours],
  );
}

async function insertOriginBars(client: PoolClient, symbol: string, bars: readonly OriginBar[]): Promise<void> {
  if (bars.length === 0) return;
  const column = <Value>(pick: (bar: OriginBar) => Value) => bars.map(pick);
  await query(
    client,
    `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume, origin)
     SELECT $1, * FROM unnest($2::int2[], $3::int4[], $4::int4[], $5::int4[], $6::int4[], $7::int4[], $8::int4[], $9::text[])
     ${ON_CONFLICT}`,
    [
      symbol,
      column(({ timeframe }) => TIMEFRAME_MINUTES[timeframe]),
      column(({ timeMs }) => timeMs / 1000),
      column(({ open }) => open),
      column(({ high }) => high),
      column(({ low }) => low),
      column(({ close }) => close),
      column(({ volume }) => volume),
      column(({ origin }) => origin),
    ],
  );
}

/** Joins every longer bar that contains one of the hours from its H1 bars; one without H1 bars is removed. */
async function joinLongBars(client: PoolClient, symbol: string, starts: readonly number[]): Promise<void> {
  const spans = BEYOND_AN_HOUR.flatMap((timeframe) =>
    [...new Set(starts.map((startMs) => getBarStart(timeframe, startMs)))].map((startMs) => ({
      length: TIMEFRAME_MINUTES[timeframe],
      start: startMs / 1000,
      end: getBarEnd(timeframe, startMs) / 1000,
    })),
  );
  for (const timeframe of BEYOND_AN_HOUR) {
    const length = TIMEFRAME_MINUTES[timeframe];
    await query(client, "DELETE FROM bar WHERE symbol = $1 AND timeframe = $2::int2 AND time = ANY ($3::int4[])", [
      symbol,
      length,
      spans.filter((span) => span.length === length).map(({ start }) => start),
    ]);
  }
  const values = [symbol, spans.map(({ length }) => length), spans.map(({ start }) => start)];
  await query(
    client,
    `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume, origin)
     SELECT $1, length, start, joined.*
       FROM unnest($2::int2[], $3::int4[], $4::int4[]) AS span (length, start, finish), LATERAL (
              SELECT (array_agg(open ORDER BY time))[1], max(high), min(low), (array_agg(close ORDER BY time DESC))[1],
                     sum(volume), (array_agg(origin ORDER BY time) FILTER (WHERE origin IS NOT NULL))[1]
                FROM bar WHERE symbol = $1 AND timeframe = 60 AND time >= start AND time < finish
              HAVING count(*) > 0
            ) AS joined
     ${ON_CONFLICT}`,
    [...values, spans.map(({ end }) => end)],
  );
}
