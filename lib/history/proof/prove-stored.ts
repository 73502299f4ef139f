import type { Pool, PoolClient } from "pg";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { lockProofs, proveHours, readTicks } from "@/lib/history/proof/hour-proofs";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

/** Hours that a version without proofs has stored get theirs, as what they are: hashed later. */

interface Place {
  readonly symbol: string;
  readonly hour: number;
}

const FIRST: Place = { symbol: "", hour: -1 };
/** Hours that are looked at, and hours that are hashed in one transaction. */
const LISTED = 500;
const HASHED = 24;

/** Proves the hours after a place that have no proof, some at a time. Returns where to go on; null at the end. */
export async function proveStored(pool: Pool, fence: number, { symbol, hour }: Place = FIRST): Promise<Place | null> {
  const { rows } = await pool.query<Place & { proven: boolean }>(
    `SELECT symbol, hour, EXISTS (SELECT FROM hour_proof AS proof WHERE day = floor(stored.hour / 24.0)::int4
                                     AND proof.symbol = stored.symbol AND proof.hour = stored.hour) AS proven
       FROM tick_hour AS stored WHERE (symbol, hour) > ($1, $2) ORDER BY symbol, hour LIMIT $3`,
    [symbol, hour, LISTED],
  );
  const [first, ...more] = rows.filter(({ proven }) => !proven);
  if (first === undefined) {
    if (rows.length === LISTED) return rows.at(-1) ?? null;
    await inLeasedTransaction(pool, fence, (client) => client.query("UPDATE proof_state SET complete = TRUE"));
    return null;
  }
  const others = more.slice(0, HASHED - 1).filter((each) => each.symbol === first.symbol);
  const hours = [first, ...others].map((each) => each.hour);
  await inLeasedTransaction(pool, fence, (client) => proveSome(client, first.symbol, hours));
  return { symbol: first.symbol, hour: hours.at(-1) ?? first.hour };
}

async function proveSome(client: PoolClient, symbol: string, hours: readonly number[]): Promise<void> {
  // What is read after that is what the newest proof is of.
  await lockProofs(client);
  const { rows } = await client.query<{ hour: number }>(
    `SELECT DISTINCT hour FROM hour_proof
      WHERE symbol = $1 AND day = ANY (SELECT floor(each / 24.0)::int4 FROM unnest($2::int4[]) AS each)`,
    [symbol, hours],
  );
  const proven = new Set(rows.map((row) => row.hour));
  const left = hours.filter((each) => !proven.has(each));
  const ticks = await readTicks(client, symbol, left);
  const written = Array.from(ticks, ([hourMs, stored]) => ({ symbol, hourMs, ticks: stored, before: null }));
  await proveHours(client, written, { kind: "stored" });
}

interface Options {
  readonly pool: Pool;
  readonly fence: number;
  readonly log: Logger;
}

/** About twenty seconds for the ticks of ninety days of a symbol, beside all other work. */
const PAUSE_MS = 100;
const RETRY_MS = 10 * SECOND_MS;

/** Proves what an earlier version has stored, while this server records. Does nothing once all of it is proven. */
export function startProving({ pool, fence, log }: Options): Repetition {
  let place: Place | null = FIRST;
  let isNeeded: boolean | null = null;
  const repetition: Repetition = repeat(
    async () => {
      if (isNeeded === null) {
        const { rows } = await pool.query<{ complete: boolean }>("SELECT complete FROM proof_state");
        isNeeded = rows[0]?.complete === false;
        if (isNeeded) log.info("hashing what an earlier version has recorded");
      }
      if (isNeeded && place !== null) place = await proveStored(pool, fence, place);
      if (isNeeded && place !== null) return;
      repetition.stop();
      if (isNeeded) log.info("everything that is stored has its hash");
    },
    {
      pauseMs: PAUSE_MS,
      onFailure: (error) => log.warn({ err: error, retryInMs: RETRY_MS }, "stored hours cannot be hashed"),
      onRecovery: () => log.info("stored hours are hashed again"),
    },
  );
  repetition.start();
  return repetition;
}
