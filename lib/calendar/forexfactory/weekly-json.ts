import * as z from "zod";
import type { ReportedEvent } from "@/lib/calendar/event";
import { toWeeklyEvent } from "@/lib/calendar/forexfactory/weekly-event";
import { readSourceTime } from "@/lib/calendar/source-time";

/** The weekly file of ForexFactory as JSON. Its times contain New York's offset. */

export const FOREX_FACTORY_ZONE = "America/New_York";

const weeklyRows = z.array(
  z.object({
    title: z.string().min(1),
    country: z.string().min(1),
    date: z.string(),
    impact: z.string(),
    forecast: z.string().nullish(),
    previous: z.string().nullish(),
  }),
);

/** Throws an Error that names the row that cannot be read. */
export function readWeeklyJson(text: string): ReportedEvent[] {
  return weeklyRows.parse(JSON.parse(text)).map((row, index) => {
    const time = readSourceTime(row.date, "", { zone: FOREX_FACTORY_ZONE });
    if (time === null) throw new Error(`Row ${index + 1} has no readable date: ${row.date.slice(0, 40)}`);
    return toWeeklyEvent(row, time, FOREX_FACTORY_ZONE);
  });
}
