import type { Feed } from "@/lib/feeds/feed";
import type { FeedContext } from "@/lib/feeds/feed-kind";
import { findKind } from "@/lib/feeds/kinds";
import { createPriceWatch } from "@/lib/feeds/live/live-feed";
import type { FeedSetting } from "@/lib/feeds/settings/feed-setting";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";

/** A feed to run: its setting, the feed made from it, and what it may quote. */
export interface PlannedFeed {
  readonly setting: FeedSetting;
  readonly feed: Feed;
  /** The canonical symbols that a fallback may quote; null for other feeds, which say themselves what they ask for. */
  readonly quoted: readonly string[] | null;
  /** The canonical symbols that a feed asks for; null if they are not known, or come by themselves. */
  readonly subscribed: readonly string[] | null;
  /** Creates the same feed again. */
  readonly open: () => Feed;
  /** Changes whenever the feed must be started again. */
  readonly key: string;
  /** Changes whenever the prices may be those of another market. */
  readonly origin: string;
}

/** A feed with prices of the past, and what it quotes. Plain data, for another thread. */
export interface PastFeed {
  readonly setting: FeedSetting;
  /** Canonical symbols. */
  readonly symbols: readonly string[];
  /** Names of its sources, most trusted first. */
  readonly sources: readonly string[];
}

/**
 * Creates the feed of each setting, in the same order. A fallback, the simulation, quotes only what no other feed
 * offers. Throws an Error with a readable message if one cannot be created.
 */
export function planFeeds(settings: readonly FeedSetting[], context: FeedContext): PlannedFeed[] {
  const offered = new Set<string>();
  const planned = new Map<FeedSetting, PlannedFeed>();
  const isFallback = ({ kind }: FeedSetting) => findKind(kind)?.isFallback === true;
  const fallback = settings.find(isFallback);
  for (const setting of settings.filter((each) => !isFallback(each))) {
    const plan = planFeed(setting, context);
    planned.set(setting, plan);
    const symbols = listOffered(plan);
    if (symbols === null && fallback !== undefined) {
      const reason = `${setting.name} finds its symbols only when it runs, so what is left for ${fallback.name} is unknown`;
      throw new Error(`${reason}: list the symbols of ${setting.name}, or remove ${fallback.name}.`);
    }
    for (const symbol of symbols ?? []) offered.add(symbol);
  }
  const left = context.instruments.flatMap(({ symbol }) => (offered.has(symbol) ? [] : symbol));
  for (const setting of settings.filter(isFallback)) planned.set(setting, planFeed(setting, context, left));
  return settings.flatMap((setting) => planned.get(setting) ?? []);
}

function planFeed(setting: FeedSetting, context: FeedContext, quoted: readonly string[] | null = null): PlannedFeed {
  const kind = findKind(setting.kind);
  if (kind === undefined) throw new Error(`There is no kind of feed named ${setting.kind}.`);
  requireKnownAliases(setting);
  const { name, symbols, settings, secrets, hours, expectedRate } = setting;
  const requested =
    kind.isPushed === true || kind.sources !== "one" ? null : (symbols ?? Object.keys(kind.symbols ?? {}));
  const watched = listSubscribed(setting, requested === "all" ? [] : (requested ?? []));
  const prices = createPriceWatch({ instruments: watched, hours, expectedRate, now: context.now });
  const open = () => kind.create({ ...context, name, symbols, settings, secrets, prices });
  const subscribed = watched.length === 0 ? null : watched.map(({ symbol }) => symbol);
  const origin = JSON.stringify([setting.kind, name, settings]);
  const watch = prices === undefined ? null : [subscribed, hours, expectedRate];
  const key = JSON.stringify([origin, requested, secrets, watch]);
  return { setting, feed: open(), quoted, subscribed, open, key, origin };
}

/** The canonical symbols that a feed subscribes to; null if they are not known before it runs. */
function listOffered({ feed, setting }: PlannedFeed): string[] | null {
  const { symbols: usual, isPushed } = findKind(setting.kind) ?? {};
  const spellings = setting.symbols ?? feed.symbols ?? (usual && Object.keys(usual)) ?? (isPushed && []);
  return spellings === undefined || spellings === false || spellings === "all"
    ? null
    : listSubscribed(setting, spellings).map(({ symbol }) => symbol);
}

/** Throws an Error with a readable message if an alias names no instrument of the catalog. */
function requireKnownAliases({ name, aliases }: FeedSetting): void {
  const wrong = Object.entries(aliases).find(([, symbol]) => !instrumentBySymbol.has(symbol));
  if (wrong === undefined) return;
  throw new Error(`The alias ${wrong[0]} of ${name} names ${wrong[1]}, which is no symbol of the catalog.`);
}

/** The instruments that the spellings of a source name. */
function listSubscribed({ aliases }: FeedSetting, spellings: readonly string[]): Instrument[] {
  return spellings.flatMap((spelling) => {
    const known = Object.hasOwn(aliases, spelling) ? (aliases[spelling] ?? spelling) : spelling;
    const { symbol } = catalogResolver.find(known) ?? {};
    return symbol === undefined ? [] : (instrumentBySymbol.get(symbol) ?? []);
  });
}
