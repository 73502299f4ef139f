import type { Pool, PoolClient } from "pg";
import { listFinestDigits, lowerDigits, raiseDigits } from "@/lib/market/catalog";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

/** The finest digits of a symbol's prices. */
export type SymbolDigits = readonly [symbol: string, digits: number];

interface Options {
  readonly pool: Pool;
  readonly log: Logger;
  readonly pauseMs?: number;
}

const PAUSE_MS = 2 * SECOND_MS;

/**
 * Keeps the finest digits of each symbol's prices in the database, so that every process and every later run has them.
 * A process that receives a finer price raises them at once by itself.
 */
export class PriceDigits {
  readonly #pool: Pool;
  readonly #repetition: Repetition;
  /** What was stored when it was read last: fewer are those that an operator took back. */
  #stored: ReadonlyMap<string, number> = new Map();

  constructor({ pool, log, pauseMs = PAUSE_MS }: Options) {
    this.#pool = pool;
    this.#repetition = repeat(() => this.follow(), {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, "the digits of prices cannot be read or stored"),
      onRecovery: () => log.info("the digits of prices can be read and stored again"),
    });
  }

  /** Rejects if the database cannot be read. */
  async start(): Promise<void> {
    await this.follow();
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  /** Raises the digits in the catalog to the stored ones, or lowers them as these were, and stores those that are finer. */
  async follow(): Promise<void> {
    const { rows } = await this.#pool.query<{ symbol: string; digits: number }>(
      "SELECT symbol, digits FROM price_digits",
    );
    const stored = new Map(rows.map(({ symbol, digits }) => [symbol, digits]));
    for (const [symbol, digits] of stored) {
      if (digits < (this.#stored.get(symbol) ?? 0)) lowerDigits(symbol, digits);
      else raiseDigits(symbol, digits);
    }
    this.#stored = stored;
    const finer = [...listFinestDigits()].filter(([symbol, digits]) => digits > (stored.get(symbol) ?? -1));
    if (finer.length > 0) await storeDigits(this.#pool, finer);
  }
}

/** Stores digits that are finer than the stored ones. */
export async function storeDigits(client: Pool | PoolClient, finest: readonly SymbolDigits[]): Promise<void> {
  await client.query(
    `INSERT INTO price_digits (symbol, digits) SELECT * FROM unnest($1::text[], $2::int2[])
     ON CONFLICT (symbol) DO UPDATE SET digits = excluded.digits WHERE price_digits.digits < excluded.digits`,
    [finest.map(([symbol]) => symbol), finest.map(([, digits]) => digits)],
  );
}

/** The stored digits of a symbol's prices; 0 if none were finer than its instrument says. */
export async function readDigits(client: PoolClient, symbol: string): Promise<number> {
  const { rows } = await client.query<{ digits: number }>("SELECT digits FROM price_digits WHERE symbol = $1", [
    symbol,
  ]);
  return rows[0]?.digits ?? 0;
}
