import { DEFAULT_LIST, LIST_LIMITS, type QuoteList } from "@/lib/access/quote-list";

/** Changes of an account's lists. Each returns new lists, or the same ones where nothing changes. */
type Lists = readonly QuoteList[];

function changeList(lists: Lists, slug: string, change: (list: QuoteList) => Partial<QuoteList>): Lists {
  return lists.map((list) => (list.slug === slug ? { ...list, ...change(list) } : list));
}

/** Adds a symbol at the end of a list, or removes it. */
export function toggleSymbol(lists: Lists, slug: string, symbol: string): Lists {
  return changeList(lists, slug, ({ symbols }) => ({
    symbols: symbols.includes(symbol) ? symbols.filter((each) => each !== symbol) : [...symbols, symbol],
  }));
}

/** Adds symbols that a list lacks at its end. */
export function addSymbols(lists: Lists, slug: string, added: readonly string[]): Lists {
  return changeList(lists, slug, ({ symbols }) => ({ symbols: [...new Set([...symbols, ...added])] }));
}

/** Moves a symbol before another one, or to the end of the list. */
export function moveSymbol(lists: Lists, slug: string, symbol: string, before: string | null): Lists {
  return changeList(lists, slug, ({ symbols }) => {
    if (symbol === before || !symbols.includes(symbol)) return {};
    const others = symbols.filter((each) => each !== symbol);
    const at = before === null ? -1 : others.indexOf(before);
    return { symbols: at === -1 ? [...others, symbol] : others.toSpliced(at, 0, symbol) };
  });
}

/** Moves a symbol up (-1) or down (1) by one place among the `shown` symbols of its list. */
export function stepSymbol(
  lists: Lists,
  slug: string,
  symbol: string,
  { step, shown }: { readonly step: -1 | 1; readonly shown: readonly string[] },
): Lists {
  const at = shown.indexOf(symbol);
  const target = at + step;
  if (at === -1 || target < 0 || target >= shown.length) return lists;
  // Down by one means before the symbol after the next.
  return moveSymbol(lists, slug, symbol, shown[step === -1 ? target : target + 1] ?? null);
}

export function renameList(lists: Lists, slug: string, name: string): Lists {
  return changeList(lists, slug, () => ({ name: name.trim() }));
}

export function replaceSymbols(lists: Lists, slug: string, symbols: readonly string[]): Lists {
  return changeList(lists, slug, () => ({ symbols }));
}

export function removeList(lists: Lists, slug: string): Lists {
  return slug === DEFAULT_LIST.slug ? lists : lists.filter((list) => list.slug !== slug);
}

/** Adds a list at the end. Its slug is made from its name. */
export function addList(lists: Lists, added: Pick<QuoteList, "name" | "symbols">): { lists: Lists; slug: string } {
  const slug = findSlug(lists, added.name);
  return { lists: [...lists, { slug, name: added.name.trim(), symbols: added.symbols }], slug };
}

/** Puts lists that were kept in this browser in place of the same ones, or at the end. */
export function mergeLists(lists: Lists, kept: Lists): Lists {
  const own = new Map(kept.map((list) => [list.slug, list]));
  const known = new Set(lists.map(({ slug }) => slug));
  return [...lists.map((list) => own.get(list.slug) ?? list), ...kept.filter(({ slug }) => !known.has(slug))];
}

function findSlug(lists: Lists, name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const base = words.slice(0, 30).replace(/-+$/, "") || "list";
  const taken = new Set(lists.map(({ slug }) => slug));
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}

/** Why a list cannot have this name, as a sentence; null if it can. `slug` is that of the list itself. */
export function findNameProblem(lists: Lists, name: string, slug: string | null): string | null {
  const text = name.trim();
  if (text === "") return "Enter a name.";
  if (text.length > LIST_LIMITS.name) return `A name has at most ${LIST_LIMITS.name} characters.`;
  const isTaken = lists.some((list) => list.slug !== slug && list.name.toLowerCase() === text.toLowerCase());
  return isTaken ? "Another list has this name." : null;
}
