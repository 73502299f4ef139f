import { findKind } from "@/lib/feeds/kinds/kinds";
import type { FeedSetting, FeedSettings } from "@/lib/feeds/settings/feed-setting";

/** The source that a terminal's token names, and what the terminal has sent, in the broker's spelling. */
export interface TerminalSource {
  readonly source: string;
  readonly symbols: readonly string[];
}

/**
 * Adds a feed for each terminal. They come after the sources that the operator set up and before the simulation. An entry
 * of kind mt5 with the terminal's name stays as it is. A name that another source has is left out, and so is every
 * terminal beside a replay at its own time.
 */
export function addTerminals(settings: FeedSettings, terminals: readonly TerminalSource[]): FeedSettings {
  const { feeds } = settings;
  if (feeds.some(({ kind, settings: own }) => kind === "replay" && own["time"] === "own")) return settings;
  const bySource = new Map(terminals.map((terminal) => [terminal.source, terminal]));
  const isFallback = ({ kind }: FeedSetting) => findKind(kind)?.isFallback === true;
  const configured = feeds.map((feed) => {
    const symbols = feed.kind === "mt5" ? (bySource.get(feed.name)?.symbols ?? []) : [];
    return feed.symbols === null && symbols.length > 0 ? { ...feed, symbols } : feed;
  });
  const names = new Set(feeds.map(({ name }) => name));
  const added = terminals.filter(({ source }) => !names.has(source)).map(toSetting);
  const first = configured.filter((feed) => !isFallback(feed));
  return { ...settings, feeds: [...first, ...added, ...configured.filter(isFallback)] };
}

function toSetting({ source, symbols }: TerminalSource): FeedSetting {
  return {
    ...{ name: source, kind: "mt5", priority: 0, aliases: {}, hours: null, expectedRate: null },
    ...{ symbols: symbols.length === 0 ? null : symbols, settings: {}, secrets: {} },
  };
}
