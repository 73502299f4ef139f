import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CalendarEvent, ReportedEvent, Stream } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { readSnapshots, type Week } from "@/lib/calendar/publisher-weeks.fixture";
import { readCalendarFile } from "@/lib/calendar/read-file";
import { matchTwins, type Twins } from "@/lib/calendar/twins";
import { readWeeklyJson, readWeeklyXml } from "@/lib/calendar/weekly-events";

/**
 * Which rows of two real publishers are the same release. They were labelled by hand, row by row, for every minute and
 * currency that both publishers list, without knowing the matches. A level and its change are two releases. An earlier
 * labelling, which started from the matches, had the same pairs and two more. The titles belong to the publishers, so
 * only hashes of the pairs are stored here. The words of release-words.ts were chosen with these weeks in view, so
 * other weeks will have a lower score.
 */

const labels = new Set(
  JSON.parse(readFileSync(new URL("twin-labels.fixture.json", import.meta.url), "utf8")) as string[],
);

export interface TwinScore {
  readonly labelled: number;
  readonly found: number;
  readonly right: number;
  readonly precision: number;
  readonly recall: number;
}

/** Compares the matches of a week with the labels. */
export function scoreTwins(realData: string, week: Week): TwinScore {
  const rows = readRows(realData, week);
  const minutes = new Map<number, CalendarEvent[]>();
  for (const row of rows) minutes.set(row.timeMs, [...(minutes.get(row.timeMs) ?? []), row]);
  const possible = [...minutes.values()].flatMap(listPairs).filter((pair) => labels.has(hashPair(pair)));
  const found = [...minutes.values()].flatMap(matchTwins);
  const right = found.filter((pair) => labels.has(hashPair(pair))).length;
  return {
    ...{ labelled: possible.length, found: found.length, right },
    ...{ precision: right / found.length, recall: right / possible.length },
  };
}

/** The hash of a pair's currency, minute and titles. */
function hashPair({ primary, secondary }: Pick<Twins, "primary" | "secondary">): string {
  const minute = new Date(primary.timeMs).toISOString().slice(0, 16);
  const text = [primary.currency, minute, primary.title, secondary.title].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** All events of both publishers in a week, each row as last reported for its minute. */
function readRows(realData: string, week: Week): CalendarEvent[] {
  const primary = readSnapshots(realData, week).map(({ events }) => events);
  return [...latest(primary, "primary"), ...latest(readSecondPublisher(realData, week), "secondary")];
}

function latest(versions: readonly (readonly ReportedEvent[])[], stream: Stream): CalendarEvent[] {
  const rows = new Map<string, CalendarEvent>();
  for (const { forecast = "", previous = "", ...event } of versions.flat()) {
    const name = `${event.timeMs} ${event.currency} ${event.title}`;
    const row = { ...event, forecast, previous, revised: null, actual: null, seriesId: null };
    rows.set(name, createTestEvent({ ...row, stream }));
  }
  return [...rows.values()];
}

function listPairs(rows: readonly CalendarEvent[]): Pick<Twins, "primary" | "secondary">[] {
  const of = (stream: Stream) => rows.filter((row) => row.stream === stream);
  return of("primary").flatMap((primary) =>
    of("secondary").flatMap((secondary) => (primary.currency === secondary.currency ? [{ primary, secondary }] : [])),
  );
}

/** The second publisher's events of the same weeks, each in its recorded format: all versions, oldest first. */
function readSecondPublisher(realData: string, week: Week): ReportedEvent[][] {
  const calendar = join(realData, "calendar");
  if (week.startsWith("2026")) {
    const folder = join(calendar, "forexfactory_dkmarlin");
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return files.sort().map((name) => readWeeklyJson(readFileSync(join(folder, name), "utf8")));
  }
  if (week.startsWith("2025")) {
    return [readWeeklyXml(readFileSync(join(calendar, "forexfactory_tito1270/ff_calendar_thisweek_2025-06-08.xml")))];
  }
  const bytes = readFileSync(join(calendar, "forexfactory_datpro/2024_05_ff_data.csv"));
  const { events: month } = readCalendarFile(bytes, "csv", { zone: "Etc/GMT-7", year: 2024 });
  const [fromMs, toMs] = week.split("_").map((day) => Date.parse(day)) as [number, number];
  return [month.filter(({ timeMs }) => timeMs >= fromMs - 43_200_000 && timeMs < toMs + 129_600_000)];
}
