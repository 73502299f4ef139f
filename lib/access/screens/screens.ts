import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import { isId } from "@/lib/access/id";
import { checkContent, checkName, type Screen, SCREEN_LIMITS } from "@/lib/access/screens/screen";
import { inTransaction } from "@/lib/history/hour-store";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Clock } from "@/lib/platform/timing/clock";

/** A screen in the list of an account. */
export type ScreenLine = Pick<Screen, "id" | "name" | "revision">;

/** The result of a change: the stored screen afterwards, which is that of another browser if `isSaved` is false. */
export type SavedScreen = Screen & { readonly isSaved: boolean };

const hasSymbol = (symbol: string): boolean => instrumentBySymbol.has(symbol);

/** The screens of each account: bounded in number and size, and removed with the account. Others' are not found. */
export function createScreens(pool: Pool, { now }: { now: Clock }) {
  async function find(accountId: string, id: string): Promise<Screen | null> {
    if (!isId(accountId) || !isId(id)) return null;
    const { rows } = await pool.query<Screen>(
      "SELECT id, name, content, revision FROM screen WHERE id = $1 AND account_id = $2",
      [id, accountId],
    );
    return rows[0] === undefined ? null : dropUnknown(rows[0]);
  }

  async function list(accountId: string): Promise<readonly ScreenLine[]> {
    if (!isId(accountId)) return [];
    const { rows } = await pool.query<ScreenLine>(
      "SELECT id, name, revision FROM screen WHERE account_id = $1 ORDER BY place, created_at, id",
      [accountId],
    );
    return rows;
  }

  return {
    find,
    /** In the order that the account has chosen. */
    list,
    /** Adds a screen at the end. Rejects with "invalid_screen" or "too_many_screens". */
    async create(accountId: string, given: { readonly name: unknown; readonly content: unknown }): Promise<Screen> {
      const [name, content] = [checkName(given.name), checkContent(given.content, hasSymbol)];
      const id = randomUUID();
      const count = await inTransaction(pool, async (client) => {
        // Two browsers cannot exceed the limit together.
        await client.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [accountId]);
        const { rowCount } = await client.query(
          `INSERT INTO screen (id, account_id, name, place, content, revision, created_at, saved_at)
           SELECT $1, $2, $3, coalesce(max(place), 0) + 1, $4::jsonb, 1,
                  to_timestamp($5::float8 / 1000), to_timestamp($5::float8 / 1000)
             FROM screen WHERE account_id = $2 HAVING count(*) < $6`,
          [id, accountId, name, JSON.stringify(content), now(), SCREEN_LIMITS.screens],
        );
        return rowCount;
      });
      if (count !== 1) {
        throw new AccessError("too_many_screens", `An account has at most ${SCREEN_LIMITS.screens} screens.`);
      }
      return { id, name, content, revision: 1 };
    },
    /**
     * Replaces name and content if `revision` is that of the stored screen. Returns the stored one afterwards; null if the
     * account has no such screen. Rejects with "invalid_screen".
     */
    async save(
      accountId: string,
      id: string,
      given: { readonly revision: number; readonly name: unknown; readonly content: unknown },
    ): Promise<SavedScreen | null> {
      const [name, content] = [checkName(given.name), checkContent(given.content, hasSymbol)];
      if (!isId(accountId) || !isId(id)) return null;
      const { rows } = await pool.query<{ revision: number }>(
        `UPDATE screen SET name = $3, content = $4::jsonb, revision = revision + 1, saved_at = to_timestamp($5::float8 / 1000)
          WHERE id = $1 AND account_id = $2 AND revision = $6
         RETURNING revision`,
        [id, accountId, name, JSON.stringify(content), now(), given.revision],
      );
      const [saved] = rows;
      if (saved !== undefined) return { id, name, content, revision: saved.revision, isSaved: true };
      const stored = await find(accountId, id);
      return stored && { ...stored, isSaved: false };
    },
    /** Returns whether there was such a screen. */
    async remove(accountId: string, id: string): Promise<boolean> {
      if (!isId(accountId) || !isId(id)) return false;
      const { rowCount } = await pool.query("DELETE FROM screen WHERE id = $1 AND account_id = $2", [id, accountId]);
      return rowCount === 1;
    },
    /** Puts screens into an order. Ids of others are ignored, and screens that are not named come last, as before. */
    async order(accountId: string, ids: readonly string[]): Promise<readonly ScreenLine[]> {
      const known = ids.filter(isId).slice(0, SCREEN_LIMITS.screens);
      if (isId(accountId)) {
        await pool.query(
          `UPDATE screen SET place = coalesce(array_position($2::uuid[], id), ${SCREEN_LIMITS.screens} + place)
            WHERE account_id = $1`,
          [accountId, known],
        );
      }
      return list(accountId);
    },
  };
}

/** The catalogue may have lost a symbol since: its panel is left out. */
function dropUnknown({ id, name, content, revision }: Screen): Screen {
  const panels = content.panels.filter((panel) => !("symbol" in panel.settings) || hasSymbol(panel.settings.symbol));
  return { id, name, content: { ...content, panels }, revision };
}
