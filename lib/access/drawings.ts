import type { Pool, PoolClient } from "pg";
import { AccessError } from "@/lib/access/access-error";
import {
  type Drawing,
  DRAWING_LIMITS,
  type DrawingChange,
  findDrawingProblem,
  roundPoints,
  type StoredDrawing,
} from "@/lib/access/drawing";
import { isId } from "@/lib/access/id";
import { createAttempts } from "@/lib/access/sign-in/sign-in-limits";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** The most changes of one request: all drawings of a symbol are replaced by others. */
const MOST_CHANGES = 2 * DRAWING_LIMITS.perSymbol;
const VERSION = /^\d{1,18}$/;
/** Requests of an account within a minute, in all processes. A person who drags all the time sends fewer. */
const MOST_PER_MINUTE = 90;

/** The drawings of each account by symbol: bounded, one row each, and removed with the account. */
export function createDrawings(pool: Pool, { now }: { now: Clock }) {
  const attempts = createAttempts({ pool }, { now });

  async function countRequest(accountId: string): Promise<void> {
    const limit = { name: `drawings:${accountId}`, maxAttempts: MOST_PER_MINUTE, windowMs: MINUTE_MS };
    const { exhausted } = await attempts.take(limit);
    if (exhausted !== null) throw new AccessError("too_many_changes", "Drawings are saved again in a minute.");
  }

  return {
    /** All drawings on the chart of a symbol, the oldest first. */
    read: (accountId: string, symbol: string): Promise<StoredDrawing[]> =>
      isId(accountId) ? readAll(pool, accountId, symbol) : Promise.resolve([]),
    /**
     * Makes the changes whose `base` is the stored version, and leaves the drawings of the others as they are. Returns
     * the ids of the changes that were made, and all drawings of the symbol afterwards. Rejects with "invalid_drawing",
     * "too_many_drawings" or "too_many_changes", and changes nothing then.
     */
    async save(
      accountId: string,
      symbol: string,
      value: unknown,
    ): Promise<{ readonly made: readonly string[]; readonly drawings: readonly StoredDrawing[] }> {
      const changes = checkChanges(value);
      await countRequest(accountId);
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        // Two devices of one account wait for each other, so that they cannot pass the limits together.
        await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
        const made = await makeChanges(client, { accountId, symbol, changes, nowMs: now() });
        await checkLimits(client, accountId, symbol);
        const drawings = await readAll(client, accountId, symbol);
        await client.query("COMMIT");
        return { made, drawings };
      } catch (error) {
        await client.query("ROLLBACK").catch(() => {});
        throw error;
      } finally {
        client.release();
      }
    },
    /**
     * A text for each pair of account and symbol that differs after every change of its drawings; "" without any. In the
     * order of the pairs.
     */
    async readStamps(pairs: readonly { readonly accountId: string; readonly symbol: string }[]): Promise<string[]> {
      const { rows } = await pool.query<{ stamp: string }>(
        `SELECT coalesce(count(drawing.id) || '-' || max(drawing.version), '') AS stamp
           FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS pair (account_id, symbol, place)
           LEFT JOIN drawing USING (account_id, symbol)
          GROUP BY place ORDER BY place`,
        [pairs.map(({ accountId }) => accountId), pairs.map(({ symbol }) => symbol)],
      );
      return rows.map(({ stamp }) => stamp);
    },
  };
}

async function readAll(client: Pool | PoolClient, accountId: string, symbol: string): Promise<StoredDrawing[]> {
  const { rows } = await client.query<{ version: string; content: Drawing }>(
    "SELECT version::text AS version, content FROM drawing WHERE account_id = $1 AND symbol = $2 ORDER BY created, id",
    [accountId, symbol],
  );
  return rows.map(({ version, content }) => ({ version, drawing: content }));
}

interface Work {
  readonly accountId: string;
  readonly symbol: string;
  readonly changes: readonly DrawingChange[];
  readonly nowMs: number;
}

/** Makes what can be made, and returns its ids. */
async function makeChanges(client: PoolClient, { accountId, symbol, changes, nowMs }: Work): Promise<string[]> {
  const run = async (sql: string, chosen: readonly DrawingChange[]): Promise<string[]> => {
    if (chosen.length === 0) return [];
    const { rows } = await client.query<{ id: string }>(
      `WITH change AS (
         SELECT * FROM unnest($3::uuid[], $4::int8[], $5::jsonb[]) WITH ORDINALITY AS each (id, base, content, place)
       ), moment AS (SELECT to_timestamp($6::float8 / 1000) AS saved_at)
       ${sql}`,
      [
        accountId,
        symbol,
        chosen.map(({ id }) => id),
        chosen.map(({ base }) => base),
        chosen.map(({ drawing }) => drawing && JSON.stringify(drawing)),
        nowMs,
      ],
    );
    return rows.map(({ id }) => id);
  };
  const isSame = "account_id = $1 AND symbol = $2 AND drawing.id = change.id AND version = change.base";
  return [
    ...(await run(
      `DELETE FROM drawing USING change, moment WHERE ${isSame} RETURNING drawing.id`,
      changes.filter(({ drawing }) => drawing === null),
    )),
    ...(await run(
      `UPDATE drawing SET content = change.content, version = nextval('drawing_version'), saved_at = moment.saved_at
         FROM change, moment WHERE ${isSame} RETURNING drawing.id`,
      changes.filter(({ base, drawing }) => base !== null && drawing !== null),
    )),
    ...(await run(
      `INSERT INTO drawing (account_id, id, symbol, content, version, created, saved_at)
       SELECT $1, id, $2, content, nextval('drawing_version'), nextval('drawing_version'), saved_at
         FROM change, moment ORDER BY place
       ON CONFLICT (account_id, id) DO NOTHING RETURNING id`,
      changes.filter(({ base, drawing }) => base === null && drawing !== null),
    )),
  ];
}

async function checkLimits(client: PoolClient, accountId: string, symbol: string): Promise<void> {
  const { rows } = await client.query<{ here: number; all: number; size: number }>(
    `SELECT count(*) FILTER (WHERE symbol = $2)::int AS here, count(*)::int AS all,
            coalesce(sum(length(content::text)), 0)::float8 AS size
       FROM drawing WHERE account_id = $1`,
    [accountId, symbol],
  );
  const { perSymbol, perAccount, totalSize } = DRAWING_LIMITS;
  const { here = 0, all = 0, size = 0 } = rows[0] ?? {};
  if (here > perSymbol) throw new AccessError("too_many_drawings", `A symbol has at most ${perSymbol} drawings.`);
  if (all > perAccount || size > totalSize) {
    throw new AccessError("too_many_drawings", `An account has at most ${perAccount} drawings, or 4 MB of them.`);
  }
}

/** Checks the changes that a browser sends. Throws an AccessError, "invalid_drawing", for the first problem. */
function checkChanges(value: unknown): DrawingChange[] {
  if (!Array.isArray(value)) throw refuse("The changes must be an array.");
  if (value.length > MOST_CHANGES) throw refuse(`At most ${MOST_CHANGES} changes can be made at once.`);
  const changes = value.map(checkChange);
  if (new Set(changes.map(({ id }) => id)).size < changes.length) throw refuse("Two changes are of one drawing.");
  return changes;
}

function checkChange(value: unknown): DrawingChange {
  const { id, base, ...rest } = (value ?? {}) as Record<string, unknown>;
  const drawing = roundPoints(rest.drawing);
  if (typeof id !== "string" || !isId(id)) throw refuse("A change needs the id of its drawing.");
  if (base !== null && (typeof base !== "string" || !VERSION.test(base))) throw refuse("A version must be a number.");
  if (drawing === null) return { id, base, drawing };
  const problem = findDrawingProblem(drawing);
  if (problem !== null) throw refuse(problem);
  if ((drawing as Drawing).id !== id) throw refuse("A change must have the id of its drawing.");
  return { id, base, drawing: drawing as Drawing };
}

function refuse(message: string): AccessError {
  return new AccessError("invalid_drawing", message);
}
