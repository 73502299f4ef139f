import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CalendarEvent, ReportedEvent, Stream } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { readSnapshots, type Week } from "@/lib/calendar/recorded/publisher-weeks.fixture";
import { readSecondPublisher } from "@/lib/calendar/recorded/second-publisher.fixture";
import { matchTwins, type Twins } from "@/lib/calendar/twins/match-twins";

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
