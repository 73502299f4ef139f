import { type Field, FIELDS, findFields } from "@/lib/feeds/files/headings";
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
