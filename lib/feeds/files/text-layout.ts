import type { FileFormat } from "@/lib/feeds/files/price-rows";
import { DAY_MS } from "@/lib/time/units";

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
  ],
  bid: ["bid", "bidprice"],
  ask: ["ask", "askprice", "offer"],
  open: ["bidopen", "openbid", "open", "o"],
  high: ["bidhigh", "highbid", "high", "h"],
  low: ["bidlow", "lowbid", "low", "l"],
  close: ["bidclose", "closebid", "close", "c"],
  volume: ["tickvol", "tickvolume", "tickqty", "volume", "vol", "v"],
};
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
  const names = fields.map((field) => field.toLowerCase().replace(/[<>()_\s]/g, ""));
  const find = (field: Field) =>
    HEADINGS[field].map((heading) => names.indexOf(heading)).find((index) => index !== -1) ?? -1;
  const at = Object.fromEntries(FIELDS.map((field) => [field, find(field)])) as Record<Field, number>;
  const isTimed = at.time !== -1 || at.date !== -1;
  const isTicks = at.bid !== -1 && at.ask !== -1;
  const isBars = at.open !== -1 && at.high !== -1 && at.low !== -1 && at.close !== -1;
  if (!isTimed || (!isTicks && !isBars)) {
    const missing = isTimed ? '"bid" and "ask", or "open", "high", "low" and "close"' : '"time"';
    throw new Error(`line 1 has no heading ${missing}: its headings are ${fields.join(", ").slice(0, 120)}`);
  }
  return { kind: isTicks ? "ticks" : "bars", hasHeading: true, at };
}
