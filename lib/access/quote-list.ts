/** A named list of symbols on the quote board. */
export interface QuoteList {
  /** Identifies the list among the account's, also in addresses: "majors". It stays when the list is renamed. */
  readonly slug: string;
  readonly name: string;
  /** Canonical symbols in the list's order. */
  readonly symbols: readonly string[];
}

export const LIST_LIMITS = { lists: 20, symbols: 200, name: 40 } as const;

/** The list that every account has: the starred symbols. */
export const DEFAULT_LIST: QuoteList = { slug: "starred", name: "Starred", symbols: [] };

/** The lists with the default one, which comes first if it is missing. */
export function withDefault(lists: readonly QuoteList[]): QuoteList[] {
  return lists.some(({ slug }) => slug === DEFAULT_LIST.slug) ? [...lists] : [DEFAULT_LIST, ...lists];
}
