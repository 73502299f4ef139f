import { isDeepStrictEqual } from "node:util";
import { AccessError } from "@/lib/access/access-error";
import type { Operator, OperatorCli } from "@/lib/access/actor";
import { NO_ACCOUNT, record } from "@/lib/access/audit/record";
import { change } from "@/lib/access/revision";
import { loadCatalog, type StoredInstrument, storeInstruments, toRow } from "@/lib/feeds/instrument-store";
import { getBuiltInDigits, instrumentBySymbol, isBuiltIn, lowerDigits } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { type FactOrigin, type Instrument, type Provenance, type TradingHours } from "@/lib/market/instrument";
import type { InstrumentFields, WantedInstrument } from "@/lib/market/instrument-fields";
import { cryptoHours } from "@/lib/market/instruments/hours";
import { describeAs, describeNewInstrument } from "@/lib/market/new-instrument";
import { roundPrice } from "@/lib/market/price";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** What operators do to the catalog: they add instruments, correct them, and remove them. Servers follow within a second. */

/** The operator, in the browser or at the command line. */
type By = Operator | OperatorCli;

export type InstrumentControl = ReturnType<typeof createInstrumentControl>;

/** The audit log has an event for each instrument of a change, but one for a file of thousands. */
const MOST_AUDITED = 50;

export function createInstrumentControl(database: Database, { now }: { readonly now: Clock }) {
  /** Stores instruments and what was done, then loads the catalog of this process again. */
  async function store(
    event: `instrument.${"add" | "set" | "remove" | "merge"}`,
    rows: readonly StoredInstrument[],
    by: By,
    most?: { readonly symbol: string; readonly digits: number },
  ): Promise<void> {
    await change(database, async (transaction) => {
      await storeInstruments(transaction, rows, "replace");
      if (most !== undefined) {
        await transaction.$executeRaw`
          UPDATE price_digits SET digits = ${most.digits} WHERE symbol = ${most.symbol} AND digits > ${most.digits}`;
      }
      if (rows.length > MOST_AUDITED) {
        const after = { count: rows.length, first: rows.slice(0, MOST_AUDITED).map(({ symbol }) => symbol) };
        await record(transaction, { atMs: now(), event, by, accountId: NO_ACCOUNT, after });
        return;
      }
      for (const { symbol, fields } of rows) {
        const before = instrumentBySymbol.get(symbol);
        const facts = {
          ...(before === undefined ? {} : { before: toAudit(before) }),
          ...(fields === null ? {} : { after: toAudit(fields) }),
        };
        await record(transaction, { atMs: now(), event, by, accountId: NO_ACCOUNT, ...facts });
      }
    });
    if (most !== undefined) lowerDigits(most.symbol, most.digits);
    await loadCatalog(database.pool);
  }

  return {
    /**
     * Adds instruments. Rejects with an AccessError, and adds none, if a symbol is no symbol or is taken, or a field is
     * wrong. Resolves with them.
     */
    async add(wanted: readonly WantedInstrument[], by: By): Promise<readonly Instrument[]> {
      const added = wanted.map(({ symbol, fields }) => describeWanted(symbol, fields));
      requireOnce(added);
      await store("instrument.add", added.map(toRow), by);
      return added;
    },

    /**
     * Makes instruments of their own of the spellings of a source that are not quoted. A single one may also be what names
     * another instrument, or may name several; of a list, those are left out. Rejects if there is nothing to add.
     */
    async addSpellings(spellings: readonly string[], by: By): Promise<readonly Instrument[]> {
      const isSingle = spellings.length === 1;
      const added = new Map(
        spellings.flatMap((spelling) => {
          const isClear = isSingle || catalogResolver.resolve(spelling).kind === "unknown";
          const own = isClear ? describeSpelling(spelling) : null;
          return own === null ? [] : [[own.symbol, own] as const];
        }),
      );
      if (added.size === 0) {
        throw new AccessError(
          "invalid_spelling",
          "No symbol can be made of it: add an instrument with an alias instead.",
        );
      }
      await store("instrument.add", [...added.values()].map(toRow), by);
      return [...added.values()];
    },

    /**
     * Adds those that are not in the catalog and corrects the others where they differ, all or none. Finer digits stay: a
     * source may have raised them, and the same list is put at every start. Rejects like `add` and `set`. Resolves with
     * them.
     */
    async put(wanted: readonly WantedInstrument[], by: By): Promise<readonly Instrument[]> {
      const written = wanted.map(({ symbol, fields }) => {
        const before = instrumentBySymbol.get(symbol);
        return before === undefined ? describeWanted(symbol, fields) : correct(before, keepFinerDigits(before, fields));
      });
      requireOnce(written);
      const differing = written.filter((each) => !isSame(each, instrumentBySymbol.get(each.symbol)));
      if (differing.length > 0) await store("instrument.set", differing.map(toRow), by);
      return written;
    },

    /**
     * Corrects an instrument. Digits that prices have raised are taken back; those that are stored keep theirs. Rejects with
     * an AccessError if there is none or a field is wrong. Resolves with it.
     */
    async set(spelling: string, fields: InstrumentFields, by: By): Promise<Instrument> {
      const instrument = correct(requireInstrument(spelling), fields);
      const { symbol, digits } = instrument;
      const least = getBuiltInDigits(symbol) ?? 0;
      if (digits < least) {
        const reason = `${symbol} is built in with ${least} digits, which its stored prices have: it cannot have fewer.`;
        throw new AccessError("invalid_instrument", reason);
      }
      const most = fields.digits === undefined ? undefined : { symbol, digits };
      await store("instrument.set", [toRow(instrument)], by, most);
      return instrument;
    },

    /**
     * Merges an instrument that was added into another one: its names become aliases, its sources quote the other one from
     * now on, and its history moves there. Rejects for a built-in instrument. Resolves with the other one.
     */
    async merge(spelling: string, intoSpelling: string, by: By): Promise<Instrument> {
      const from = requireInstrument(spelling);
      const into = requireInstrument(intoSpelling);
      if (from === into) throw new AccessError("invalid_instrument", `Both names are those of ${from.symbol}.`);
      if (isBuiltIn(from.symbol)) {
        throw new AccessError("invalid_instrument", `${from.symbol} is built in: merge the other one into it.`);
      }
      const merged = correct(into, {});
      const aliases = [...new Set([...into.aliases, from.symbol, ...from.aliases])];
      const removed = { symbol: from.symbol, fields: null, source: null, mergedInto: into.symbol };
      await store("instrument.merge", [removed, toRow({ ...merged, aliases })], by);
      return into;
    },

    /**
     * Removes an instrument; a built-in one becomes as it was. Its recorded prices stay in the database, and are served
     * again if the same symbol is added again. No source adds it by itself. Resolves with its symbol.
     */
    async remove(spelling: string, by: By): Promise<string> {
      const { symbol, addedBy } = requireInstrument(spelling);
      if (addedBy === undefined)
        throw new AccessError("invalid_instrument", `${symbol} is built in and was not changed.`);
      await store("instrument.remove", [{ symbol, fields: null, source: null }], by);
      return symbol;
    },
  };
}

function requireOnce(instruments: readonly Instrument[]): void {
  const seen = new Set<string>();
  for (const { symbol } of instruments) {
    if (seen.has(symbol)) throw new AccessError("invalid_instrument", `${symbol} is named twice.`);
    seen.add(symbol);
  }
}

/** Throws an AccessError, "invalid_symbol", with the reason and near symbols, if a spelling is not clear. */
export function requireInstrument(spelling: string, reason = `${spelling} is no symbol of the catalog.`): Instrument {
  const resolution = catalogResolver.resolve(spelling);
  if (resolution.kind === "found") return resolution.instrument;
  const near = resolution.kind === "unknown" ? resolution.suggestions : resolution.candidates;
  const hint = near.length === 0 ? "" : ` Near it: ${near.join(", ")}.`;
  throw new AccessError("invalid_symbol", `${reason}${hint}`);
}

function describeWanted(symbol: string, fields: InstrumentFields): Instrument {
  const { base, quote, digits, pipSize, contractSize, minVolume, maxVolume, volumeStep } = fields;
  const sizes = { digits, pipSize, contractSize, minVolume, maxVolume, volumeStep };
  const money = { base, quote, margin: fields.marginCurrency, kind: fields.category };
  const said = Object.entries({ ...sizes, ...money }).filter(([, value]) => value !== undefined && value !== null);
  const described = describeAs(symbol, { ...Object.fromEntries(said), spelling: symbol });
  if (described === null) {
    const reason = instrumentBySymbol.has(symbol)
      ? `${symbol} is in the catalog already; use set to correct it.`
      : `${symbol} is no symbol: use A to Z, 0 to 9, dots, dashes, underscores and ampersands, at most 32 characters.`;
    throw new AccessError("invalid_instrument", reason);
  }
  const { instrument, provenance } = described;
  return correct({ ...instrument, addedBy: { source: null, provenance } }, fields);
}

/** An instrument for a spelling alone; null if no free symbol can be made of it. */
function describeSpelling(spelling: string): Instrument | null {
  const facts = { spelling };
  const plain = spelling.toUpperCase().replaceAll(/[^A-Z0-9.&_-]+|^[.&_-]+|[.&_-]+$/g, "");
  const described = describeNewInstrument(facts) ?? describeAs(plain, facts);
  if (described === null) return null;
  const { instrument, provenance } = described;
  // The symbol may lack signs by which the source tells it from another one.
  const aliases = instrument.symbol === plain && plain !== spelling.toUpperCase() ? [spelling] : instrument.aliases;
  return { ...instrument, aliases, addedBy: { source: null, provenance } };
}

const BUILT_IN: Provenance = {
  ...{
    category: "default",
    currencies: "default",
    digits: "default",
    pip: "default",
    hours: "default",
    name: "default",
  },
};
/** The fields that each fact of a provenance stands for. */
const FACT_FIELDS: Readonly<Record<keyof Provenance, readonly (keyof InstrumentFields)[]>> = {
  category: ["category"],
  currencies: ["base", "quote"],
  digits: ["digits"],
  pip: ["pipSize"],
  hours: ["hours"],
  name: ["name", "description"],
};

function correct(before: Instrument, { hours, ...fields }: InstrumentFields): Instrument {
  const own = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const given = hours === undefined ? own : { ...own, hours };
  const earlier = before.addedBy ?? { source: null, provenance: BUILT_IN };
  const facts = (Object.keys(FACT_FIELDS) as (keyof Provenance)[]).map((fact): [string, FactOrigin] => [
    fact,
    FACT_FIELDS[fact].some((field) => field in given) ? "operator" : earlier.provenance[fact],
  ]);
  const instrument: Instrument = {
    ...before,
    ...own,
    ...(hours === undefined ? {} : { tradingHours: readHours(hours) }),
    addedBy: { ...earlier, provenance: Object.fromEntries(facts) as unknown as Provenance },
  };
  const fault = findFault(instrument);
  if (fault !== null) throw new AccessError("invalid_instrument", fault);
  return instrument;
}

function keepFinerDigits({ digits }: Instrument, fields: InstrumentFields): InstrumentFields {
  return fields.digits === undefined ? fields : { ...fields, digits: Math.max(digits, fields.digits) };
}

function readHours(hours: NonNullable<InstrumentFields["hours"]>): TradingHours {
  if (typeof hours !== "string") return hours;
  return hours.toLowerCase() === "always" ? cryptoHours : requireInstrument(hours).tradingHours;
}

/** What makes an instrument impossible, as a sentence; null if nothing does. */
function findFault({ symbol, digits, pipSize, minVolume, maxVolume, aliases }: Instrument): string | null {
  if (pipSize < roundPrice(10 ** -digits, 10)) return `A pip of ${symbol} cannot be finer than its ${digits} digits.`;
  if (minVolume > maxVolume) return `The least volume of ${symbol} is above the greatest.`;
  for (const alias of aliases) {
    const resolution = catalogResolver.resolve(alias);
    const isLoose = resolution.kind === "found" && (resolution.rule === "decoration" || resolution.rule === "vendor");
    if (resolution.kind === "unknown" || isLoose) continue;
    const named = resolution.kind === "found" ? [resolution.instrument.symbol] : resolution.candidates;
    if (named.some((other) => other !== symbol)) return `The alias ${alias} names ${named.join(" and ")}.`;
  }
  return null;
}

function isSame(one: Instrument, other: Instrument | undefined): boolean {
  return other !== undefined && isDeepStrictEqual(one, other);
}

/** An instrument for the audit log, without what is long and was derived. */
function toAudit({ symbol, name, category, base, quote, digits, pipSize, aliases }: Instrument) {
  return {
    symbol,
    name,
    category,
    base,
    quote,
    digits,
    pipSize,
    aliases: aliases.join(", "),
    builtIn: isBuiltIn(symbol),
  };
}
