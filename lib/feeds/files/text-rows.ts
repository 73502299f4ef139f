import type { TextLines } from "@/lib/feeds/files/open-bytes";
import { createRow, type FileFormat, type PriceRows } from "@/lib/feeds/files/price-rows";
import { StampReader } from "@/lib/feeds/files/stamp-reader";
import { BLANK, COMMA, MINUS, NINE, POINT, QUOTE, ZERO } from "@/lib/text/csv";
import { createLocalClock } from "@/lib/time/local-clock";
import { DAY_MS } from "@/lib/time/units";

const MAX_DESCRIBED = 120;
const MAX_FIELDS = 64;

interface Options {
  readonly layout: TextLayout;
  /** The zone of times without an offset. */
  readonly zone: string;
  /** The day of Lean's rows: the UTC milliseconds of its midnight on a UTC clock. */
  readonly dayMs: number | null;
}

/** The fields of the current line, without quotes and blanks around them. */
class Fields {
  readonly starts = new Int32Array(MAX_FIELDS);
  readonly ends = new Int32Array(MAX_FIELDS);
  count = 0;
  readonly #lines: TextLines;
  readonly #delimiter: number;

  constructor(lines: TextLines, delimiter: number) {
    this.#lines = lines;
    this.#delimiter = delimiter;
  }

  split(): void {
    const { bytes, end } = this.#lines;
    const delimiter = this.#delimiter;
    let { start } = this.#lines;
    let count = 0;
    for (let i = start; i <= end && count < MAX_FIELDS; i++) {
      if (i !== end && bytes[i] !== delimiter) continue;
      let [from, to] = [start, i];
      while (from < to && (bytes[from] === QUOTE || bytes[from] === BLANK)) from++;
      while (to > from && (bytes[to - 1] === QUOTE || bytes[to - 1] === BLANK)) to--;
      this.starts[count] = from;
      this.ends[count++] = to;
      start = i + 1;
    }
    this.count = count;
  }

  /** NaN for a field that is missing or no number. */
  readNumber(index: number): number {
    if (index >= this.count) return NaN;
    return readDecimal(this.#lines.bytes, this.starts[index] as number, this.ends[index] as number);
  }

  isEmpty(index: number): boolean {
    return index < this.count && this.starts[index] === this.ends[index];
  }
}

/** Reads the rows of a text file. */
export function openTextRows(lines: TextLines, { layout, zone, dayMs }: Options): PriceRows {
  const { at, delimiter, kind, isOfDay } = layout;
  const toUtc = createLocalClock(zone);
  const stamp = new StampReader();
  const fields = new Fields(lines, delimiter);
  let isHeading = layout.hasHeading;
  /** The last bid and ask: MetaTrader leaves out the one that did not change. */
  let bid = NaN;
  let ask = NaN;

  function readTime(): string | null {
    if (isOfDay) {
      const ms = fields.readNumber(at.time);
      if (!(ms >= 0 && ms < DAY_MS)) return "milliseconds of the day";
      rows.timeMs = toUtc((dayMs ?? 0) + Math.floor(ms));
      return null;
    }
    const [one, two] = at.date === -1 ? [at.time, -1] : [at.date, at.time];
    if (one >= fields.count || two >= fields.count) return "a time";
    const [start2, end2] = two === -1 ? [0, 0] : [fields.starts[two] as number, fields.ends[two] as number];
    if (!stamp.read(lines.bytes, fields.starts[one] as number, fields.ends[one] as number, start2, end2)) {
      return "a time like 2024-01-31 23:59:58.123";
    }
    rows.timeMs = stamp.isUtc ? stamp.ms : toUtc(stamp.ms);
    return null;
  }

  function readTick(): string | null {
    const keepsSides = layout.format === "metatrader 5";
    const newBid = keepsSides && fields.isEmpty(at.bid) ? bid : fields.readNumber(at.bid);
    const newAsk = keepsSides && fields.isEmpty(at.ask) ? ask : fields.readNumber(at.ask);
    if (Number.isNaN(newBid) || Number.isNaN(newAsk)) return "a bid and an ask";
    rows.bid = bid = newBid;
    rows.ask = ask = newAsk;
    return null;
  }

  function readBar(): string | null {
    rows.open = fields.readNumber(at.open);
    rows.high = fields.readNumber(at.high);
    rows.low = fields.readNumber(at.low);
    rows.close = fields.readNumber(at.close);
    rows.volume = at.volume === -1 ? 0 : Math.round(fields.readNumber(at.volume));
    if (Number.isNaN(rows.open + rows.high + rows.low + rows.close)) return "open, high, low and close";
    return Number.isNaN(rows.volume) ? "a volume" : null;
  }

  const rows: PriceRows = {
    ...createRow(),
    next() {
      if (!lines.next()) return false;
      if (isHeading) {
        isHeading = false;
        if (!lines.next()) return false;
      }
      fields.split();
      rows.at = lines.number;
      rows.fault = readTime() ?? (kind === "ticks" ? readTick() : readBar());
      return true;
    },
    describe() {
      const end = Math.min(lines.end, lines.start + MAX_DESCRIBED);
      return new TextDecoder("latin1").decode(lines.bytes.subarray(lines.start, end));
    },
  };
  return rows;
}

/** Where each value stands in the rows of a text file. */
export interface TextLayout {
  readonly format: FileFormat;
  readonly kind: "ticks" | "bars";
  /** The byte between two fields. */
  readonly delimiter: number;
  readonly hasHeading: boolean;
  /** Index of the field of each value; -1 if there is none. */
  readonly at: Readonly<Record<Field, number>>;
  /** The usual zone of the times; null if it is the broker's. */
  readonly zone: string | null;
  /** Whether times are milliseconds from the midnight of the day in the file's name, as Lean writes them. */
  readonly isOfDay: boolean;
}

const DELIMITERS = ["\t", ";", ","] as const;
const NEW_YORK = "America/New_York";
const NUMBER = /^-?\d+([.,]\d+)?$/;

/**
 * Recognises the layout of a text by its first lines. `name` is the file's name. Throws an Error that says what was
 * expected.
 */
export function findTextLayout(lines: readonly string[], name: string): TextLayout {
  const [first = "", second = first] = lines;
  const delimiter = DELIMITERS.find((each) => first.includes(each));
  if (delimiter === undefined) {
    throw new Error("line 1 has no tab, semicolon or comma between fields: expected a csv of ticks or bars");
  }
  const fields = first.split(delimiter).map((field) => field.trim().replace(/^"|"$/g, ""));
  const found = { delimiter: delimiter.charCodeAt(0), isOfDay: false };
  if (/^<DATE>$/i.test(fields[0] ?? ""))
    return { ...found, ...readHeading(fields), format: "metatrader 5", zone: null };
  if (/[a-z]/i.test(fields[0] ?? "") && !fields.some((field) => NUMBER.test(field))) {
    const isDukascopy = /^(gmt|local) time$/i.test(fields[0] ?? "");
    const format = isDukascopy ? "dukascopy csv" : "csv";
    const hasLocalTime = /^local time$/i.test(fields[0] ?? "") && !/(gmt|utc|z|[+-]\d\d:?\d\d)/i.test(second);
    return { ...found, ...readHeading(fields), format, zone: hasLocalTime ? null : "UTC" };
  }
  const known = findWithoutHeading(fields, name);
  if (known === null) {
    throw new Error(
      'line 1 has no heading, and its fields are none of a known format: expected a heading like "time,bid,ask" or "time,open,high,low,close"',
    );
  }
  return { ...found, hasHeading: false, ...known };
}

type Known = Pick<TextLayout, "format" | "kind" | "zone" | "at"> & { readonly isOfDay?: boolean };

function findWithoutHeading(fields: readonly string[], name: string): Known | null {
  const [one = "", two = ""] = fields;
  const areNumbers = (from: number, to: number) => fields.slice(from, to).every((field) => NUMBER.test(field));
  const count = fields.length;
  if (/^\d{8} \d{9}$/.test(one) && count >= 3 && areNumbers(1, 3)) {
    return { format: "histdata", kind: "ticks", zone: NEW_YORK, at: place({ time: 0, bid: 1, ask: 2 }) };
  }
  if (/^\d{8} \d{6}$/.test(one) && count >= 5 && areNumbers(1, 5)) {
    return { format: "histdata", kind: "bars", zone: NEW_YORK, at: placeBar(1, { time: 0 }) };
  }
  if (/^\d{4}\.\d\d\.\d\d$/.test(one) && /^\d\d:\d\d$/.test(two) && count >= 6 && areNumbers(2, 6)) {
    const isHistData = /^DAT_MT_/i.test(name);
    const format = isHistData ? "histdata" : "metatrader 4";
    return { format, kind: "bars", zone: isHistData ? NEW_YORK : null, at: placeBar(2, { date: 0, time: 1 }) };
  }
  if (/^[A-Z]{3}\/?[A-Z]{3}$/i.test(one) && /^\d{8} \d\d:\d\d:\d\d/.test(two) && areNumbers(2, 4)) {
    return { format: "truefx", kind: "ticks", zone: "UTC", at: place({ symbol: 0, time: 1, bid: 2, ask: 3 }) };
  }
  if (isMsOfDay(one) && /\d{8}/.test(name)) {
    if (count === 3 && areNumbers(1, 3)) {
      return { format: "lean", kind: "ticks", zone: "UTC", isOfDay: true, at: place({ time: 0, bid: 1, ask: 2 }) };
    }
    if (count === 11 && areNumbers(1, 11)) {
      return {
        format: "lean",
        kind: "bars",
        zone: "UTC",
        isOfDay: true,
        at: { ...placeBar(1, { time: 0 }), volume: -1 },
      };
    }
  }
  // Lean's hours and days: `20140501 21:00`, five values of the bid, five of the ask.
  if (/^\d{8} \d\d:\d\d$/.test(one) && count === 11 && areNumbers(1, 11)) {
    return { format: "lean", kind: "bars", zone: "UTC", at: { ...placeBar(1, { time: 0 }), volume: -1 } };
  }
  const isDated = /^(\d{4}[-./]\d\d[-./]\d\d[T ]\d|\d{8} \d|\d{13}$|\d{10}$|\d{16}$|\d{19}$)/.test(one);
  // With more fields, bid and ask look like open and high.
  if (isDated && (count === 3 || count === 5) && areNumbers(1, 3)) {
    return { format: "csv", kind: "ticks", zone: "UTC", at: place({ time: 0, bid: 1, ask: 2 }) };
  }
  return null;
}

const isMsOfDay = (text: string) => /^\d{1,8}(\.\d+)?$/.test(text) && Number(text) < DAY_MS;

function place(known: Partial<Record<Field, number>>): Record<Field, number> {
  return Object.fromEntries(FIELDS.map((field) => [field, known[field] ?? -1])) as Record<Field, number>;
}

function placeBar(first: number, known: Partial<Record<Field, number>>): Record<Field, number> {
  const at = { open: first, high: first + 1, low: first + 2, close: first + 3, volume: first + 4 };
  return place({ ...known, ...at });
}

function readHeading(fields: readonly string[]): Pick<TextLayout, "kind" | "hasHeading" | "at"> {
  return { hasHeading: true, ...findFields(fields, "line 1 has no heading", "its headings are") };
}

/** What the headings of a csv file, or the names of a Parquet file's columns, say about their values. */

const FIELDS = ["symbol", "date", "time", "bid", "ask", "open", "high", "low", "close", "volume"] as const;
type Field = (typeof FIELDS)[number];

/** Headings that name each value, in lower case and without brackets, blanks and underscores. */
const HEADINGS: Readonly<Record<Field, readonly string[]>> = {
  symbol: ["symbol", "pair", "instrument", "ticker"],
  date: ["date"],
  time: [
    "time",
    "timestamp",
    "datetime",
    "ts",
    "tsutc",
    "tsevent",
    "gmttime",
    "localtime",
    "utctime",
    "timeutc",
    "timegmt",
    "opentime",
    // The index of a pandas table, if it has no name.
    "indexlevel0",
  ],
  bid: ["bid", "bidprice"],
  ask: ["ask", "askprice", "offer"],
  open: ["bidopen", "openbid", "open", "o"],
  high: ["bidhigh", "highbid", "high", "h"],
  low: ["bidlow", "lowbid", "low", "l"],
  close: ["bidclose", "closebid", "close", "c"],
  volume: ["tickvol", "tickvolume", "tickqty", "volume", "vol", "v"],
};

interface FoundFields {
  readonly kind: "ticks" | "bars";
  /** Index of each value's name; -1 if there is none. */
  readonly at: Readonly<Record<Field, number>>;
}

/**
 * Finds the values of ticks or bars by their names. Throws an Error that starts with `missing`, if one has no name, and
 * lists the names after `listed`.
 */
export function findFields(names: readonly string[], missing: string, listed: string): FoundFields {
  const plain = names.map((name) => name.toLowerCase().replace(/[<>()_\s]/g, ""));
  const find = (field: Field) =>
    HEADINGS[field].map((heading) => plain.indexOf(heading)).find((index) => index !== -1) ?? -1;
  const at = Object.fromEntries(FIELDS.map((field) => [field, find(field)])) as Record<Field, number>;
  const isTimed = at.time !== -1 || at.date !== -1;
  const isTicks = at.bid !== -1 && at.ask !== -1;
  const isBars = at.open !== -1 && at.high !== -1 && at.low !== -1 && at.close !== -1;
  if (!isTimed || (!isTicks && !isBars)) {
    const expected = isTimed ? '"bid" and "ask", or "open", "high", "low" and "close"' : '"time"';
    throw new Error(`${missing} ${expected}: ${listed} ${names.join(", ").slice(0, 120)}`);
  }
  return { kind: isTicks ? "ticks" : "bars", at };
}

/** Reads decimals from bytes of text. */

/** Digits that a double holds exactly; the division below is then rounded once, as parseFloat would. */
const MAX_DIGITS = 15;

/** A plain decimal with a point or a comma; NaN for any other text. */
function readDecimal(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let scale = 0;
  let digits = 0;
  const from = bytes[start] === MINUS ? start + 1 : start;
  for (let i = from; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO;
      scale *= 10;
      if (value !== 0 && ++digits > MAX_DIGITS) return readLong(bytes, start, end);
    } else if ((byte === POINT || byte === COMMA) && scale === 0) {
      scale = 1;
    } else {
      return readLong(bytes, start, end);
    }
  }
  if (end - from - (scale > 0 ? 1 : 0) <= 0) return NaN;
  const size = scale > 1 ? value / scale : value;
  return from === start ? size : -size;
}

/** A number in another notation, such as 1.1e0. */
function readLong(bytes: Uint8Array, start: number, end: number): number {
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 40)));
  return /^-?\d+(\.\d*)?(e[+-]?\d{1,2})?$/i.test(text) ? Number(text) : NaN;
}
