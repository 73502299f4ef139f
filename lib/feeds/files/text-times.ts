import { classifyTimes, type ColumnMeaning, findOffset } from "@/lib/feeds/files/column-names";
import { isHistDataName } from "@/lib/feeds/files/file-names";
import type { FileFormat } from "@/lib/feeds/files/price-rows";
import { FIRST_UNIX_MS, readShortDate, type ShortYear, type StampOptions } from "@/lib/feeds/files/stamp-reader";
import { type Known, OF_FORMAT, SERVER } from "@/lib/feeds/files/text-shapes";
import type { DateOrder } from "@/lib/time/iso-time";
import { findStatedZone, readStatedZone, readZoneLine, splitStatedZone, UNCLEAR } from "@/lib/time/stated-zone";
import { DAY_MS } from "@/lib/time/units";

/** How the times of a text are written, and in which zone. */

interface Times {
  readonly stamp: StampOptions;
  /** The zone that all times, or a column beside them, name; null if they name none. */
  readonly zone: string | null;
  readonly isOrderOpen: boolean;
  readonly hasOffsets: boolean;
  readonly offset: string | null;
  readonly notes: readonly string[];
}

/** What the rows of a text and its headings are. */
interface Rows {
  readonly cells: readonly (readonly string[])[];
  readonly headings: readonly string[];
  /** Whether times are milliseconds of a day. */
  readonly isOfDay: boolean;
}

/** Throws an Error if the times have two meanings. */
export function describeTimes(
  { at }: ColumnMeaning,
  { cells, headings, isOfDay }: Rows,
  {
    dateOrder: given,
    nowMs = Date.now(),
  }: { readonly dateOrder?: DateOrder | undefined; readonly nowMs?: number | undefined },
): Times {
  const none = { stamp: { dateOrder: null, clockDigits: null }, isOrderOpen: false, hasOffsets: false, offset: null };
  if (isOfDay) return { ...none, zone: null, notes: [] };
  const column = (index: number) => (index === -1 ? [] : cells.map((row) => row[index] ?? ""));
  const dates = column(at.date === -1 ? at.time : at.date);
  const clocks = at.date === -1 ? [] : column(at.time);
  if (clocks.length === 0) requireUnix(dates, nowMs);
  const zoneName = findZoneName(clocks.length === 0 ? dates : clocks);
  const zoneColumn = headings.findIndex((name) => /^(?:time[ _]?zone|tz|zone)$/i.test(name));
  const zone = zoneName ?? findOnlyZone(column(zoneColumn));
  const shortYear = findShortYear(dates, given, nowMs);
  const found = shortYear === null ? findDateOrder(dates) : null;
  const [again] = dates.filter((date, i) => date !== "" && date === dates[i - 1]);
  if (clocks.length === 0 && again !== undefined && classifyTimes(dates) === "date") {
    throw new Error(
      `several rows are of ${again}, and no column that is known has their time of day: name it with --columns, as time`,
    );
  }
  const isOpen = found === "open" && given === undefined;
  const dateOrder = given ?? (found === "open" ? null : found);
  const isSaid = found !== null && found !== "open" && given === undefined;
  const isUsual = dateOrder === null && !isOpen && dates.some((date) => YEAR_LAST.test(date));
  const order = dateOrder === "day-month" ? "the day comes before the month" : "the month comes before the day";
  const hasOffsets =
    at.date === -1
      ? classifyTimes(dates) === "offset"
      : clocks.length > 0 && clocks.every((each) => /\d(?:Z|[+-]\d\d:?\d\d)$/i.test(each));
  return {
    stamp: { dateOrder, clockDigits: findClockDigits(clocks, dates), shortYear, zoneName },
    zone: zone === null ? null : readStatedZone(zone),
    ...{ isOrderOpen: isOpen, hasOffsets, offset: hasOffsets && at.date === -1 ? findOffset(dates) : null },
    notes:
      shortYear !== null
        ? [`its dates, like ${dates[0] ?? ""}, are taken to have ${SHORT_YEAR_WORDS[shortYear]} in this order`]
        : isSaid
          ? [`in its dates ${order}`]
          : isUsual
            ? ["in its dates with dots the day is taken to come first"]
            : [],
  };
}

const YEAR_LAST = /^(?:\D*?)(\d{1,2})([-./])(\d{1,2})\2\d{4}/;

/**
 * Which of two numbers before the year is the day: null if the year comes first, "open" if these dates do not tell. With
 * dots it is the day. Throws an Error if they contradict each other.
 */
export function findDateOrder(dates: readonly string[]): DateOrder | "open" | null {
  let order: DateOrder | "open" | null = null;
  for (const date of dates) {
    const [, first, sign, second] = YEAR_LAST.exec(date) ?? [];
    if (first === undefined) continue;
    const own = Number(first) > 12 ? "day-month" : Number(second) > 12 ? "month-day" : null;
    if (own !== null && order !== null && order !== "open" && own !== order) {
      throw new Error(
        `its dates contradict each other: ${date} has another order than those before; give it with --dates`,
      );
    }
    order = own ?? order ?? (sign === "." ? null : "open");
    if (own !== null && order === "open") order = own;
  }
  return order;
}

/** The share of dates that must be alike: others are of rows that are refused. */
const MOST_ALIKE = 0.8;
const SHORT_YEARS = ["day-month", "month-day", "year-month"] as const;
const SHORT_YEAR_WORDS: Readonly<Record<ShortYear, string>> = {
  "day-month": "day, month and year",
  "month-day": "month, day and year",
  "year-month": "year, month and day",
};
const SHORT_DATE = /^(?:(\d\d?)([-./])(\d\d?)\2(\d\d)(?!\d|\2)|(\d\d)(\d\d)(\d\d)(?![\d.]))/;

/**
 * The order of dates whose year has two digits; null for other dates. It is the one in which all are days of the past,
 * and of several the one in which they lie close together. Throws an Error if that does not tell it.
 */
function findShortYear(dates: readonly string[], given: DateOrder | undefined, nowMs: number): ShortYear | null {
  const all = [...new Set(dates)].filter((date) => date !== "");
  const parts = all.flatMap((date) => {
    const [text, ...groups] = SHORT_DATE.exec(date)?.filter((group) => group !== undefined) ?? [];
    const [first, second, third] = groups.filter((group) => /\d/.test(group)).map(Number);
    return text === undefined ? [] : [{ text, first, second, third }];
  });
  const [example] = parts;
  if (example === undefined || parts.length < MOST_ALIKE * all.length) return null;
  const measure = (order: ShortYear) => {
    const days = parts.map(({ first = 0, second = 0, third = 0 }) => readShortDate(order, first, second, third) ?? NaN);
    const last = Math.max(...days);
    return last <= nowMs + DAY_MS ? last - Math.min(...days) : NaN;
  };
  const spans = (given === undefined ? SHORT_YEARS : [given])
    .map((order) => ({ order, span: measure(order) }))
    .filter(
      ({ order, span }) =>
        !Number.isNaN(span) && !(example.text.includes(".") && order === "month-day" && given === undefined),
    )
    .sort((a, b) => a.span - b.span);
  const [best, next] = spans;
  if (best === undefined) return null;
  if (next === undefined || best.span * 2 < next.span) return best.order;
  const sentence = "do not tell the day from the month and the year: give --dates day-month or --dates month-day";
  throw new Error(`its dates, like ${example.text}, ${sentence}, or write years with four digits`);
}

/** What counts from elsewhere than 1970, in seconds of Unix time. */
const EPOCHS: readonly (readonly [name: string, originSeconds: number])[] = [
  ["ticks of .NET, which count from the year 1", -62_135_596_800],
  ["a FILETIME of Windows, which counts from 1601", -11_644_473_600],
  ["seconds since 2001", 978_307_200],
  ["a time since 2000", 946_684_800],
];
/** Throws an Error if numbers would be times that no file has as Unix time. */
function requireUnix(times: readonly string[], nowMs: number): void {
  const number = times.find((time) => time !== "") ?? "";
  if (!/^\d{9,19}(?:\.\d+)?$/.test(number) || /^(?:\d{14}|[12]\d{11})(?:\.|$)/.test(number)) return;
  const digits = number.split(".")[0]?.length ?? 0;
  const perMs = digits <= 10 ? 1e-3 : 10 ** (Math.ceil((digits - 13) / 3) * 3);
  const ms = Number(number) / perMs;
  if (ms >= FIRST_UNIX_MS) return;
  const year = (timeMs: number) => new Date(timeMs).getUTCFullYear();
  const epochs = EPOCHS.map(
    ([name, origin]) => [name, (digits > 16 ? Number(number) / 1e4 : ms) + origin * 1000] as const,
  );
  const others = epochs
    .filter(([, timeMs]) => timeMs >= FIRST_UNIX_MS && timeMs <= nowMs)
    .map(([name, timeMs]) => `of ${year(timeMs)} as ${name}`);
  const either = [`of ${year(ms)} as Unix time`, ...others].join(", and ");
  throw new Error(`its times, like ${number}, would be ${either}: write them as 2024-01-31 17:00:00`);
}

/** What stands behind all times, if it names a zone: "US/Eastern". Throws an Error if they name several. */
function findZoneName(times: readonly string[]): string | null {
  const names = times.filter((time) => time !== "").map((time) => ZONE_BEHIND.exec(time)?.[1] ?? "");
  return names.some((name) => name !== "") ? findOnlyZone(names) : null;
}

const ZONE_BEHIND = /\d[ [(]?([A-Za-z]+\/[A-Za-z_/+-]+\d*|ET)[\])]?$/;

function findOnlyZone(names: readonly string[]): string | null {
  const all = [...new Set(names)];
  if (all.length > 1)
    throw new Error(`its times are of several zones, ${all.slice(0, 3).join(", ")}: split the file by them`);
  return all[0] || null;
}

/** The digits of times of day that lack their leading zeros; null if all have them. */
function findClockDigits(clocks: readonly string[], dates: readonly string[]): 4 | 6 | null {
  if (clocks.length === 0 || !clocks.every((clock) => /^\d{1,6}$/.test(clock))) return null;
  const isClock = (value: number) => value < 240_000 && value % 10_000 < 6_000 && value % 100 < 60;
  const [wrong] = clocks.filter((clock) => !isClock(Number(clock)));
  if (wrong !== undefined && clocks.some((clock) => clock.length > 4)) {
    throw new Error(`its times of day, like ${wrong}, are no hours, minutes and seconds: write them as 05:00:00`);
  }
  const lengths = clocks.map((clock) => clock.length);
  const longest = Math.max(...lengths);
  if (lengths.every((length) => length === longest) && (longest === 4 || longest === 6)) return null;
  if (longest > 4) return 6;
  const isHours = clocks.every((clock) => Number(clock) <= 2359 && Number(clock) % 100 < 60) && new Set(dates).size > 1;
  if (isHours) return 4;
  throw new Error("its times of day have no leading zeros, so that 500 may be 05:00 or 00:05: write them as 05:00");
}

/** What tells the zone of a text. */
interface ZoneClues {
  readonly headings: readonly string[];
  /** Lines above the rows that are no heading. */
  readonly skipped: readonly { readonly number: number; readonly text: string }[];
  /** The names of the text, and of the archive around it. */
  readonly name: string;
  readonly known: Known | null;
  readonly zoneOfCells: string | null;
}

interface FoundZone {
  readonly format: FileFormat;
  readonly zone: string | null;
  readonly zoneReason: string;
}

const HISTDATA = ["America/New_York", "the vendor's, as the name tells"] as const;

/** The zone that a text states: null, with what it needs, if it states none clearly, or several. */
export function findZone(
  meaning: ColumnMeaning,
  { headings, skipped, name, known, zoneOfCells }: ZoneClues,
): FoundZone {
  const times = [meaning.at.time, meaning.at.date].map((index) => headings[index] ?? "");
  const own = known ?? findUsualZone(times, headings);
  const isHistData = own.format === "csv" && isHistDataName(name);
  const clues: (readonly [zone: string | null, reason: string])[] = [
    [zoneOfCells, "its times"],
    ...times.map((heading) => [splitStatedZone(heading).zone, `its heading ${heading}`] as const),
    ...skipped.map(({ number, text }) => [readZoneLine(text), `line ${number}, ${text.slice(0, 60)},`] as const),
    [findStatedZone(name), "its name"],
    ...(isHistData ? [HISTDATA] : own.zoneReason === OF_FORMAT ? ([[own.zone, OF_FORMAT]] as const) : []),
  ];
  const said = clues.flatMap(([zone, reason]) => (zone === null ? [] : [{ zone, reason }]));
  const [first] = said;
  const other = said.find(({ zone }) => zone !== first?.zone);
  const { format } = isHistData ? { format: "histdata" as const } : own;
  if (first === undefined) return { format, zone: own.zone, zoneReason: own.zoneReason };
  if (other !== undefined) {
    const either = [first, other].map(
      ({ zone, reason }) => `${reason} says ${zone === UNCLEAR ? "another one" : zone}`,
    );
    return { format, zone: null, zoneReason: either.join(", and ") };
  }
  if (first.zone !== UNCLEAR) return { format, zone: first.zone, zoneReason: first.reason };
  const isLocal = /local/i.test(first.reason);
  return {
    format,
    zone: null,
    zoneReason: isLocal ? "its times are local ones" : `${first.reason} has several meanings`,
  };
}

/** The zone of a text with a heading that does not state it. */
function findUsualZone([clockName = "", dateName = ""]: readonly string[], headings: readonly string[]): FoundZone {
  const [first = ""] = headings;
  if (/^<date>$/i.test(first)) return { format: "metatrader 5", ...SERVER };
  const isDukascopy = /^(?:gmt|local) time$|^time \(\w+\)$/i.test(dateName || clockName);
  const isBracketed = /^<.*>$/.test(first);
  return {
    format: isDukascopy ? "dukascopy csv" : "csv",
    zone: "UTC",
    zoneReason: isBracketed ? "usual, as the file does not tell it" : "the usual one of a csv",
  };
}
