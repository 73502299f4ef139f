import { findFields } from "@/lib/feeds/files/column-names";
import { setLocalTime, tellHoursApart } from "@/lib/feeds/files/doubled-hours";
import type { TextLines } from "@/lib/feeds/files/open-bytes";
import { createRow, type PriceRows, requireFewSymbols } from "@/lib/feeds/files/price-rows";
import { StampReader } from "@/lib/feeds/files/stamp-reader";
import { splitLine, type TextLayout } from "@/lib/feeds/files/text-layout";
import { DATA_MODES } from "@/lib/market/bar";
import { BLANK, COMMA, MINUS, NINE, POINT, QUOTE, ZERO } from "@/lib/text/csv";
import { createFileClock } from "@/lib/time/local-clock";
import { DAY_MS } from "@/lib/time/units";

const MAX_DESCRIBED = 120;
const MAX_FIELDS = 128;
const CUT = "a whole row: the file ends inside of this one";

interface Options {
  readonly layout: TextLayout;
  /** The zone of times without an offset. */
  readonly zone: string;
  /** Whether times with an offset too are what the clock of the zone shows. */
  readonly isClock: boolean;
  /** The day of Lean's rows: the UTC milliseconds of its midnight on a UTC clock. */
  readonly dayMs: number | null;
  /** The symbol whose rows are read, of several; null for all rows. Rows of none are reported with the first. */
  readonly only: string | null;
  /** All symbols of the file. */
  readonly symbols: readonly string[];
  /** The column that tells the modes of rows; -1 for none. */
  readonly modeColumn: number;
}

/** The fields of the current line, without quotes and blanks around them. */
class Fields {
  readonly starts = new Int32Array(MAX_FIELDS);
  readonly ends = new Int32Array(MAX_FIELDS);
  count = 0;
  readonly #lines: TextLines;
  readonly #delimiter: number;
  readonly #isBlank: boolean;
  readonly #hasQuotes: boolean;
  readonly #expected: number;

  constructor(lines: TextLines, { delimiter, hasQuotes, fields }: TextLayout) {
    this.#lines = lines;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#isBlank = delimiter === " ";
    this.#hasQuotes = hasQuotes;
    this.#expected = fields;
  }

  split(): void {
    if (this.#hasQuotes) this.#splitQuoted();
    else this.#splitPlain();
    // Quotes may come later than in the first lines.
    if (this.count > this.#expected && !this.#hasQuotes) this.#splitQuoted();
  }

  #splitPlain(): void {
    const { bytes, end } = this.#lines;
    const { starts, ends } = this;
    const delimiter = this.#delimiter;
    const isBlank = this.#isBlank;
    let { start } = this.#lines;
    let count = 0;
    for (let i = start; i <= end && count < MAX_FIELDS; i++) {
      if (i !== end && bytes[i] !== delimiter) continue;
      let from = start;
      let to = i;
      start = i + 1;
      if (isBlank && from === to) continue;
      while (from < to && isFramed(bytes[from])) from++;
      while (to > from && isFramed(bytes[to - 1])) to--;
      starts[count] = from;
      ends[count++] = to;
    }
    this.count = count;
  }

  #splitQuoted(): void {
    const { bytes, end } = this.#lines;
    let { start } = this.#lines;
    let count = 0;
    for (let i = skipQuoted(bytes, start, end); i <= end && count < MAX_FIELDS; i++) {
      if (i !== end && bytes[i] !== this.#delimiter) continue;
      let from = start;
      let to = i;
      start = i + 1;
      i = skipQuoted(bytes, start, end) - 1;
      if (this.#isBlank && from === to) continue;
      while (from < to && isFramed(bytes[from])) from++;
      while (to > from && isFramed(bytes[to - 1])) to--;
      this.starts[count] = from;
      this.ends[count++] = to;
    }
    this.count = count;
  }

  isEmpty(index: number): boolean {
    return index < this.count && this.starts[index] === this.ends[index];
  }

  /** The number of fields without empty ones at the end. */
  countFilled(): number {
    let filled = this.count;
    while (filled > 0 && this.starts[filled - 1] === this.ends[filled - 1]) filled--;
    return filled;
  }

  text(index: number): string {
    return index < this.count
      ? decode(this.#lines.bytes, this.starts[index] as number, this.ends[index] as number)
      : "";
  }
}

const isFramed = (byte: number | undefined) => byte === QUOTE || byte === BLANK;

/** Where the delimiter of a field can stand: behind its closing quote if it is quoted. Two quotes in a row stand for one. */
function skipQuoted(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === BLANK) at++;
  if (at >= end || bytes[at] !== QUOTE) return start;
  for (at++; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE || at + 1 >= end) return at + 1;
    at++;
  }
  // A quote that nothing closes is a character.
  return start;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const windows1252 = new TextDecoder("windows-1252");

/** Text of either encoding that files have. */
export function decode(bytes: Uint8Array, start: number, end: number): string {
  const part = bytes.subarray(start, end);
  try {
    return utf8.decode(part);
  } catch {
    return windows1252.decode(part);
  }
}

/** Reads the rows of a text file. */
export function openTextRows(
  lines: TextLines,
  { layout, zone, dayMs, isClock, only, symbols, modeColumn }: Options,
): PriceRows {
  const { at, kind, isOfDay, decimal, hasThousands, firstLine, lastField, fields: expected } = layout;
  const clock = createFileClock(zone);
  const stamp = new StampReader(layout.stamp);
  const fields = new Fields(lines, layout);

  const decimalByte = decimal === "," ? COMMA : POINT;
  /** MetaTrader leaves out the bid or ask that did not change. */
  const keepsSides = layout.format === "metatrader 5";
  let bid = NaN;
  let ask = NaN;
  const [one, two] = at.date === -1 ? [at.time, -1] : [at.date, at.time];

  function isOwn(): boolean {
    if (only === null) return true;
    const symbol = fields.text(at.symbol);
    return symbol === only || (only === symbols[0] && !symbols.includes(symbol));
  }

  function readNumber(index: number): number {
    if (index >= fields.count) return NaN;
    const [start, end] = [fields.starts[index] as number, fields.ends[index] as number];
    const value = readDecimal(lines.bytes, start, end, decimalByte);
    return Number.isNaN(value) && end > start
      ? readLong(decode(lines.bytes, start, end), decimal, hasThousands)
      : value;
  }

  function readTime(): string | null {
    rows.doubledMs = 0;
    rows.doubt = null;
    if (isOfDay) {
      const ms = readNumber(at.time);
      if (!(ms >= 0 && ms < DAY_MS)) return "milliseconds of the day";
      setLocalTime(rows, (dayMs ?? 0) + Math.floor(ms), clock);
      return null;
    }
    if (one >= fields.count || two >= fields.count) return "a time";
    const start2 = two === -1 ? 0 : (fields.starts[two] as number);
    const end2 = two === -1 ? 0 : (fields.ends[two] as number);
    if (!stamp.read(lines.bytes, fields.starts[one] as number, fields.ends[one] as number, start2, end2)) {
      return "a time like 2024-01-31 23:59:58.123";
    }
    if (!stamp.isUtc) setLocalTime(rows, stamp.ms, clock);
    else if (isClock) setLocalTime(rows, stamp.ms + stamp.offsetMs, clock);
    else rows.timeMs = stamp.ms;
    return null;
  }

  function readTick(): string | null {
    const newBid = keepsSides && fields.isEmpty(at.bid) ? bid : readNumber(at.bid);
    const newAsk = keepsSides && fields.isEmpty(at.ask) ? ask : readNumber(at.ask);
    if (Number.isNaN(newBid) || Number.isNaN(newAsk)) return "a bid and an ask";
    rows.bid = bid = newBid;
    rows.ask = ask = newAsk;
    return null;
  }

  /** NaN without one. */
  function readVolume(): number {
    const volume = readNumber(at.volume);
    if (!Number.isNaN(volume) || fields.isEmpty(at.volume)) return Math.round(volume);
    const [, size = "", unit = ""] = /^(.+?) ?([KMB]?)$/i.exec(fields.text(at.volume)) ?? [];
    return Math.round(readLong(size, decimal, true) * (UNITS[unit.toUpperCase()] ?? 1));
  }

  function readBar(): string | null {
    rows.open = readNumber(at.open);
    rows.high = readNumber(at.high);
    rows.low = readNumber(at.low);
    rows.close = readNumber(at.close);
    rows.volume = at.volume === -1 ? 0 : readVolume();
    return Number.isNaN(rows.open + rows.high + rows.low + rows.close) ? "open, high, low and close" : null;
  }

  /** What is wrong with the row as a whole; null if nothing is. */
  function findFault(): string | null {
    if (only !== null && fields.text(at.symbol) !== only) return "a symbol";
    if (modeColumn !== -1 && rows.mode === undefined) return DATA_MODES.join(" or ");
    // A volume at the end may be missing; the needed fields are there.
    if (fields.count > expected && fields.countFilled() > expected) return `${expected} fields`;
    if (lines.isEnded) return null;
    if (fields.count < expected) return CUT;
    if (lastField === null) return null;
    const last = fields.text(expected - 1);
    if (lastField.of === "symbol") return symbols.includes(last) ? null : CUT;
    const length = lastField.of === "price" ? (last.split(decimal)[1]?.length ?? 0) : last.length;
    return length < lastField.least ? CUT : null;
  }

  /** Whether the line is the heading again, where files were joined. Throws an Error for another heading. */
  function isHeading(): boolean {
    if (layout.headingLine === null) return false;
    const line = decode(lines.bytes, lines.start, lines.end);
    if (line === layout.headingLine) return true;
    if (/\d/.test(line) || !isAnotherHeading(splitLine(line, layout.delimiter))) return false;
    throw new Error(
      `line ${lines.number} is another heading, ${line.slice(0, MAX_DESCRIBED)}: import its rows as a file of their own`,
    );
  }

  function readRow(): boolean {
    do {
      if (!lines.next()) return false;
      if (lines.number < firstLine) continue;
      fields.split();
    } while (lines.number < firstLine || !isOwn());
    rows.at = lines.number;
    if (modeColumn !== -1) rows.mode = DATA_MODES.find((mode) => mode === fields.text(modeColumn));
    rows.fault = readTime() ?? (kind === "ticks" ? readTick() : readBar()) ?? findFault();
    return true;
  }

  const rows: PriceRows = {
    ...createRow(),
    next() {
      do {
        if (!readRow()) return false;
      } while (rows.fault !== null && (fields.countFilled() === 0 || isHeading()));
      return true;
    },
    describe: () => decode(lines.bytes, lines.start, Math.min(lines.end, lines.start + MAX_DESCRIBED)),
  };
  return tellHoursApart(rows, zone);
}

function isAnotherHeading(names: readonly string[]): boolean {
  try {
    findFields(names, "", "");
    return true;
  } catch {
    return false;
  }
}

/** The symbols of all rows, as they are spelled, in the order of their first rows. Throws an Error for too many. */
export function listTextSymbols(lines: TextLines, layout: TextLayout): string[] {
  const fields = new Fields(lines, layout);
  const { at, headings, prices } = layout;
  const heading = headings[at.symbol];
  const needed = Math.max(at.time, at.date, ...prices);
  const found = new Set<string>();
  while (lines.next()) {
    if (lines.number < layout.firstLine) continue;
    fields.split();
    // A comment is no row, and a name that the end of the file may cut is no symbol.
    if (fields.count <= needed || (!lines.isEnded && layout.lastField?.of === "symbol")) continue;
    const symbol = fields.text(at.symbol);
    if (symbol !== "" && symbol !== heading) found.add(symbol);
    requireFewSymbols(found.size);
  }
  return [...found];
}

/** Reads decimals from bytes of text. */

/** Digits that a double holds exactly; the division below is then rounded once, as parseFloat would. */
const MAX_DIGITS = 15;

/** What volumes are shortened by. */
const UNITS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 };

/** A plain decimal; NaN for any other text. */
function readDecimal(bytes: Uint8Array, start: number, end: number, decimal: number): number {
  let value = 0;
  let scale = 0;
  let digits = 0;
  const from = bytes[start] === MINUS ? start + 1 : start;
  for (let i = from; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO;
      scale *= 10;
      if (value !== 0 && ++digits > MAX_DIGITS) return NaN;
    } else if (byte === decimal && scale === 0) {
      scale = 1;
    } else {
      return NaN;
    }
  }
  if (end - from - (scale > 0 ? 1 : 0) <= 0) return NaN;
  const size = scale > 1 ? value / scale : value;
  return from === start ? size : -size;
}

/** A number in another notation, such as 1.1e0 or 2,034.50. */
function readLong(text: string, decimal: "." | ",", hasThousands: boolean): number {
  const bare = text.replace(/^([+-]?)[$€£¥]|\s*[$€£¥]$/g, "$1");
  const plain = decimal === "," ? bare.replace(/[.,]/g, (sign) => (sign === "," ? "." : ",")) : bare;
  if (/^[+-]?\d+(\.\d*)?(e[+-]?\d{1,2})?$/i.test(plain)) return Number(plain);
  const grouped = /^([+-]?\d{1,3})((?:([,' \u00a0\u2009\u202f\u2019])\d{3})(?:\3\d{3})*)(\.\d+)?$/.exec(plain);
  if (grouped === null) return NaN;
  const [, first = "", groups = "", , fraction = ""] = grouped;
  // A single group may as well be decimals after another sign.
  const isCertain = hasThousands || fraction !== "" || groups.length > 4;
  return isCertain ? Number(`${first}${groups.replace(/\D/g, "")}${fraction}`) : NaN;
}
