import { type ColumnPlan, readZoneNote } from "@/lib/calendar/columns";
import { type FileRow, type FileTable, readRows } from "@/lib/calendar/file-table";
import {
  findDateOrders,
  findWeekday,
  findYearlessMonth,
  readSourceTime,
  type SourceTime,
  splitMoment,
} from "@/lib/calendar/source-time";
import { formatCount } from "@/lib/text/text";
import type { DateOrder } from "@/lib/time/iso-time";

/** The times of the rows of a file, which depend partly on other rows: by those above, and by all of them together. */

export interface MomentOptions {
  /** The IANA zone of times without an offset; the default is the one that the file tells, or else UTC. */
  readonly zone?: string | undefined;
  /** The year of dates without one. */
  readonly year?: number | undefined;
  /** The order of dates like 06/08/2025; the default is the one that all dates of the file allow. */
  readonly dates?: DateOrder | undefined;
  /** What rows without a time have; the default is the time above, where the file is visibly of that kind. */
  readonly blankTimes?: "above" | "all-day" | undefined;
}

interface Moment extends SourceTime {
  readonly zone: string;
}

interface Moments {
  /** One for each row. */
  readonly moments: readonly Moment[];
  /** What had to be assumed, as sentences. */
  readonly assumptions: readonly string[];
}

interface Texts {
  readonly row: FileRow;
  readonly date: string;
  readonly time: string;
}

/**
 * Reads the times of all rows. Throws an Error that names the row and its text for an unknown notation, for a blank time
 * that no row tells, and for dates that may be read in two ways.
 *
 * @param isHoliday whether a row is one of a whole day
 */
export function readMoments(
  { rows, columns }: Pick<FileTable, "rows" | "columns">,
  { byField, unused, otherTime }: ColumnPlan,
  isHoliday: (row: FileRow) => boolean,
  options: MomentOptions,
): Moments {
  const dateColumn = byField.get("date") ?? byField.get("time");
  const time = byField.has("date") ? byField.get("time") : undefined;
  if (dateColumn === undefined)
    throw new Error(`The file has no column with the date. Its columns are ${columns.join(", ") || "none"}.`);
  const assumptions: string[] = [];
  const readCell = (row: FileRow, column: { readonly name: string } | undefined) => {
    const text = column === undefined ? "" : (row.cells.get(column.name)?.trim() ?? "");
    return /^(n\/a|nan|nat|null|none|-)$/i.test(text) ? "" : text;
  };
  const dates = rows.map((row) => addYear(readCell(row, dateColumn), readCell(row, byField.get("year"))));
  // Beside complete moments in UTC, a local time is that of another clock.
  const isOfOtherClock = time !== undefined && time.note !== dateColumn.note && dates.every(hasClock);
  const timeColumn = isOfOtherClock && dateColumn.note !== "" ? undefined : time;
  const read = rows.map((row, index) => ({ row, date: dates[index] ?? "", time: readCell(row, timeColumn) }));
  if (timeColumn === undefined && read.every(({ date }) => !hasClock(date))) refuseLostTimes(rows, unused);
  const filled = timeColumn === undefined ? read : fillFromAbove(read, isHoliday, options, assumptions);
  const order = options.dates ?? findOrder(filled, columns, assumptions);
  checkYears(filled);
  const named = [timeColumn, dateColumn].map((column) => readZoneNote(column?.note ?? "")).find(Boolean);
  const isUtc = rows.every((row, index) => readCell(row, otherTime) === (read[index] as Texts).time);
  const stated = timeColumn === undefined || otherTime === undefined ? named : isUtc ? "UTC" : "unclear";
  const zoneColumn = byField.get("zone")?.name;
  const moments = readRows(rows, (row, index) => {
    const rowZone = zoneColumn === undefined ? undefined : readZoneNote(row.cells.get(zoneColumn) ?? "");
    const zone = options.zone ?? rowZone ?? stated ?? "UTC";
    const { date, time } = filled[index] as Texts;
    const notation = { zone: zone === "unclear" ? "UTC" : zone, year: options.year, order };
    const moment = readMoment(date, time, notation);
    if (zone === "unclear" && !moment.hasOffset)
      throw new Error("the file does not tell the zone of its times clearly: say it with --zone");
    return { ...moment, zone: notation.zone };
  });
  noteZone(moments, { ...options, stated: zoneColumn === undefined ? stated : "of each row" }, assumptions);
  noteDays(moments, filled, timeColumn === undefined, assumptions);
  return { moments, assumptions };
}

/** Dates alone are whole days, unless the times are in a column of an unknown name. */
function refuseLostTimes(rows: readonly FileRow[], unused: readonly string[]): void {
  const isTime = (text: string) => /^\d{1,2}(:\d\d|\s?[ap]m\b)/i.test(text.trim());
  const name = unused.find((each) => rows.some((row) => isTime(row.cells.get(each) ?? "")));
  if (name !== undefined)
    throw new Error(`The dates have no time of day, but the column “${name}” seems to have it: name it “time”.`);
}

/** Some files have the year in a column of its own. */
function addYear(date: string, year: string): string {
  return findYearlessMonth(date) !== null && /^\d{4}$/.test(year) ? `${date}, ${year}` : date;
}

function readMoment(date: string, time: string, notation: Parameters<typeof readSourceTime>[2]): SourceTime {
  if (date === "") throw new Error("it has no date");
  const refuse = (text: string) => {
    const isYearless = notation.year === undefined && findYearlessMonth(date) !== null;
    if (isYearless) return new Error(`its date cannot be read: ${text}, which needs --year`);
    const weekday = findWeekday(date, notation);
    return new Error(`its date cannot be read: ${text}${weekday === null ? "" : `, which is a ${weekday}`}`);
  };
  const { day, clock } = splitMoment(date);
  const whole = splitMoment(time).clock === undefined ? null : readSourceTime(time, "", notation);
  const single = clock === undefined ? whole : readSourceTime(date, "", notation);
  const joined = readSourceTime(clock === undefined ? date : day, time, notation);
  if (time === "" || single === null || clock === undefined) {
    const moment = single ?? (clock === undefined || time !== "" ? joined : null);
    if (moment === null) throw refuse([date, time].filter(Boolean).join(" "));
    return moment;
  }
  // Tables write the date with a midnight that is no time: "2026-10-14 00:00:00".
  if (isMidnight(clock) && joined !== null) return joined;
  if (joined !== null && joined.timeMs !== single.timeMs && !single.hasOffset)
    throw new Error(`its date and its time contradict each other: ${date} and ${time}`);
  return single;
}

const isMidnight = (clock: string | undefined) => clock !== undefined && /^0?0:00(:00(\.0+)?)?$/.test(clock);

/**
 * Some exports leave out the date and the time of a row that are those of the row above. A file is of that kind if every
 * blank follows a row of the same date, and the times of a date rise.
 */
function fillFromAbove(
  rows: readonly Texts[],
  isHoliday: (row: FileRow) => boolean,
  { blankTimes }: MomentOptions,
  assumptions: string[],
): readonly Texts[] {
  const isBlank = ({ date, time }: Texts) => time === "" && !hasClock(date);
  const count = { dates: 0, times: 0 };
  // Without any time, the file is one of days.
  const mode = blankTimes ?? (rows.every(isBlank) ? "all-day" : "unless-unclear");
  const filled: Texts[] = [];
  const canBeAbove = mode === "above" || (mode !== "all-day" && isRising(rows));
  readRows(
    rows.map(({ row }) => row),
    (row, index) => {
      const given = rows[index] as Texts;
      const above = filled.at(-1);
      const date = given.date || above?.date || "";
      if (given.date === "" && date !== "") count.dates += 1;
      const isSameDay = above !== undefined && splitMoment(above.date).day === splitMoment(date).day;
      let { time } = given;
      if (isBlank({ row, date, time }) && mode !== "all-day") {
        const isWholeDay = isHoliday(row) && !/^all[ -]?day$/i.test(above?.time ?? "");
        if (isSameDay && above.time !== "" && !isWholeDay) {
          if (!canBeAbove) throw new Error(explainBlank("the times of a day do not rise"));
          time = above.time;
          count.times += 1;
        } else if (!isHoliday(row)) throw new Error(explainBlank("the row above is of another date"));
      }
      // The midnight that tables write beside a date is no time.
      filled.push({ row, date: hasClock(date) ? date : splitMoment(date).day, time });
    },
  );
  if (count.dates > 0) assumptions.push(`${formatRows(count.dates)} without a date: it is taken from the row above.`);
  if (count.times > 0) {
    const override = blankTimes === undefined ? ` With --blank-times all-day, they are whole days.` : "";
    assumptions.push(`${formatRows(count.times)} without a time: it is taken from the row above.${override}`);
  }
  return filled;
}

function explainBlank(reason: string): string {
  return `it has no time, and it cannot be that of the row above, because ${reason}; if it is a whole day, use --blank-times all-day`;
}

const hasClock = (date: string) => {
  const { clock } = splitMoment(date);
  return (clock !== undefined && !isMidnight(clock)) || /^\d{9,13}$/.test(date);
};

function isRising(rows: readonly Texts[]): boolean {
  let [before, dateBefore] = [-1, ""];
  for (const { date, time } of rows) {
    if (date !== "" && date !== dateBefore) [before, dateBefore] = [-1, date];
    const read = readSourceTime("2000-01-01", time, { zone: "UTC" });
    if (time === "" || read?.certainty !== "exact") continue;
    if (read.timeMs < before) return false;
    before = read.timeMs;
  }
  return true;
}

/** Two publishers' headings, whose dates always have the month first. */
const MONTH_FIRST = ["title,country,date,time,impact,forecast,previous", "id,start,name,impact,currency"];

function findOrder(rows: readonly Texts[], columns: readonly string[], assumptions: string[]): DateOrder | undefined {
  const dates = rows.map(({ date }) => date);
  const orders = findDateOrders(dates);
  if (orders === null) return undefined;
  const [order, other] = orders;
  if (order === undefined)
    throw new Error("The dates contradict each other: some have the day first, or do not exist, and others the month.");
  if (other === undefined) return order;
  const example = dates.find((date) => findDateOrders([date]) !== null);
  const heading = columns.map((column) => column.toLowerCase()).join(",");
  if (!MONTH_FIRST.some((each) => heading.startsWith(each)))
    throw new Error(
      `Dates like ${example} may have the day or the month first: say it with --dates day-month or --dates month-day.`,
    );
  assumptions.push(`Dates like ${example} are read with the month first. --dates says another order.`);
  return "month-day";
}

/** The year of dates without one is that of the whole file. */
function checkYears(rows: readonly Texts[]): void {
  let before: number | null = null;
  readRows(
    rows.map(({ row }) => row),
    (_, index) => {
      const month = findYearlessMonth(rows[index]?.date ?? "");
      if (month !== null && before !== null && Math.abs(month - before) === 11)
        throw new Error("its date names no year, and a year ends above it: import the years one by one");
      before = month ?? before;
    },
  );
}

function noteZone(
  moments: readonly Moment[],
  { zone, stated }: MomentOptions & { readonly stated: string | undefined },
  assumptions: string[],
): void {
  if (zone !== undefined || moments.every(({ hasOffset }) => hasOffset)) return;
  const known = moments.find(({ hasOffset }) => !hasOffset)?.zone ?? "UTC";
  if (stated === undefined) assumptions.push("Times without an offset are read as UTC. --zone says another zone.");
  else if (stated === "of each row") assumptions.push("Times are read in the zone that their row names.");
  else assumptions.push(`Times are read in the zone that their column names, ${known}. --zone says another zone.`);
}

function noteDays(
  moments: readonly Moment[],
  rows: readonly Texts[],
  isCombined: boolean,
  assumptions: string[],
): void {
  const days = moments.filter(({ certainty }, index) => certainty === "all_day" && rows[index]?.time === "");
  if (days.length === 0) return;
  const what = isCombined ? "with a date but no time of day" : "without a time";
  assumptions.push(`${formatRows(days.length)} ${what}: whole days.`);
}

/** "1 row" or "1,200 rows", for reports. */
export function formatRows(count: number): string {
  return count === 1 ? "1 row" : `${formatCount(count)} rows`;
}
