import type { FeedSource } from "@/lib/feeds/feed";
import type { RecordedSeries } from "@/lib/feeds/replay/recorded-file";
import { toCivilTime } from "@/lib/time/civil-time";

/**
 * Returns the brokers of a folder of recordings.
 * @throws Error when the folder holds no recording or a zone is given for a source without one; RangeError for an
 * unknown zone.
 */
export function listReplaySources(
  series: readonly RecordedSeries[],
  dir: string,
  zones: Readonly<Record<string, string>>,
): FeedSource[] {
  const names = [...new Set(series.map(({ source }) => source))];
  if (names.length === 0) {
    const layouts = "<class>/<broker>/tick/<symbol>/<yyyymmdd>_quote.zip, <broker>/<symbol>/*.csv or bi5 files";
    throw new Error(`No recorded ticks in ${dir}: expected ${layouts}`);
  }
  for (const [source, zone] of Object.entries(zones)) {
    if (!names.includes(source))
      throw new Error(`A time zone is given for "${source}", which has no recording in ${dir}`);
    toCivilTime(zone, 0);
  }
  return names.map((name) => ({ name, mode: "replay" }));
}
