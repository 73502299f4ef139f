import { BLANK, COLON, MINUS, NINE, PLUS, POINT, SLASH, ZERO } from "@/lib/text/csv";
import { toDayMs } from "@/lib/time/iso-time";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Reads times from bytes of text. Known forms: 2019-01-31 (also with dots or slashes) and 20190131 with 23:59, 23:59:58,
 * 235958 or 235958123 behind; 31.01.2019 23:59:58; each with a fraction and an offset, if any; Unix time in seconds,
 * milli-, micro- or nanoseconds.
 */

const MAX_GROUPS = 8;
const MAX_DIGITS = 17;

/** Its fields are what the last call of `read` found. */
export class StampReader {
  /** UTC milliseconds if `isUtc`; else the UTC milliseconds at which a UTC clock would show the same time. */
  ms = 0;
  isUtc = false;
  readonly #values = new Float64Array(MAX_GROUPS);
  readonly #lengths = new Uint8Array(MAX_GROUPS);
  #groups = 0;
  #separator = 0;
  #offsetMs: number | null = null;
  #dayKey = -1;
  #dayMs: number | null = null;

  /** Reads the text in [start, end), continued in [start2, end2). Returns false for another form. */
  read(bytes: Uint8Array, start: number, end: number, start2: number, end2: number): boolean {
    this.#groups = 0;
    this.#offsetMs = null;
    if (!this.#split(bytes, start, end)) return false;
    if (end2 > start2 && !this.#split(bytes, start2, end2)) return false;
    if (this.#groups === 0) return false;
    return (this.#lengths[0] as number) >= 10 ? this.#setUnix() : this.#setDated();
  }

  /** Splits the text into groups of digits. Returns false at a character that no time has. */
  #split(bytes: Uint8Array, start: number, end: number): boolean {
    const [values, lengths] = [this.#values, this.#lengths];
    let inGroup = false;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte >= ZERO && byte <= NINE) {
        if (!inGroup) {
          if (this.#groups === MAX_GROUPS) return false;
          values[this.#groups] = 0;
          lengths[this.#groups++] = 0;
          inGroup = true;
        }
        const group = this.#groups - 1;
        // Further digits of nanoseconds are ignored: a double cannot hold them.
        if ((lengths[group] as number) < MAX_DIGITS) values[group] = (values[group] as number) * 10 + byte - ZERO;
        lengths[group] = (lengths[group] as number) + 1;
        continue;
      }
      inGroup = false;
      if (this.#groups === 1) this.#separator = byte;
      const isSign = byte === PLUS || (byte === MINUS && this.#groups >= 5);
      const isLetter = byte >= 65 && !isT(byte);
      if (isSign || isLetter) return this.#readOffset(bytes, i, end);
      if (byte !== POINT && byte !== MINUS && byte !== COLON && byte !== SLASH && byte !== BLANK && !isT(byte))
        return false;
    }
    return true;
  }

  #readOffset(bytes: Uint8Array, start: number, end: number): boolean {
    const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 16))).trim();
    const match = /^(?:z|gmt|utc)?(?:([+-])(\d\d):?(\d\d)?)?$/i.exec(text);
    if (match === null) return false;
    const size = Number(match[2] ?? 0) * HOUR_MS + Number(match[3] ?? 0) * MINUTE_MS;
    this.#offsetMs = match[1] === "-" ? -size : size;
    return true;
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
    this.isUtc = true;
    if (length === 10) this.ms = value * 1000 + (this.#groups === 2 ? this.#readFraction(1) : 0);
    else if (this.#groups > 1) return false;
    else if (length === 13) this.ms = value;
    else if (length === 16) this.ms = Math.floor(value / 1e3);
    else if (length === 19) this.ms = Math.floor(value / 1e4);
    else return false;
    return true;
  }

  /** Whole milliseconds of a group that is a fraction of a second. */
  #readFraction(group: number): number {
    const [value, length] = [this.#values[group] as number, this.#lengths[group] as number];
    return length === 3 ? value : Math.floor((value * 1000) / 10 ** Math.min(length, MAX_DIGITS));
  }

  /** Reads hour, minute, second and fraction from the group `at` on: as groups, or as one of 4, 6 or 9 digits. */
  #setTime(day: number | null, at: number): boolean {
    if (day === null) return false;
    let [hour, minute, second, ms] = [0, 0, 0, 0];
    const groups = this.#groups;
    const [value, length] = [this.#values[at] as number, groups > at ? (this.#lengths[at] as number) : 0];
    if (length > 2) {
      if (length !== 4 && length !== 6 && length !== 9) return false;
      ms = length === 9 ? value % 1000 : groups > at + 1 ? this.#readFraction(at + 1) : 0;
      const clock = length === 9 ? Math.floor(value / 1000) : length === 4 ? value * 100 : value;
      [hour, minute, second] = [Math.floor(clock / 10_000), Math.floor(clock / 100) % 100, clock % 100];
    } else if (length > 0) {
      if (groups < at + 2) return false;
      hour = value;
      minute = this.#values[at + 1] as number;
      if (groups > at + 2) second = this.#values[at + 2] as number;
      if (groups > at + 3) ms = this.#readFraction(at + 3);
    }
    if (hour > 23 || minute > 59 || second > 59) return false;
    this.isUtc = this.#offsetMs !== null;
    this.ms = day + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + ms - (this.#offsetMs ?? 0);
    return true;
  }

  #setDated(): boolean {
    const [first, length] = [this.#values[0] as number, this.#lengths[0] as number];
    if (length === 8) {
      return this.#setTime(this.#findDay(Math.floor(first / 10_000), Math.floor(first / 100) % 100, first % 100), 1);
    }
    if (this.#groups < 3) return false;
    const [second, third] = [this.#values[1] as number, this.#values[2] as number];
    if (length === 4) return this.#setTime(this.#findDay(first, second, third), 3);
    // With slashes the month may come first: such a date is not guessed.
    const isDayFirst = length <= 2 && this.#lengths[2] === 4 && this.#separator !== SLASH;
    return isDayFirst && this.#setTime(this.#findDay(third, second, first), 3);
  }
}

const isT = (byte: number) => byte === 84 || byte === 116;
