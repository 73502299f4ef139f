import { XMLParser } from "fast-xml-parser";
import * as z from "zod";
import type { ReportedEvent } from "@/lib/calendar/event";
import { toWeeklyEvent } from "@/lib/calendar/forexfactory/weekly-event";
import { readSourceTime } from "@/lib/calendar/source-time";

/**
 * The weekly file of ForexFactory as XML. It is encoded in windows-1252, has date and time of day in two fields, and
 * states no zone. Recorded files are in UTC, unlike the JSON form.
 */

const text = z.string().default("");
const weeklyFile = z.object({
  weeklyevents: z.object({
    event: z
      .array(
        z.object({ title: text, country: text, date: text, time: text, impact: text, forecast: text, previous: text }),
      )
      .default([]),
  }),
});

const parser = new XMLParser({
  isArray: (name) => name === "event",
  parseTagValue: false,
  htmlEntities: true,
});

/** Throws an Error that names the event that cannot be read. */
export function readWeeklyXml(bytes: Uint8Array, zone = "UTC"): ReportedEvent[] {
  const file = weeklyFile.safeParse(parser.parse(new TextDecoder("windows-1252").decode(bytes)));
  if (!file.success) throw new Error("This is not a weekly file of events in XML.");
  return file.data.weeklyevents.event.map((row, index) => {
    const time = readSourceTime(row.date, row.time, { zone });
    if (time === null || row.title === "")
      throw new Error(`Event ${index + 1} has no title or no readable date: ${row.date} ${row.time}`.trim());
    return toWeeklyEvent(row, time, zone);
  });
}
