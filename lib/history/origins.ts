import type { Pool } from "pg";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { cutPieces, type ImportedSpan, readSpans, readSymbolSpans } from "@/lib/history/imported-spans";
import type { DataMode } from "@/lib/market/bar";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

/** From when on a symbol's history was recorded from prices of this mode. */
interface Origin {
  /** Unix time. */
  readonly since: number;
  readonly mode: DataMode;
}

interface Options {
  readonly pool: Pool;
  readonly log: Logger;
  /** The number under which this process records; null while another one writes what this one reads. */
  readonly readFence: () => number | null;
}

const STORE_MS = SECOND_MS;
const FOLLOW_MS = 2 * SECOND_MS;

/**
 * Whether the history of each symbol is that of live, simulated or replayed prices, second by second. When a real source
 * takes over a symbol that was simulated, what was simulated stays marked; so does everything that is computed from it.
 * Imported prices have the mode that their source tells, whatever was recorded before and after them.
 */
export class Origins {
  readonly #options: Options;
  readonly #repetition: Repetition;
  /** Oldest first. */
  #bySymbol = new Map<string, readonly Origin[]>();
  #imported: ReadonlyMap<string, readonly ImportedSpan[]> = new Map();
  /** The revision of the imports that `#imported` is of. */
  #imports: number | null = null;
  /** Rows that are not stored yet. */
  #waiting: (Origin & { readonly symbol: string })[] = [];

  constructor(options: Options) {
    const { readFence, log } = options;
    const isFollower = () => readFence() === null;
    this.#options = options;
    this.#repetition = repeat(() => (isFollower() ? this.#follow() : this.#synchronise()), {
      pauseMs: isFollower() ? FOLLOW_MS : STORE_MS,
      onFailure: (error) => log.warn({ err: error }, "the origins of the history could not be stored or read"),
      onRecovery: () => log.info("the origins of the history can be stored or read again"),
    });
  }

  async start(): Promise<void> {
    await this.load();
    this.#repetition.start();
  }

  async stop(): Promise<void> {
    this.#repetition.stop();
    if (this.#options.readFence() === null) return;
    await this.#store().catch((error: unknown) => {
      this.#options.log.error({ err: error }, "storing the origins of the history failed");
    });
  }

  async load(): Promise<void> {
    const { rows } = await this.#options.pool.query<Origin & { symbol: string }>(
      "SELECT symbol, since, mode FROM history_origin ORDER BY symbol, since",
    );
    const bySymbol = new Map<string, Origin[]>();
    for (const { symbol, since, mode } of rows) {
      const list = bySymbol.get(symbol) ?? [];
      bySymbol.set(symbol, list);
      list.push({ since, mode });
    }
    this.#bySymbol = bySymbol;
    await this.#followImports();
  }

  /** The mode that is recorded now; undefined before the first price. */
  getLatest(symbol: string): DataMode | undefined {
    return this.#bySymbol.get(symbol)?.at(-1)?.mode;
  }

  /** Notes that a price of this mode is recorded for a moment, UTC milliseconds. */
  note(symbol: string, mode: DataMode, timeMs: number): void {
    if (this.getLatest(symbol) === mode) return;
    const before = this.#bySymbol.get(symbol) ?? [];
    const last = before.at(-1);
    // The first mode is also that of the past that is filled in. Clocks of sources differ, but the order is kept.
    const since = last === undefined ? 0 : Math.max(Math.floor(timeMs / SECOND_MS), last.since + 1);
    this.#bySymbol.set(symbol, [...before, { since, mode }]);
    this.#waiting.push({ symbol, since, mode });
  }

  /** Whether nothing but prices of this mode was recorded, if anything was. */
  isOnly(symbol: string, mode: DataMode): boolean {
    return (this.#bySymbol.get(symbol) ?? []).every((origin) => origin.mode === mode);
  }

  /** The first mode other than "live" in the history from `fromMs` to `toMs`, UTC milliseconds; otherwise "live". */
  findMode(symbol: string, fromMs = -Infinity, toMs = Infinity): DataMode {
    const [origins = [], imported = []] = [this.#bySymbol.get(symbol), this.#imported.get(symbol)];
    return listMarked({ origins, imported }, fromMs, toMs)[0]?.mode ?? "live";
  }

  /** Drops what this process noted while it took itself for the one that records. */
  async #follow(): Promise<void> {
    this.#waiting = [];
    await this.load();
  }

  async #synchronise(): Promise<void> {
    await this.#store();
    await this.#followImports();
  }

  /** Reads the imported spans again if another process has changed them. */
  async #followImports(): Promise<void> {
    const { pool } = this.#options;
    const { rows } = await pool.query<{ imports: number }>("SELECT imports FROM history_revision");
    const imports = rows[0]?.imports ?? null;
    if (imports === this.#imports) return;
    this.#imported = await readSpans(pool);
    this.#imports = imports;
  }

  async #store(): Promise<void> {
    const rows = this.#waiting;
    const { pool, readFence } = this.#options;
    const fence = readFence();
    if (rows.length === 0 || fence === null) return;
    const text = `INSERT INTO history_origin (symbol, since, mode) SELECT * FROM unnest($1::text[], $2::int4[], $3::text[])
                  ON CONFLICT DO NOTHING`;
    const values = [rows.map(({ symbol }) => symbol), rows.map(({ since }) => since), rows.map(({ mode }) => mode)];
    await inLeasedTransaction(pool, fence, (client) => client.query(text, values));
    this.#waiting = this.#waiting.slice(rows.length);
  }
}

/** A time in which prices are not live ones: UTC milliseconds, the end excluded. */
export interface MarkedSpan {
  readonly mode: Exclude<DataMode, "live">;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What tells the modes of a symbol's history, oldest first. */
interface Modes {
  readonly origins: readonly Origin[];
  readonly imported: readonly ImportedSpan[];
}

/** The parts of a time that are not live, oldest first. */
function listMarked({ origins, imported }: Modes, fromMs: number, toMs: number): MarkedSpan[] {
  const marked: MarkedSpan[] = [];
  const add = (since: number, until: number, mode: DataMode) => {
    if (mode !== "live" && since < until) marked.push({ mode, fromMs: since * SECOND_MS, toMs: until * SECOND_MS });
  };
  for (const piece of cutPieces(imported, { since: fromMs / SECOND_MS, until: toMs / SECOND_MS })) {
    if (piece.mode !== null) add(piece.since, piece.until, piece.mode);
    else {
      for (const [at, { since, mode }] of origins.entries())
        add(Math.max(since, piece.since), Math.min(origins[at + 1]?.since ?? Infinity, piece.until), mode);
    }
  }
  return marked;
}

/** The same from the database. */
export async function readMarked(pool: Pool, symbol: string, fromMs: number, toMs: number): Promise<MarkedSpan[]> {
  const { rows: origins } = await pool.query<Origin>(
    "SELECT since, mode FROM history_origin WHERE symbol = $1 ORDER BY since",
    [symbol],
  );
  return listMarked({ origins, imported: await readSymbolSpans(pool, symbol) }, fromMs, toMs);
}
