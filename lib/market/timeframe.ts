import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "@/lib/time/units";
import { getZoneOffsetMs } from "@/lib/time/zone-offset";

/** The timeframes whose bars are stored, shortest first. */
export const TIMEFRAMES = ["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const;
export type StoredTimeframe = (typeof TIMEFRAMES)[number];
/** A timeframe whose bars are joined from shorter ones when they are requested: see `readTimeframe`. */
export type JoinedTimeframe = `S${number}` | `M${number}` | `H${number}` | "MN1";
export type Timeframe = StoredTimeframe | JoinedTimeframe;

/** The joined timeframes that traders use most, shortest first. */
const JOINED_TIMEFRAMES = ["M2", "M3", "M10", "H2", "H3", "H6", "H8", "H12", "MN1"] as const;

/** A regular expression of the names of all timeframes, for documentation: `readTimeframe` is stricter. */
export const TIMEFRAME_PATTERN = "^(S(1|5|10|15|30)|M[1-9][0-9]{0,3}|H[1-9][0-9]?|D1|W1|MN1)$";

export function isStored(timeframe: Timeframe): timeframe is StoredTimeframe {
  return (TIMEFRAMES as readonly Timeframe[]).includes(timeframe);
}

/** How programs write the units of a timeframe. A capital M behind a number or alone is a month elsewhere, and no minute. */
const UNITS: readonly (readonly [unit: string, spelling: RegExp])[] = [
  ["S", /^(?:s|secs?|seconds?)$/],
  ["M", /^(?:m|mins?|minutes?)$/],
  ["H", /^(?:h|hrs?|hours?|hourly)$/],
  ["D", /^(?:d|days?|daily)$/],
  ["W", /^(?:w|wk|weeks?|weekly)$/],
  ["MN", /^(?:mo|mn|months?|monthly)$/],
];
const MAYBE_MONTH = /^\s*(\d{0,4})M\s*$/;

const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 1_440;
/** Lengths of bars of seconds: those of which whole ones make a minute, as charts offer them. */
const SECONDS: readonly number[] = [1, 5, 10, 15, 30];

/**
 * Reads a timeframe in the spellings "H1", "h1", "1h", "1hour", "hourly" and, as terminals count minutes, "60"; undefined for
 * other texts. Beside the stored ones there are bars of 1, 5, 10, 15 and 30 seconds, of any number of minutes or hours up to
 * a day, and of a month. Each has one name: 120 minutes are H2.
 */
export function readTimeframe(text: string): Timeframe | undefined {
  const [, unit = "", count = ""] = /^\s*(MN|[SMHDW])(\d{1,4})\s*$/.exec(text.toUpperCase()) ?? [];
  if (unit !== "") return nameTimeframe(unit, count);
  const [, number = "", word = ""] = /^\s*(\d{0,4})([a-z]{0,7})\s*$/i.exec(text) ?? [];
  if (word === "") return nameTimeframe("M", number);
  if (MAYBE_MONTH.test(text) || /^[sm]$/i.test(number + word)) return undefined;
  const letter = UNITS.find(([, spelling]) => spelling.test(word.toLowerCase()))?.[0];
  return letter === undefined ? undefined : nameTimeframe(letter, number === "" ? "1" : number);
}

/** Explains why a text that has two meanings is no timeframe, as a sentence after others; empty for other texts. */
export function explainTimeframe(text: string): string {
  const [match, count] = MAYBE_MONTH.exec(text) ?? [];
  if (match === undefined) return "";
  const number = count || "1";
  return `. Say M${number} or ${number}m for minutes, and MN1 or 1mo for a month`;
}

function nameTimeframe(unit: string, digits: string): Timeframe | undefined {
  const count = Number(digits);
  if (digits === "" || digits.startsWith("0")) return undefined;
  if (unit === "S") return SECONDS.includes(count) ? `S${count}` : undefined;
  if (unit === "MN") return count === 1 ? "MN1" : undefined;
  if (unit === "D" || unit === "W") return count === 1 ? `${unit}1` : undefined;
  const minutes = unit === "H" ? count * MINUTES_PER_HOUR : count;
  if (minutes > MINUTES_PER_DAY) return undefined;
  if (minutes === MINUTES_PER_DAY) return "D1";
  return minutes % MINUTES_PER_HOUR === 0 ? `H${minutes / MINUTES_PER_HOUR}` : `M${minutes}`;
}

const NEW_YORK = "America/New_York";
/** The trading day changes at 17:00 in New York, so that a week of spot trading has five daily bars. */
const DAY_START_MS = 17 * HOUR_MS;

/** How bars of a timeframe follow each other. */
interface Steps {
  /** What they are counted from. */
  readonly from: "clock" | "day" | "week" | "month";
  /** Their length in a week without a clock change. */
  readonly usualMs: number;
}

/** A month of trading days, on average. */
const MONTH_MS = (365.2425 / 12) * DAY_MS;
const UNIT_MS = { S: SECOND_MS, M: MINUTE_MS, H: HOUR_MS } as const;
const steps = new Map<Timeframe, Steps>([
  ["D1", { from: "day", usualMs: DAY_MS }],
  ["W1", { from: "week", usualMs: WEEK_MS }],
  ["MN1", { from: "month", usualMs: MONTH_MS }],
]);

/** There are some 1,500 timeframes, so all of them may be kept. */
function getSteps(timeframe: Timeframe): Steps {
  let known = steps.get(timeframe);
  if (known === undefined) {
    const usualMs = UNIT_MS[timeframe.charAt(0) as keyof typeof UNIT_MS] * Number(timeframe.slice(1));
    known = { from: HOUR_MS % usualMs === 0 ? "clock" : "day", usualMs };
    steps.set(timeframe, known);
  }
  return known;
}

/**
 * When the bar that contains `atMs` opened; UTC milliseconds in and out. Bars of which whole ones make an hour follow the
 * UTC clock. Other bars of minutes and hours are counted from the start of the trading day, so that the last one is longer
 * or shorter on the day of a clock change, and shorter where the day is no multiple of its length. Weeks begin on Sunday at
 * 17:00 in New York, months with the trading day of their first.
 */
export function getBarStart(timeframe: Timeframe, atMs: number): number {
  const { from, usualMs } = getSteps(timeframe);
  if (from === "clock") return Math.floor(atMs / usualMs) * usualMs;
  if (from === "week") return findDayStart(atMs, "week");
  if (from === "month") return findDayStart(atMs, "month");
  const day = findDayStart(atMs, "day");
  return day + Math.min(Math.floor((atMs - day) / usualMs), getLastOfDay(usualMs)) * usualMs;
}

/** When the bar that opened at `startMs` ends and the next one opens. */
export function getBarEnd(timeframe: Timeframe, startMs: number): number {
  const { from, usualMs } = getSteps(timeframe);
  if (from === "clock") return startMs + usualMs;
  if (from === "week") return findLaterDayStart(startMs, 7);
  if (from === "month") return findNextMonth(startMs);
  const day = usualMs === DAY_MS ? startMs : findDayStart(startMs, "day");
  const nextDay = findLaterDayStart(day, 1);
  const isLast = Math.round((startMs - day) / usualMs) >= getLastOfDay(usualMs);
  return isLast ? nextDay : Math.min(startMs + usualMs, nextDay);
}

/** The number of the last bar of a day, from zero. */
function getLastOfDay(usualMs: number): number {
  return Math.ceil(DAY_MS / usualMs) - 1;
}

/** The length of a bar in a week without a clock change, in milliseconds; the mean length of a month. */
export function getUsualBarMs(timeframe: Timeframe): number {
  return getSteps(timeframe).usualMs;
}

/** Examples of all timeframes, for errors. */
export const USUAL_TIMEFRAMES: readonly Timeframe[] = [...TIMEFRAMES, ...JOINED_TIMEFRAMES].sort(
  (a, b) => getUsualBarMs(a) - getUsualBarMs(b),
);

/** What the bars of a joined timeframe are made of: the longest stored bars that divide them, or recorded seconds. */
export function findParts(timeframe: JoinedTimeframe): StoredTimeframe | "S1" {
  if (timeframe === "MN1") return "D1";
  if (timeframe.startsWith("S")) return "S1";
  const { from, usualMs } = getSteps(timeframe);
  const divides = (part: StoredTimeframe) => {
    const partMs = getUsualBarMs(part);
    // Bars of four hours are counted from the start of the trading day.
    return partMs < DAY_MS && usualMs % partMs === 0 && (partMs <= HOUR_MS || from === "day");
  };
  return TIMEFRAMES.findLast(divides) ?? "M1";
}

/** Whether bars of the ask and the mid exist, which are joined from recorded seconds: up to 15 minutes. */
export function hasAllSides(timeframe: Timeframe): boolean {
  return getUsualBarMs(timeframe) <= 15 * MINUTE_MS;
}

/** Whether bars are those of a day or longer, so that a date names them. */
export function isDayOrLonger(timeframe: Timeframe): boolean {
  return getUsualBarMs(timeframe) >= DAY_MS;
}

/**
 * The time of the trading day at a moment, UTC milliseconds: as the milliseconds at which a UTC clock shows it, with
 * midnight at 17:00 in New York. The day from Sunday 17:00 to Monday 17:00 is Monday.
 */
export function toTradingClock(utcMs: number): number {
  return utcMs + getZoneOffsetMs(NEW_YORK, utcMs) + DAY_MS - DAY_START_MS;
}

/** The latest 17:00 in New York at or before a moment at which a trading day, week or month begins. */
function findDayStart(atMs: number, unit: "day" | "week" | "month"): number {
  const { year, month, day, weekday, msOfDay } = toCivilTime(NEW_YORK, atMs);
  const daysBack = msOfDay >= DAY_START_MS ? 0 : 1;
  if (unit === "month") {
    // The trading day is named after the date on which it ends.
    const named = toTradingDate(year, month, day - daysBack + 1);
    return zonedTimeToUtcMs(NEW_YORK, named.getUTCFullYear(), named.getUTCMonth() + 1, 0, DAY_START_MS);
  }
  const turnWeekday = (weekday - daysBack + 7) % 7;
  return zonedTimeToUtcMs(NEW_YORK, year, month, day - daysBack - (unit === "week" ? turnWeekday : 0), DAY_START_MS);
}

function findNextMonth(startMs: number): number {
  const { year, month, day } = toCivilTime(NEW_YORK, startMs);
  const named = toTradingDate(year, month, day + 1);
  return zonedTimeToUtcMs(NEW_YORK, named.getUTCFullYear(), named.getUTCMonth() + 2, 0, DAY_START_MS);
}

const toTradingDate = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day));

function findLaterDayStart(turnMs: number, days: number): number {
  const { year, month, day } = toCivilTime(NEW_YORK, turnMs);
  return zonedTimeToUtcMs(NEW_YORK, year, month, day + days, DAY_START_MS);
}
