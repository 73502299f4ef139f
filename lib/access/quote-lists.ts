import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import { isId } from "@/lib/access/id";
import { LIST_LIMITS, type QuoteList, withDefault } from "@/lib/access/quote-list";
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

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Checks the lists that a browser sends. Throws an AccessError, "invalid_list", for the first problem. */
export function checkLists(value: unknown): QuoteList[] {
  if (!Array.isArray(value)) throw refuse("The lists must be an array.");
  if (value.length > LIST_LIMITS.lists) throw refuse(`An account has at most ${LIST_LIMITS.lists} lists.`);
  const lists = value.map(checkList);
  if (new Set(lists.map(({ slug }) => slug)).size < lists.length) throw refuse("Two lists have the same address.");
  if (new Set(lists.map(({ name }) => name.toLowerCase())).size < lists.length) {
    throw refuse("Two lists have the same name.");
  }
  return withDefault(lists);
}

function checkList(value: unknown): QuoteList {
  const { slug, name, symbols } = (value ?? {}) as Record<string, unknown>;
  if (typeof slug !== "string" || !SLUG.test(slug)) throw refuse("A list’s address has letters, digits and hyphens.");
  if (typeof name !== "string" || name.trim() === "") throw refuse("A list needs a name.");
  if (name.length > LIST_LIMITS.name) throw refuse(`A list’s name has at most ${LIST_LIMITS.name} characters.`);
  // Control characters; jsonb cannot hold the first of them.
  if (/\p{Cc}|\p{Cs}/u.test(name)) throw refuse("A list’s name has characters that cannot be shown.");
  if (!Array.isArray(symbols)) throw refuse("A list’s symbols must be an array.");
  if (symbols.length > LIST_LIMITS.symbols) throw refuse(`A list has at most ${LIST_LIMITS.symbols} symbols.`);
  const known = symbols.filter(
    (symbol): symbol is string => typeof symbol === "string" && instrumentBySymbol.has(symbol),
  );
  if (known.length < symbols.length) throw refuse("A list has a symbol that is not in the catalogue.");
  return { slug, name: name.trim(), symbols: [...new Set(known)] };
}

function refuse(message: string): AccessError {
  return new AccessError("invalid_list", message);
}
