import type { Pool } from "pg";
import type { Logger } from "@/lib/platform/log/log";
import { HOUR_MS } from "@/lib/time/units";

/** The row of the table of settings. */
const NAME = "unreadable-address";
const MAX_LENGTH = 120;
/** How long `doctor` reports it after the last one. A server that still gets them writes more often. */
const SHOWN_MS = 2 * HOUR_MS;

/** What a proxy sent in place of the address of a client. */
export interface UnreadableAddress {
  readonly text: string;
  /** UTC milliseconds. */
  readonly atMs: number;
}

/** Tells the operator that a proxy sends no addresses: once in the log, and through the database for `doctor`. */
export class UnreadableAddresses {
  readonly #log: Logger;
  readonly #now: () => number;
  #pool: Pick<Pool, "query"> | null = null;
  #isLogged = false;
  #notedAtMs = -Infinity;

  constructor({ log, now }: { readonly log: Logger; readonly now: () => number }) {
    this.#log = log;
    this.#now = now;
  }

  /** From now on, `doctor` can read what is reported. */
  noteIn(pool: Pick<Pool, "query">): void {
    this.#pool = pool;
  }

  readonly report = (text: string): void => {
    const shown = text.slice(0, MAX_LENGTH);
    if (!this.#isLogged) {
      this.#isLogged = true;
      this.#log.warn({ forwarded: shown }, describeUnreadable(shown));
    }
    const nowMs = this.#now();
    if (this.#pool === null || nowMs - this.#notedAtMs < HOUR_MS) return;
    this.#notedAtMs = nowMs;
    // A text of a database holds no zero character.
    const value = JSON.stringify({ text: shown, atMs: nowMs } satisfies UnreadableAddress);
    const statement = "INSERT INTO setting VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    this.#pool.query(statement, [NAME, value]).catch(() => (this.#notedAtMs = -Infinity));
  };
}

export function describeUnreadable(text: string): string {
  return (
    `a trusted proxy sent ${text === "" ? "nothing" : JSON.stringify(text)} in place of a client's address. Keys that are ` +
    "bound to addresses are refused for such callers. Let it send X-Forwarded-For or Forwarded with an address"
  );
}

/** What was reported of late; null if nothing. */
export async function readUnreadableAddress(
  database: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  nowMs: number,
): Promise<UnreadableAddress | null> {
  const { rows } = await database.query("SELECT value FROM setting WHERE name = $1", [NAME]);
  const row = rows[0] as { value: string } | undefined;
  const noted = row === undefined ? null : (JSON.parse(row.value) as UnreadableAddress);
  return noted === null || nowMs - noted.atMs > SHOWN_MS ? null : noted;
}
