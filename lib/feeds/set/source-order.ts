import type { FeedSource } from "@/lib/feeds/feed";

/** Sorts the named sources first, in that order. Throws an Error if a name is that of no source. */
export function sortSources<Source extends FeedSource>(
  sources: readonly Source[],
  priority: readonly string[],
): Source[] {
  for (const name of priority) {
    if (sources.every((source) => source.name !== name)) {
      throw new Error(`SPOTLINE_SOURCE_PRIORITY names ${name}, which no feed has.`);
    }
  }
  const rank = ({ name }: FeedSource) => (priority.includes(name) ? priority.indexOf(name) : priority.length);
  return [...sources].sort((a, b) => rank(a) - rank(b));
}
