import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { type Command, formatTable, splitList, UsageError, type Values, withAccess, withDatabase } from "@/cli/command";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { instruments } from "@/lib/market/catalog";
import { CATEGORIES, type Instrument } from "@/lib/market/instrument";
import { type InstrumentFields, instrumentFields, type WantedInstrument } from "@/lib/market/instrument-fields";
import { describeError } from "@/lib/text/describe-error";

/** The operator's commands on the catalog of instruments. */

const argument = { value: "SYMBOL", help: "the symbol, like EURUSD or AAPL" };

/** The options of `add` and `set`, by the field that each one sets. */
const OPTIONS = {
  name: ["name", "TEXT", "its name"],
  description: ["description", "TEXT", "what it is, in a sentence"],
  category: ["category", "CATEGORY", "its asset class"],
  base: ["base", "CODE", "the base of a pair; none for what is no pair"],
  quote: ["quote", "CODE", "the currency that it is priced in"],
  margin: ["marginCurrency", "CODE", "the currency of its margin"],
  digits: ["digits", "NUMBER", "decimals of its prices, 0 to 10"],
  pip: ["pipSize", "SIZE", "the size of one pip, like 0.0001"],
  "contract-size": ["contractSize", "NUMBER", "units of the base in one lot"],
  "min-volume": ["minVolume", "LOTS", "the least volume"],
  "max-volume": ["maxVolume", "LOTS", "the greatest volume"],
  "volume-step": ["volumeStep", "LOTS", "the step of volumes"],
  "swap-long": ["swapLong", "POINTS", "overnight financing of a long position, or none"],
  "swap-short": ["swapShort", "POINTS", "overnight financing of a short position, or none"],
  hours: ["hours", "HOURS", "always, or a symbol that trades at the same hours, like US500"],
  aliases: ["aliases", "NAMES", "all other names of it, separated by commas; none for none"],
} as const satisfies Readonly<Record<string, readonly [keyof InstrumentFields, string, string]>>;

const options = Object.fromEntries(
  Object.entries(OPTIONS).map(([option, [field, value, help]]) => [
    option,
    { value, help, ...(field === "category" ? { choices: CATEGORIES } : {}) },
  ]),
);

const NUMBERS: ReadonlySet<keyof InstrumentFields> = new Set([
  ...(["digits", "pipSize", "contractSize", "minVolume", "maxVolume", "volumeStep", "swapLong", "swapShort"] as const),
]);

/** Reads the text of a field; "none" is no value. Numbers are checked afterwards, with everything else. */
function readText(field: keyof InstrumentFields, text: string): unknown {
  if (field === "aliases") return /^none$/i.test(text.trim()) ? [] : splitList(text).filter((name) => name !== "");
  if (/^none$/i.test(text.trim()) && field !== "name" && field !== "description") return null;
  return NUMBERS.has(field) ? Number(text.trim() === "" ? NaN : text) : text.trim();
}

function checkFields(given: Readonly<Record<string, unknown>>, place: string): InstrumentFields {
  const parsed = instrumentFields.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${place}${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "it cannot be read"}.`);
}

function readOptions(values: Pick<Values, "optional">): InstrumentFields {
  const given = Object.entries(OPTIONS).flatMap(([option, [field]]) => {
    const text = values.optional(option);
    return text === undefined ? [] : [[field, readText(field, text)] as const];
  });
  return checkFields(Object.fromEntries(given), "");
}

const instrumentList: Command = {
  name: "instrument list",
  summary: "List the instruments of the catalog, with who added each",
  options: {
    search: { value: "TEXT", help: "only those whose symbol, name or alias contains it" },
    category: { value: "CATEGORY", help: "only those of one category", choices: CATEGORIES },
    added: { value: "", flag: true, help: "only those that are not built in, or were corrected" },
  },
  async run(values) {
    const search = values.optional("search")?.toLowerCase() ?? "";
    const category = values.optional("category");
    return withDatabase(async () => {
      const found = instruments.filter(
        (each) =>
          (category === undefined || each.category === category) &&
          (!values.has("added") || each.addedBy !== undefined) &&
          [each.symbol, each.name, ...each.aliases].some((text) => text.toLowerCase().includes(search)),
      );
      const rows = found.map((each) => [
        each.symbol,
        each.name,
        each.category,
        String(each.digits),
        String(each.pipSize),
        nameAdder(each),
      ]);
      const heading = ["SYMBOL", "NAME", "CATEGORY", "DIGITS", "PIP", "ADDED BY"];
      return { json: { instruments: found.map(toJson) }, text: formatTable([heading, ...rows]) };
    });
  },
};

const instrumentAdd: Command = {
  name: "instrument add",
  summary: "Add an instrument; what is left out is derived from its name",
  argument,
  options,
  async run(values) {
    const wanted = [{ symbol: values.text("argument"), fields: readOptions(values) }];
    const [added] = await withAccess(({ instrumentControl }) => instrumentControl.add(wanted, OPERATOR_CLI));
    return { json: added === undefined ? null : toJson(added), text: added === undefined ? "" : describe(added) };
  },
};

const instrumentSet: Command = {
  name: "instrument set",
  summary: "Correct an instrument, also a built-in one; running servers follow within a second",
  argument,
  options,
  async run(values) {
    const fields = readOptions(values);
    if (Object.keys(fields).length === 0) throw new UsageError("Name what to set: see --help.");
    const symbol = values.text("argument");
    const instrument = await withAccess(({ instrumentControl }) => instrumentControl.set(symbol, fields, OPERATOR_CLI));
    return { json: toJson(instrument), text: describe(instrument) };
  },
};

const instrumentRemove: Command = {
  name: "instrument remove",
  summary: "Remove an instrument, which no source adds again; a built-in one becomes as it was",
  argument,
  options: {},
  async run(values) {
    const symbol = await withAccess(({ instrumentControl }) =>
      instrumentControl.remove(values.text("argument"), OPERATOR_CLI),
    );
    return { json: { symbol, removed: true }, text: `${symbol} is removed. Its recorded prices stay in the database.` };
  },
};

const instrumentMerge: Command = {
  name: "instrument merge",
  summary: "Merge an added instrument into another one, which takes over its names, its sources and its history",
  argument: { value: "SYMBOL INTO", help: "the instrument that ends, and the one that stays", isMany: true },
  options: {},
  async run(values) {
    const [symbol = "", into = ""] = values.all;
    if (values.all.length !== 2) throw new UsageError("Enter SYMBOL INTO.");
    const merged = await withAccess(({ instrumentControl }) => instrumentControl.merge(symbol, into, OPERATOR_CLI));
    return {
      json: { symbol, merged_into: merged.symbol },
      text: `${symbol} is merged into ${merged.symbol}. A running server moves its history within a minute.`,
    };
  },
};

const instrumentImport: Command = {
  name: "instrument import",
  summary: "Add and correct instruments from a file, all of them or none",
  argument: {
    value: "FILE",
    help: "csv with headings, or a JSON array of objects: symbol, and the fields of add, like contract_size or pip",
  },
  options: {},
  async run(values) {
    const wanted = readFileFields(await readFile(values.text("argument"), "utf8"));
    const written = await withAccess(({ instrumentControl }) => instrumentControl.put(wanted, OPERATOR_CLI));
    return {
      json: { instruments: written.map(toJson) },
      text: `${written.length} ${written.length === 1 ? "instrument" : "instruments"} added or corrected.`,
    };
  },
};

/** What columns are called elsewhere, such as in MetaTrader's lists of symbols, without case and punctuation. */
const COLUMN_NAMES: Readonly<Record<string, keyof InstrumentFields | "symbol">> = {
  symbol: "symbol",
  ...Object.fromEntries(Object.values(OPTIONS).map(([field]) => [field.toLowerCase(), field])),
  ...Object.fromEntries(Object.entries(OPTIONS).map(([option, [field]]) => [option.replaceAll("-", ""), field])),
  basecurrency: "base",
  currencybase: "base",
  quotecurrency: "quote",
  currencyprofit: "quote",
  currencymargin: "marginCurrency",
  tradecontractsize: "contractSize",
  volumemin: "minVolume",
  volumemax: "maxVolume",
  tradinghours: "hours",
};

/** Reads a file's rows. Throws a UsageError that names the row and the fault. */
export function readFileFields(text: string): WantedInstrument[] {
  const rows = readRows(text.replace(/^\uFEFF/, ""));
  if (rows.length === 0) throw new UsageError("The file has no row.");
  return rows.map((row, at) => {
    const place = `Row ${at + 1}: `;
    const fields = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
      const field = COLUMN_NAMES[column.toLowerCase().replace(/[^a-z]/g, "")];
      if (field === undefined) throw new UsageError(`${place}there is no field named ${column}.`);
      if (value === "" || value === undefined) return [];
      return [[field, field === "symbol" || typeof value !== "string" ? value : readText(field, value)]];
    });
    const { symbol, ...rest } = Object.fromEntries(fields);
    if (typeof symbol !== "string" || symbol === "") throw new UsageError(`${place}it names no symbol.`);
    return { symbol, fields: checkFields(rest, place) };
  });
}

function readRows(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    if (!/^\s*\[/.test(text)) {
      const [delimiter = ","] = /[,;\t]/.exec(text.split("\n", 1)[0] ?? "") ?? [];
      return parse(text, {
        columns: true,
        delimiter,
        skip_empty_lines: true,
        trim: true,
        relax_column_count_less: true,
      });
    }
    const rows = JSON.parse(text) as unknown[];
    if (rows.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))) {
      return rows as Record<string, unknown>[];
    }
  } catch (error) {
    throw new UsageError(`The file cannot be read: ${describeError(error)}`);
  }
  throw new UsageError("The file is no array of objects.");
}

function nameAdder({ addedBy }: Instrument): string {
  return addedBy === undefined ? "" : (addedBy.source ?? "operator");
}

function describe({ symbol, name, category, digits, pipSize, base, quote }: Instrument): string {
  const money = base === null ? `in ${quote}` : `${base} in ${quote}`;
  return `${symbol}: ${name}, ${category}, ${money}, ${digits} digits, a pip is ${pipSize}.`;
}

function toJson({ addedBy, ...instrument }: Instrument) {
  const origin =
    addedBy === undefined ? {} : { added_by: addedBy.source ?? "operator", provenance: addedBy.provenance };
  return { ...instrument, ...origin };
}

export const instrumentCommands: readonly Command[] = [
  instrumentList,
  instrumentAdd,
  instrumentSet,
  instrumentMerge,
  instrumentRemove,
  instrumentImport,
];
