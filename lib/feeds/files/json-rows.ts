/** Reads JSON of prices, as downloaders, vendors and libraries write it, as the text of a csv. */

type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [key: string]: Json;
}

/** What a JSON has of rows. */
interface Table {
  /** Null without names: then the rows tell their columns. */
  readonly names: readonly string[] | null;
  readonly rows: readonly (readonly Json[])[];
}

const MOST_DEPTH = 6;
/** Rows from which the columns are found. */
const SAMPLE_ROWS = 100;

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !isArray(value);
const isScalar = (value: Json | undefined) => !isArray(value) && !isObject(value);
const isTime = (key: string) => /^\d{4}-?\d\d-?\d\d|^\d{9,19}$/.test(key);

/** Throws an Error if it is no JSON, or if nothing in it is a table of rows. */
export function toCsv(text: string): string {
  const value = parse(text);
  const table = findTable(value, 0);
  if (table === null) throw new Error("it is JSON without rows of prices: save it as csv");
  const facts = new Map<string, string>();
  collectFacts(value, facts, 0);
  const { names, rows } = table;
  const symbol = facts.get("symbol");
  const ownSymbol = symbol === undefined || names?.some((name) => SYMBOL.test(name)) === true ? null : symbol;
  const zone = facts.get("zone");
  const lines = rows.map((row) => [...(ownSymbol === null ? [] : [ownSymbol]), ...row].map(toCell).join(","));
  const heading = names === null ? [] : [[...(ownSymbol === null ? [] : ["symbol"]), ...names].map(toCell).join(",")];
  return [...(zone === undefined ? [] : [`# timezone: ${zone}`]), ...heading, ...lines, ""].join("\n");
}

/** One value, or one a line. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as Json);
    } catch {
      // The first error tells more.
    }
    throw new Error(`it is damaged JSON: ${(error as Error).message}`, { cause: error });
  }
}

const toCell = (value: Json) => {
  const text = value === null ? "" : String(value).trim();
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The largest table in a value; null if there is none. */
function findTable(value: Json, depth: number): Table | null {
  if (depth > MOST_DEPTH || isScalar(value)) return null;
  const own = isArray(value) ? readArray(value) : isObject(value) ? readObject(value) : null;
  if (own !== null) return own;
  const found = Object.values(value as JsonObject).flatMap((each) => findTable(each, depth + 1) ?? []);
  return found.sort((a, b) => b.rows.length - a.rows.length)[0] ?? null;
}

function readArray(values: readonly Json[]): Table | null {
  if (values.length > 0 && values.every((each) => isArray(each) && each.length >= 3 && each.every(isScalar)))
    return { names: null, rows: values as readonly (readonly Json[])[] };
  if (values.length === 0 || !values.every(isObject)) return null;
  const inside = values.length === 1 ? readColumns(values[0] as JsonObject) : null;
  if (inside !== null) return inside;
  // A candle that is not complete goes on.
  const rows = values.filter((each) => each["complete"] !== false).map((each) => flatten(each));
  const names = [...new Set(rows.slice(0, SAMPLE_ROWS).flatMap((row) => [...row.keys()]))];
  return names.length < 3 ? null : { names, rows: rows.map((row) => names.map((name) => row.get(name) ?? null)) };
}

/** The values of an object and of those in it: { bid: { o: 1 } } as "bid o". */
function flatten(object: JsonObject, above = "", to = new Map<string, Json>()): Map<string, Json> {
  for (const [key, value] of Object.entries(object)) {
    // Alpha Vantage numbers its names; MongoDB names the type of a value.
    const own = key.replace(/^\d+[a-z]?\. ?/, "");
    const name = above === "" ? own : key.startsWith("$") ? above : `${above} ${own}`;
    const [first] = isArray(value) ? value : [];
    if (isObject(value)) flatten(value, name, to);
    else if (isObject(first)) flatten(first, name.replace(/s$/, ""), to);
    else if (isScalar(value)) to.set(name, value);
  }
  return to;
}

function readObject(object: JsonObject): Table | null {
  const { columns, data, index } = object;
  if (isArray(columns) && isArray(data) && data.every(isArray)) {
    const isIndexed = isArray(index) && index.length === data.length;
    const rows = data.map((row, i) => (isIndexed ? [index[i] as Json, ...row] : row));
    return { names: [...(isIndexed ? ["time"] : []), ...columns.map(String)], rows };
  }
  const entries = Object.entries(object);
  const objects = entries.filter(([, value]) => isObject(value)) as [string, JsonObject][];
  if (objects.length > 0 && objects.length === entries.length) {
    const isByTime = objects.every(([key]) => isTime(key));
    if (isByTime) return readArray(objects.map(([key, value]) => ({ time: key, ...value })));
    const times = [...new Set(objects.flatMap(([, value]) => Object.keys(value)))];
    if (objects.length >= 2 && times.length > 0 && times.every(isTime)) {
      const rows = times.map((time) => [time, ...objects.map(([, value]) => value[time] ?? null)]);
      return { names: ["time", ...objects.map(([name]) => name)], rows };
    }
  }
  return readColumns(object);
}

/** Arrays of one length under their names, also in the objects below: { t: [], o: [], … }. */
function readColumns(object: JsonObject): Table | null {
  if (!Object.values(object).some((value) => isArray(value) && value.length > 0 && value.every(isScalar))) return null;
  const columns = new Map<string, readonly Json[]>();
  const collect = (value: Json, name: string, depth: number): void => {
    if (isArray(value) && value.every(isScalar)) columns.set(name, value);
    else if (depth < 4 && isArray(value)) value.forEach((each) => collect(each, name, depth + 1));
    else if (depth < 4 && isObject(value))
      for (const [key, each] of Object.entries(value)) collect(each, key, depth + 1);
  };
  collect(object, "", 0);
  const lengths = [...columns.values()].map(({ length }) => length);
  const most = Math.max(...lengths);
  const whole = [...columns].filter(([, { length }]) => length === most && most > 0);
  if (whole.length < 3) return null;
  const rows = Array.from({ length: most }, (_, row) => whole.map(([, column]) => column[row] as Json));
  return { names: whole.map(([name]) => name), rows };
}

const SYMBOL = /^(?:symbol|ticker|instrument|pair)$/i;

/** The symbol and the zone that stand beside the rows. */
function collectFacts(value: Json, facts: Map<string, string>, depth: number): void {
  if (depth > 3 || !isObject(value)) {
    // A result may be the only one of a list.
    if (depth <= 3 && isArray(value) && value.length === 1) collectFacts(value[0] as Json, facts, depth + 1);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    const name = key.replace(/^\d+[a-z]?\. ?/, "").replace(/[ _]/g, "");
    if (typeof each === "string" && SYMBOL.test(name)) {
      const isContract = /^(?:linear|inverse)$/.test(String(value["category"]));
      facts.set("symbol", `${each.replace(/^[CX]:/, "")}${isContract ? "_PERP" : ""}`);
    } else if (typeof each === "string" && /^(?:exchange)?timezone(?:name)?$/i.test(name)) facts.set("zone", each);
    else collectFacts(each, facts, depth + 1);
  }
}
