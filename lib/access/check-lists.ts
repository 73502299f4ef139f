import { AccessError } from "@/lib/access/access-error";
import { LIST_LIMITS, type QuoteList, withDefault } from "@/lib/access/quote-list";
import { instrumentBySymbol } from "@/lib/market/catalog";

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
