import type { SourceNow } from "@/features/overview/types";
import type { ServedQuote } from "@/lib/book/quote";
import type { Runtime } from "@/lib/runtime";

/** Reads the state of each source, most trusted first, from the quotes that every member may see. */
export function readSources({
  book,
  instruments,
  listSources,
}: Pick<Runtime, "book" | "instruments" | "listSources">): SourceNow[] {
  const bySource = new Map<string, ServedQuote[]>(listSources().map(({ name }) => [name, []]));
  for (const { symbol } of instruments) {
    for (const quote of book.sources(symbol)) bySource.get(quote.source)?.push(quote);
  }
  return listSources().map(({ name, mode }) => {
    const quotes = bySource.get(name) ?? [];
    const count = (state: ServedQuote["state"]) => quotes.filter((quote) => quote.state === state).length;
    return {
      name,
      mode,
      counts: { live: count("live"), delayed: count("delayed"), stale: count("stale"), closed: count("closed") },
      newestMs: quotes.length === 0 ? null : Math.max(...quotes.map(({ timeMs }) => timeMs)),
    };
  });
}
