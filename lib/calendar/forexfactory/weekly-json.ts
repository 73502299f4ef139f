import { z } from "zod";
import type { ReportedEvent } from "@/lib/calendar/event";
import { parseImpact } from "@/lib/calendar/impact-words";
import { readSourceTime } from "@/lib/calendar/source-time";

/** The weekly file of ForexFactory as JSON: times carry New York's offset, rows have no names and never an actual. */

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

/** Throws an Error saying which row cannot be read. */
export function readWeeklyJson(text: string): ReportedEvent[] {
  return weeklyRows.parse(JSON.parse(text)).map((row, index) => {
    const time = readSourceTime(row.date, "", { zone: FOREX_FACTORY_ZONE });
    if (time === null) throw new Error(`Row ${index + 1} has no readable date: ${row.date.slice(0, 40)}`);
    const isHoliday = row.impact.toLowerCase() === "holiday";
    return {
      ...{
        key: null,
        timeMs: time.timeMs,
        zone: FOREX_FACTORY_ZONE,
        certainty: isHoliday ? "all_day" : time.certainty,
      },
      ...{ currency: row.country.toUpperCase(), title: row.title, impact: parseImpact(row.impact) ?? "low" },
      ...{ forecast: row.forecast ?? "", previous: row.previous ?? "" },
    };
  });
}
