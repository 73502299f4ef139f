/** What the headings of a csv file, or the names of a Parquet file's columns, say about their values. */

export const FIELDS = ["symbol", "date", "time", "bid", "ask", "open", "high", "low", "close", "volume"] as const;
export type Field = (typeof FIELDS)[number];

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
