import type { Pool } from "pg";
import type { CalendarEvent, Frequency, ReportedEvent, SeriesAbout } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";
import type { Prisma } from "@/prisma/generated/client";

type Named = Pick<CalendarEvent, "stream" | "provider" | "currency" | "title" | "seriesId">;

/**
 * Returns the events of the same series, oldest first, the event itself included. Events without a series belong
 * together if one source gives them one title. Of two sources' rows of one release, the one with a figure counts.
 *
 * @param sorted all events by time
 */
export function listSeries(sorted: readonly Entry[], event: Named): CalendarEvent[] {
  const series: CalendarEvent[] = [];
  for (const { event: each } of sorted) {
    if (!isSameSeries(each, event)) continue;
    const last = series.at(-1);
    if (last?.timeMs !== each.timeMs) series.push(each);
    else if (last.actual === null) series[series.length - 1] = each;
  }
  return series;
}

function isSameSeries(a: Named, b: Named): boolean {
  if (a.stream !== b.stream || a.currency !== b.currency || a.seriesId !== b.seriesId) return false;
  return a.seriesId !== null || (a.provider === b.provider && a.title === b.title);
}

/** Days between releases. Holidays and short months move them by some days. */
const RHYTHMS: readonly (readonly [Frequency, from: number, to: number])[] = [
  ["weekly", 5, 9],
  ["monthly", 25, 36],
  ["quarterly", 80, 100],
];
const LEAST_RELEASES = 3;

/** Finds how often a series is released from its times, oldest first, in days; null if they fit no rhythm. */
export function findFrequency(days: readonly number[]): Frequency | null {
  if (days.length < LEAST_RELEASES) return null;
  const gaps = days.slice(1).map((day, index) => day - (days[index] as number));
  const fits = RHYTHMS.find(([, from, to]) => gaps.every((gap) => gap >= from && gap <= to));
  return fits?.[0] ?? null;
}

/** What sources say about series, in the database. */

const LONGEST_TEXT = 2_000;

/** Writes what a report says about its series. What it leaves out stays as it was. */
export async function writeSeriesAbout(
  transaction: Pick<Prisma.TransactionClient, "$executeRawUnsafe">,
  events: readonly ReportedEvent[],
): Promise<void> {
  const rows = new Map<string, object>();
  for (const { seriesId, about } of events) {
    if (seriesId == null || about === undefined) continue;
    const { frequency = null, sourceUrl, description } = about;
    rows.set(seriesId, { seriesId, frequency, sourceUrl: cut(sourceUrl), description: cut(description) });
  }
  if (rows.size === 0) return;
  await transaction.$executeRawUnsafe(
    `INSERT INTO calendar_series AS known (series_id, frequency, source_url, description)
     SELECT "seriesId", frequency, "sourceUrl", description
       FROM jsonb_to_recordset($1::jsonb)
            AS row ("seriesId" text, frequency text, "sourceUrl" text, description text)
      ORDER BY "seriesId"
     ON CONFLICT (series_id) DO UPDATE
        SET frequency = coalesce(excluded.frequency, known.frequency),
            source_url = coalesce(excluded.source_url, known.source_url),
            description = coalesce(excluded.description, known.description)
      WHERE (excluded.frequency, excluded.source_url, excluded.description)
            IS DISTINCT FROM (known.frequency, known.source_url, known.description)`,
    JSON.stringify([...rows.values()]),
  );
}

function cut(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : text.trim().slice(0, LONGEST_TEXT);
}

/** Reads what sources said about a series; null if none did. */
export async function readSeriesAbout(pool: Pool, seriesId: string): Promise<SeriesAbout | null> {
  const { rows } = await pool.query<Record<keyof SeriesAbout, string | null>>(
    `SELECT frequency, source_url AS "sourceUrl", description FROM calendar_series WHERE series_id = $1`,
    [seriesId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** Returns a publisher's address, if it is one that a browser may open. */
export function readSourceUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
