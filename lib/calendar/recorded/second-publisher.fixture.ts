import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportedEvent } from "@/lib/calendar/event";
import { readWeeklyJson } from "@/lib/calendar/forexfactory/weekly-json";
import { readWeeklyXml } from "@/lib/calendar/forexfactory/weekly-xml";
import { readCalendarFile } from "@/lib/calendar/import/read-file";
import type { Week } from "@/lib/calendar/recorded/publisher-weeks.fixture";

/** The second publisher's events of the same weeks, each in its recorded format: all versions, oldest first. */
export function readSecondPublisher(realData: string, week: Week): ReportedEvent[][] {
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
  const month = readCalendarFile(bytes, "csv", { zone: "Etc/GMT-7", year: 2024 });
  const [fromMs, toMs] = week.split("_").map((day) => Date.parse(day)) as [number, number];
  return [month.filter(({ timeMs }) => timeMs >= fromMs - 43_200_000 && timeMs < toMs + 129_600_000)];
}
