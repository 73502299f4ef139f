import type { Pool } from "pg";
import {
  dropInstruments,
  instrumentBySymbol,
  instruments,
  listChangedInstruments,
  putInstruments,
} from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import {
  completeInstrument,
  describeNewInstrument,
  findSameInstrument,
  type SymbolFacts,
} from "@/lib/market/new-instrument";
import type { Database } from "@/lib/platform/database/database";
import { BEFORE_ALL, createUpdate, follow, type Follower, raiseRevision } from "@/lib/platform/database/revision";
import type { Logger } from "@/lib/platform/log/log";
import { MINUTE_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

/**
 * The instruments in the database: those that sources or an operator added, and built-in ones that an operator corrected.
 * Each server follows them, so that all have the same catalog; the other processes of a server get them from it.
 */

/** No broker has as many. More would be a fault of a source, and each costs memory. */
const MAX_INSTRUMENTS = 20_000;
const POLL_MS = 500;
const LIMITS = { maxWait: 10_000, timeout: MINUTE_MS };

/** An instrument to store; null fields for one that is removed. */
export interface StoredInstrument {
  readonly symbol: string;
  readonly fields: Instrument | null;
  /** The source that named it; null for the operator. */
  readonly source: string | null;
  /** The symbol that a removed one was merged into. */
  readonly mergedInto?: string;
}

export function toRow(fields: Instrument): StoredInstrument {
  return { symbol: fields.symbol, fields, source: fields.addedBy?.source ?? null };
}

/**
 * Stores instruments in a transaction. Servers follow them within a second.
 *
 * @param known "keep" leaves what is stored of a symbol as it is; "replace" writes over it
 */
export async function storeInstruments(
  transaction: Prisma.TransactionClient,
  rows: readonly StoredInstrument[],
  known: "keep" | "replace",
): Promise<void> {
  const revision = await raiseRevision(transaction, "instrument_revision");
  const written = ["fields", "source", "merged_into", "revision", "changed_at"].map(
    (column) => `${column} = EXCLUDED.${column}`,
  );
  const conflict = known === "keep" ? "DO NOTHING" : `(symbol) DO UPDATE SET ${written.join(", ")}`;
  await transaction.$executeRawUnsafe(
    `INSERT INTO instrument (symbol, fields, source, merged_into, revision)
     SELECT row->>'symbol', CASE WHEN jsonb_typeof(row->'fields') = 'object' THEN row->'fields' END, row->>'source',
            row->>'mergedInto', $2
       FROM jsonb_array_elements($1::jsonb) AS row
     ON CONFLICT ${conflict}`,
    JSON.stringify(rows),
    revision,
  );
}

/** Puts all stored instruments into the catalog of this process, for a command. */
export async function loadCatalog(pool: Pool): Promise<void> {
  await loadSince(pool, BEFORE_ALL);
}

async function loadSince(pool: Pool, since: bigint): Promise<void> {
  const { rows } = await pool.query<{ symbol: string; fields: Instrument | null }>(
    "SELECT symbol, fields FROM instrument WHERE revision > $1 ORDER BY revision, symbol",
    [since.toString()],
  );
  const listed = new Set(rows.flatMap(({ symbol, fields }) => (fields === null ? [] : symbol)));
  const removed = rows.flatMap(({ symbol, fields }) => (fields === null ? symbol : []));
  const lost = since === BEFORE_ALL ? listChangedInstruments().filter(({ symbol }) => !listed.has(symbol)) : [];
  dropInstruments([...removed, ...lost.map(({ symbol }) => symbol)]);
  putInstruments(rows.flatMap(({ fields }) => fields ?? []));
}

/** Adds instruments that a command found, and puts them into the catalog of this process. What is stored stays as it is. */
export async function addInstruments(
  { pool, prisma }: Pick<Database, "pool" | "prisma">,
  added: readonly Instrument[],
): Promise<void> {
  if (added.length === 0) return;
  await prisma.$transaction((transaction) => storeInstruments(transaction, added.map(toRow), "keep"), LIMITS);
  await loadCatalog(pool);
}

interface Options {
  readonly database: Pick<Database, "pool" | "prisma">;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** Keeps the catalog of this process as the database has it, and adds what sources name. */
export class InstrumentStore {
  readonly #options: Options;
  readonly #follower: Follower;
  #isFull = false;

  constructor(options: Options) {
    const {
      database: { pool },
      log,
      pollMs = POLL_MS,
    } = options;
    this.#options = options;
    const update = createUpdate(
      async () => {
        const { rows } = await pool.query<{ value: string }>("SELECT value FROM instrument_revision WHERE id = 1");
        return BigInt(rows[0]?.value ?? 0);
      },
      (since) => loadSince(pool, since),
    );
    this.#follower = follow(update, {
      pauseMs: pollMs,
      onFailure: (error) => log.error({ err: error }, "instruments cannot be followed"),
      onRecovery: () => log.info("instruments can be followed again"),
    });
  }

  /** Loads the stored instruments, then follows their changes. Rejects if they cannot be loaded. */
  async start(): Promise<void> {
    await this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  /**
   * Adds an instrument for each of a source's symbols that the catalog lacks and that can be described, and completes
   * those that the same source added before it said as much of them. Resolves once they are stored and in the catalog;
   * rejects if they cannot be stored.
   */
  async name(source: string, facts: readonly SymbolFacts[]): Promise<void> {
    const { database } = this.#options;
    const described = this.#describe(source, facts);
    const completed = [...completeKnown(source, facts).values()].map(toRow);
    if (completed.length + described.length === 0) return;
    await database.prisma.$transaction(async (transaction) => {
      if (completed.length > 0) await storeInstruments(transaction, completed, "replace");
      if (described.length > 0) await storeInstruments(transaction, described, "keep");
    }, LIMITS);
    await this.#follower.refresh();
    if (described.length === 0) return;
    const added = described.filter(({ symbol }) => instrumentBySymbol.has(symbol));
    this.#options.log.info(
      { source, count: added.length, first: added.slice(0, 10).map(({ symbol }) => symbol) },
      "instruments were added that a source names",
    );
  }

  #describe(source: string, facts: readonly SymbolFacts[]): StoredInstrument[] {
    const room = MAX_INSTRUMENTS - instruments.length;
    const found = new Map<string, StoredInstrument>();
    // The shortest of several spellings of one symbol has the least of the broker's decoration.
    for (const each of [...facts].sort((a, b) => a.spelling.length - b.spelling.length)) {
      const described = describeNewInstrument(each);
      if (described === null || found.has(described.instrument.symbol)) continue;
      const { instrument, provenance } = described;
      const { symbol } = instrument;
      if (found.size < room) found.set(symbol, toRow({ ...instrument, addedBy: { source, provenance } }));
      else this.#reportFull(source, symbol);
    }
    return [...found.values()];
  }

  #reportFull(source: string, symbol: string): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#options.log.error({ source, symbol }, `the catalog has ${MAX_INSTRUMENTS} instruments and takes no more`);
  }
}

/** What a source's facts add to instruments of the catalog, by symbol: what was not said before, and other spellings. */
function completeKnown(source: string, facts: readonly SymbolFacts[]): ReadonlyMap<string, Instrument> {
  const completed = new Map<string, Instrument>();
  for (const each of facts) {
    const { kind } = catalogResolver.resolve(each.spelling);
    const known = kind === "unknown" ? findSameInstrument(each) : (catalogResolver.find(each.spelling) ?? null);
    if (known === null) continue;
    const before = completed.get(known.symbol) ?? known;
    const isOwn = known.addedBy?.source === source;
    const said = isOwn ? (completeInstrument(each, before) ?? before) : before;
    const fields = kind === "unknown" ? { ...said, aliases: [...said.aliases, each.spelling] } : said;
    if (fields !== known) completed.set(known.symbol, fields);
  }
  return completed;
}
