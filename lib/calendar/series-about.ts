import type { Pool } from "pg";
import type { ReportedEvent, SeriesAbout } from "@/lib/calendar/event";
import type { Prisma } from "@/prisma/generated/client";

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
