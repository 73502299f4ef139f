import type { Pool } from "pg";
import { checkLists } from "@/lib/access/check-lists";
import { isId } from "@/lib/access/id";
import { type QuoteList, withDefault } from "@/lib/access/quote-list";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Clock } from "@/lib/platform/timing/clock";

/** An account's lists, and the number of their last change. */
interface SavedLists {
  readonly revision: number;
  readonly lists: readonly QuoteList[];
}

/** The lists of symbols of each account: bounded, in one row, and removed with the account. */
export function createQuoteLists(pool: Pool, { now }: { now: Clock }) {
  async function read(accountId: string): Promise<SavedLists> {
    if (!isId(accountId)) return { revision: 0, lists: withDefault([]) };
    const { rows } = await pool.query<SavedLists>("SELECT revision, lists FROM quote_lists WHERE account_id = $1", [
      accountId,
    ]);
    const { revision, lists } = rows[0] ?? { revision: 0, lists: [] };
    return { revision, lists: withDefault(lists.map(dropUnknown)) };
  }

  return {
    /** The account's lists; revision 0 before the first change. */
    read,
    /**
     * Replaces the lists if `revision` is that of the stored ones. Returns the stored lists afterwards: those of another
     * browser, and `isSaved` false, if it is not. Rejects with "invalid_list".
     */
    async save(
      accountId: string,
      revision: number,
      value: unknown,
    ): Promise<SavedLists & { readonly isSaved: boolean }> {
      const lists = checkLists(value);
      const { rows } = await pool.query<{ revision: number }>(
        `INSERT INTO quote_lists (account_id, lists, revision, saved_at)
         VALUES ($1, $2, 1, to_timestamp($3::float8 / 1000))
         ON CONFLICT (account_id) DO UPDATE
            SET lists = excluded.lists, revision = quote_lists.revision + 1, saved_at = excluded.saved_at
          WHERE quote_lists.revision = $4
         RETURNING revision`,
        [accountId, JSON.stringify(lists), now(), revision],
      );
      const saved = rows[0];
      if (saved === undefined) return { ...(await read(accountId)), isSaved: false };
      return { revision: saved.revision, lists, isSaved: true };
    },
  };
}

/** A later version of the catalogue may lack a symbol. */
function dropUnknown(list: QuoteList): QuoteList {
  return { ...list, symbols: list.symbols.filter((symbol) => instrumentBySymbol.has(symbol)) };
}
