import type { Spotline } from "@/e2e/support/spotline";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";

export interface StoredEvents {
  readonly provider: string;
  /** The number of releases. Each is reported by both streams. */
  readonly releases: number;
  /** The number of days that they span, and the time of the last one in days from now. */
  readonly days: number;
  readonly endsInDays: number;
}

const DAY_S = 86_400;

/** Stores events in the database of a running server, and resolves once it serves them. */
export async function storeEvents(
  { url, dataDir }: Spotline,
  headers: Readonly<Record<string, string>>,
  { provider, releases, days, endsInDays }: StoredEvents,
): Promise<void> {
  const database = await joinDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  const lastS = Math.floor(Date.now() / 1000) + endsInDays * DAY_S;
  try {
    for (const [stream, suffix] of [
      ["primary", " (MoM) (Oct)"],
      ["secondary", " m/m"],
    ]) {
      await database.pool.query({
        text: `INSERT INTO calendar_event (id, stream, provider, key, time, zone, certainty, currency, title, impact,
                                           forecast, previous, actual, series_id, first_seen_at, revision)
               SELECT substr(md5($3::text || $1::text || n), 1, 16), $1::text::calendar_stream, $3::text, n::text,
                      date_trunc('minute', to_timestamp($4::float8 - n * $5::float8)),
                      'UTC', 'exact', (ARRAY['USD','EUR','GBP','JPY','CHF','AUD','CAD','NZD'])[1 + n % 8],
                      (ARRAY['CPI','PPI','Retail Sales','Industrial Production'])[1 + n % 4] || $2::text, 'medium',
                      '0.3%', '0.2%', CASE WHEN $1::text = 'primary' THEN '0.4%' END,
                      CASE WHEN $1::text = 'primary' THEN $3::text || n % 32 END, now(),
                      (SELECT value + 1 FROM calendar_revision WHERE id = 1)
                 FROM generate_series(0, $6::int - 1) n`,
        values: [stream, suffix, provider, lastS, (days * DAY_S) / releases, releases],
        query_timeout: 300_000,
      } as { text: string; values: unknown[] });
    }
    await database.pool.query("UPDATE calendar_revision SET value = value + 1 WHERE id = 1");
  } finally {
    await database.close();
  }
  const last = new Date(lastS * 1000).toISOString().slice(0, 16);
  const lastMinute = `${url}/v1/calendar?from=${last}&to=${last}&limit=1`;
  for (const deadline = Date.now() + 120_000; Date.now() < deadline;) {
    const { data } = (await (await fetch(lastMinute, { headers })).json()) as { data: { count: number } };
    if (data.count > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("the server did not serve the stored events in time");
}
