import { BLANK, COLON, COMMA, MINUS, NINE, PLUS, POINT, SLASH, ZERO } from "@/lib/text/csv";
import { type DateOrder, toDayMs } from "@/lib/time/iso-time";
import { OFFSET_HOURS } from "@/lib/time/stated-zone";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Reads times from bytes of text. Known forms: 2019-01-31 (also with dots or slashes), 20190131, 31.01.2019 and
 * 01/31/2019, each with 23:59, 23:59:58, 235958 or 235958123 behind; 201901312359, 20190131235958; "31 Jan 2019 11:59 PM";
 * each with a fraction and an offset, if any; Unix time in seconds, milli-, micro- or nanoseconds.
 */

const MAX_GROUPS = 8;
const MAX_DIGITS = 17;

export interface StampOptions {
  /** Null leaves dates unread that have both meanings by their form. */
  readonly dateOrder: DateOrder | null;
  /** The digits of a time of day without colons whose leading zeros are left out: 500 is 05:00 of four, 00:05:00 of six. */
  readonly clockDigits: 4 | 6 | null;
  /** What dates with two digits of the year begin with; null or undefined leaves them unread. */
  readonly shortYear?: ShortYear | null;
  /** The text of the zone behind all times, which is not read; undefined allows for any, and null for none. */
  readonly zoneName?: string | null;
}

/** Unix time of files is of later days: a number of an earlier one counts from elsewhere. */
export const FIRST_UNIX_MS = Date.UTC(1999, 0);

export type ShortYear = DateOrder | "year-month";

/** UTC milliseconds of the midnight of a date whose year has two digits; null if there is no such day. */
export function readShortDate(order: ShortYear, first: number, second: number, third: number): number | null {
  const year = order === "year-month" ? first : third;
  const [month, day] =
    order === "year-month" ? [second, third] : order === "day-month" ? [second, first] : [first, second];
  return toDayMs(year + (year < FIRST_SHORT_YEAR ? 2000 : 1900), month, day);
}

const FIRST_SHORT_YEAR = 70;

/** Its fields are what the last call of `read` found. */
export class StampReader {
  /** UTC milliseconds if `isUtc`; else the UTC milliseconds at which a UTC clock would show the same time. */
  ms = 0;
  isUtc = false;
  /** How far the stated offset is ahead of UTC; 0 for Unix time and without an offset. */
  offsetMs = 0;
  /** Whether the text has a time of day. */
  hasClock = false;
  readonly #dateOrder: DateOrder | null;
  readonly #clockDigits: 4 | 6 | null;
  readonly #shortYear: ShortYear | null;
  readonly #zoneName: string | null | undefined;
  readonly #values = new Float64Array(MAX_GROUPS);
  readonly #lengths = new Uint8Array(MAX_GROUPS);
  /** The last character before each group. */
  readonly #before = new Uint8Array(MAX_GROUPS);
  #groups = 0;
  #separator = 0;
  #offset: number | null = null;
  #isAfternoon: boolean | null = null;
  #dayKey = -1;
  #dayMs: number | null = null;

  constructor(
    { dateOrder, clockDigits, shortYear = null, zoneName }: StampOptions = { dateOrder: null, clockDigits: null },
  ) {
    this.#dateOrder = dateOrder;
    this.#clockDigits = clockDigits;
    this.#shortYear = shortYear;
    this.#zoneName = zoneName;
  }

  /** Reads the text in [start, end), continued in [start2, end2). Returns false for another form. */
  read(bytes: Uint8Array, start: number, end: number, start2: number, end2: number): boolean {
    this.#groups = 0;
    this.#offset = this.#isAfternoon = null;
    const isSplit = this.#split(bytes, start, end) && (end2 <= start2 || this.#split(bytes, start2, end2));
    if (isSplit && this.#groups > 0 && this.#set()) return true;
    return this.#readWords(`${toText(bytes, start, end)} ${toText(bytes, start2, end2)}`.trim());
  }

  #set(): boolean {
    const length = this.#lengths[0] as number;
    if (length === 14 || (length === 12 && this.#isCompact())) return this.#setCompact();
    return length >= 9 ? this.#setUnix() : this.#setDated();
  }

  /** Splits the text into groups of digits. Returns false at a character that no time has. */
  #split(bytes: Uint8Array, start: number, end: number): boolean {
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte >= ZERO && byte <= NINE) {
        const group = this.#groups++;
        if (group === MAX_GROUPS) return false;
        this.#before[group] = i === start ? BLANK : (bytes[i - 1] as number);
        const from = i;
        let value = 0;
        for (let digit = byte; digit >= ZERO && digit <= NINE; digit = ++i < end ? (bytes[i] as number) : 0) {
          // Further digits of nanoseconds are ignored: a double cannot hold them.
          if (i - from < MAX_DIGITS) value = value * 10 + digit - ZERO;
        }
        this.#values[group] = value;
        this.#lengths[group] = i - from;
        i--;
        continue;
      }
      if (this.#groups === 1) this.#separator = byte;
      // A minus behind the time of day begins an offset; before it, it separates.
      const isSign = byte === PLUS || (byte === MINUS && this.#groups > this.#countDateGroups());
      const isLetter = byte >= 65 && !isT(byte);
      if (isSign || isLetter) return this.#readOffset(bytes, i, end);
      if (byte !== POINT && byte !== MINUS && byte !== COLON && byte !== SLASH && byte !== BLANK && !isT(byte)) {
        if (byte !== COMMA || this.#groups < this.#countDateGroups()) return false;
      }
    }
    return true;
  }

  /** The groups of the date: none if it is one number with the time of day. */
  #countDateGroups(): number {
    const length = this.#lengths[0] as number;
    return length > 8 ? 0 : length === 8 || (length === 6 && this.#shortYear !== null) ? 1 : 3;
  }

  #readOffset(bytes: Uint8Array, start: number, end: number): boolean {
    const text = toBlanks(toText(bytes, start, end)).trim();
    const [, half] = /^([ap])\.? ?m\.?$/i.exec(text) ?? [];
    if (half !== undefined) {
      this.#isAfternoon = /p/i.test(half);
      return true;
    }
    const name = text.replace(/^[[(]|[\])]$/g, "");
    if (/^(?:[a-z]+\/[a-z_/+-]+\d*|ET)$/i.test(name)) return this.#zoneName === undefined || this.#zoneName === name;
    const match = /^([a-z]{1,5})?(?:([+-])(\d\d?)(?::?(\d\d))?(?: [a-z]{2,5})?)?(?:\[[\w/+-]+\])?$/i.exec(text);
    if (match === null) return false;
    const named = match[1] === undefined ? 0 : OFFSET_HOURS[match[1].toUpperCase()];
    if (named === undefined || (named !== 0 && match[2] !== undefined)) return false;
    const size = (named + Number(match[3] ?? 0)) * HOUR_MS + Number(match[4] ?? 0) * MINUTE_MS;
    this.#offset = match[2] === "-" ? -size : size;
    return Math.abs(size) <= MOST_OFFSET_MS;
  }

  #findDay(year: number, month: number, day: number): number | null {
    const key = (year * 100 + month) * 100 + day;
    if (key !== this.#dayKey) {
      this.#dayKey = key;
      this.#dayMs = toDayMs(year, month, day);
    }
    return this.#dayMs;
  }

  #setUnix(): boolean {
    const [value, length] = [this.#values[0] as number, this.#lengths[0] as number];
    if (this.#offset !== null || this.#groups > 2 || (this.#groups === 2 && this.#separator !== POINT)) return false;
    this.isUtc = this.hasClock = true;
    this.offsetMs = 0;
    if (length <= 10) this.ms = value * 1000 + (this.#groups === 2 ? this.#readFraction(1) : 0);
    else if (length === 12 || length === 13) this.ms = value;
    else if (length === 15 || length === 16) this.ms = Math.floor(value / 1e3);
    else if (length === 18 || length === 19) this.ms = Math.floor(value / 10 ** (MAX_DIGITS - (length - 6)));
    else return false;
    return true;
  }

  /** Whether 12 digits are a date and a time of day: as Unix time they would be of 1976. */
  #isCompact(): boolean {
    const value = this.#values[0] as number;
    const day = Math.floor(value / 1e4);
    return this.#groups === 1 && this.#findDay(Math.floor(day / 1e4), Math.floor(day / 100) % 100, day % 100) !== null;
  }

  /** A date and a time of day as one number, to the minute or the second. */
  #setCompact(): boolean {
    const [value, length] = [this.#values[0] as number, this.#lengths[0] as number];
    const second = length === 14 ? value : value * 100;
    const day = Math.floor(second / 1e6);
    const dayMs = this.#findDay(Math.floor(day / 1e4), Math.floor(day / 100) % 100, day % 100);
    const ms = length === 14 && this.#groups === 2 ? this.#readFraction(1) : 0;
    if (this.#groups > (length === 14 ? 2 : 1)) return false;
    this.hasClock = true;
    return this.#setClock(dayMs, Math.floor(second / 1e4) % 100, Math.floor(second / 100) % 100, second % 100, ms);
  }

  /** Whole milliseconds of a group that is a fraction of a second; NaN if it does not follow as one. */
  #readFraction(group: number): number {
    const sign = this.#before[group];
    if (sign !== POINT && sign !== COMMA && sign !== COLON) return NaN;
    const [value, length] = [this.#values[group] as number, this.#lengths[group] as number];
    return length === 3 ? value : Math.floor((value * 1000) / 10 ** Math.min(length, MAX_DIGITS));
  }

  /** Reads hour, minute, second and fraction from the group `at` on: as groups, or as one of 4, 6 or 9 digits. */
  #setTime(day: number | null, at: number): boolean {
    let [hour, minute, second, ms] = [0, 0, 0, 0];
    const groups = this.#groups;
    const [value, length] = [this.#values[at] as number, groups > at ? (this.#lengths[at] as number) : 0];
    const isPadded = this.#clockDigits !== null && length > 0 && length <= this.#clockDigits && groups === at + 1;
    if (length > 2 || isPadded) {
      const digits = isPadded ? (this.#clockDigits as number) : length;
      if (digits !== 4 && digits !== 6 && digits !== 9) return false;
      ms = digits === 9 ? value % 1000 : groups > at + 1 ? this.#readFraction(at + 1) : 0;
      const clock = digits === 9 ? Math.floor(value / 1000) : digits === 4 ? value * 100 : value;
      [hour, minute, second] = [Math.floor(clock / 10_000), Math.floor(clock / 100) % 100, clock % 100];
      if (groups > at + 2 || (digits !== 6 && groups > at + 1)) return false;
    } else if (length > 0) {
      if (groups < at + 2 && this.#isAfternoon === null) return false;
      hour = value;
      const before = this.#before;
      if (groups > at + 1) minute = before[at + 1] === BLANK ? NaN : (this.#values[at + 1] as number);
      if (groups > at + 2) second = before[at + 2] === BLANK ? NaN : (this.#values[at + 2] as number);
      if (groups > at + 3) ms = this.#readFraction(at + 3);
      if (groups > at + 4) return false;
    }
    this.hasClock = length > 0;
    if (this.#isAfternoon !== null) {
      if (hour < 1 || hour > 12) return false;
      hour = (hour % 12) + (this.#isAfternoon ? 12 : 0);
    }
    return this.#setClock(day, hour, minute, second, ms);
  }

  #setClock(day: number | null, hour: number, minute: number, second: number, ms: number): boolean {
    if (day === null || !(hour <= 23 && minute <= 59 && second <= 59) || Number.isNaN(ms)) return false;
    this.isUtc = this.#offset !== null;
    this.offsetMs = this.#offset ?? 0;
    this.ms = day + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + ms - this.offsetMs;
    return true;
  }

  #setDated(): boolean {
    const [first, length] = [this.#values[0] as number, this.#lengths[0] as number];
    if (length === 8) {
      return this.#setTime(this.#findDay(Math.floor(first / 10_000), Math.floor(first / 100) % 100, first % 100), 1);
    }
    if (length === 6 && this.#shortYear !== null) {
      const [a, b, c] = [Math.floor(first / 10_000), Math.floor(first / 100) % 100, first % 100];
      return this.#setTime(readShortDate(this.#shortYear, a, b, c), 1);
    }
    if (this.#groups < 3) return false;
    const [second, third] = [this.#values[1] as number, this.#values[2] as number];
    const isSplit = this.#separator === POINT || this.#separator === MINUS || this.#separator === SLASH;
    if (this.#shortYear !== null && isSplit && length <= 2 && this.#lengths[2] === 2)
      return this.#setTime(readShortDate(this.#shortYear, first, second, third), 3);
    if (length === 4) return this.#setTime(this.#findDay(first, second, third), 3);
    if (length > 2 || this.#lengths[2] !== 4) return false;
    // The year comes last. Without an order only a number above 12 tells the day, and with dots the day comes first.
    const order =
      this.#dateOrder ?? (this.#separator === POINT || first > 12 ? "day-month" : second > 12 ? "month-day" : null);
    if (order === null) return false;
    return this.#setTime(
      order === "day-month" ? this.#findDay(third, second, first) : this.#findDay(third, first, second),
      3,
    );
  }

  /** Times with names of months or days, and numbers with an exponent. It is slow, so the usual forms come first. */
  #readWords(written: string): boolean {
    const text = toBlanks(written);
    if (text !== written && this.#readPlain(text)) return true;
    const exponent = /^(\d)(?:\.(\d+))?e(\+?)(\d\d?)$/i.exec(text);
    if (exponent !== null) return this.#readExponent(exponent);
    // To the millisecond, a number has more digits than a double holds.
    const [, date, clock] = /^(\d{8})(\d{9})$/.exec(text) ?? [];
    if (date !== undefined) return this.#readPlain(`${date} ${clock ?? ""}`);
    const [, before, name = "", behind] =
      /^(?:[a-z]{3,9},? +)?(.*?)(?<![a-z])([a-z]{3,9})(?![a-z])(.*)$/i.exec(text.replace(/ *\([^)]*\)?$/, "")) ?? [];
    const month = MONTHS.findIndex((each) => isMonth(each, name.toLowerCase())) + 1;
    if (before === undefined || behind === undefined || month === 0) return false;
    const [, first] = /^(\d{4})[-. /]$/.exec(before) ?? [];
    if (first !== undefined) return this.#readPlain(`${first}-${month}-${behind.slice(1)}`);
    const [, day = "", year = "", rest = ""] =
      /^(\d\d?)[-., /]+(\d{4})\b(.*)$/.exec(`${before}-${behind}`.replace(/^[-., /]+/, "")) ?? [];
    if (day === "") return false;
    return this.#readPlain(`${year}-${month}-${day}${rest.replace(/^,/, "")}`);
  }

  #readPlain(text: string): boolean {
    const bytes = new TextEncoder().encode(text);
    this.#groups = 0;
    this.#offset = this.#isAfternoon = null;
    return this.#split(bytes, 0, bytes.length) && this.#groups > 0 && this.#set();
  }

  /** Unix time with an exponent: "1.7067204E12". Spreadsheets and C round it to five decimals, with a plus behind. */
  #readExponent([, first = "", rest = "", sign, power = ""]: readonly string[]): boolean {
    const digits = Number(power) + 1;
    if (digits < 9 || (sign === "+" && rest.length < LEAST_EXACT)) return false;
    const all = `${first}${rest}`.padEnd(digits, "0");
    return this.#readPlain(all.length === digits ? all : `${all.slice(0, digits)}.${all.slice(digits)}`);
  }
}

/** A letter between date and time of day: T, and the D of kdb+. */
const isT = (byte: number) => byte === 84 || byte === 116 || byte === 68;
const MONTHS = "january february march april may june july august september october november december".split(" ");
/** Whether a word is a month or its short form. Other languages have months that begin alike: marraskuu is November. */
const isMonth = (month: string, word: string) => month.startsWith(word);
const LEAST_EXACT = 6;
const MOST_OFFSET_MS = 0.6 * DAY_MS;
/** Text in UTF-8 as `toText` shows it, with blanks in place of the other spaces: programs write a narrow one before PM. */
function toBlanks(text: string): string {
  return text.replace(/\u00e2\u0080[\u0080-\u008a\u00af]|\u00e2\u0081\u009f|\u00e3\u0080\u0080|\u00c2?\u00a0/g, " ");
}

function toText(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 96)));
}
