import * as z from "zod";
import { defineFeedKind, type FeedKind, type FeedOptions } from "@/lib/feeds/feed-kind";
import { createWebSocketFeed, type WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { mt5Kind } from "@/lib/feeds/mt5/mt5-kind";
import { replayKind } from "@/lib/feeds/replay/replay-feed";
import { simulatedKind } from "@/lib/feeds/simulated/simulated-feed";
import { binance } from "@/lib/feeds/venues/binance";
import { coinbase } from "@/lib/feeds/venues/coinbase";
import { ctraderKind } from "@/lib/feeds/venues/ctrader";
import { deriv } from "@/lib/feeds/venues/deriv";
import { fixKind } from "@/lib/feeds/venues/fix/fix-feed";
import { kraken } from "@/lib/feeds/venues/kraken";
import { massive } from "@/lib/feeds/venues/massive";
import { oandaKind } from "@/lib/feeds/venues/oanda";
import { tiingo } from "@/lib/feeds/venues/tiingo";
import { traderMade } from "@/lib/feeds/venues/tradermade";
import { twelveData } from "@/lib/feeds/venues/twelve-data";

const settings = {
  /** Another address than the venue's own, such as a proxy's. The venue's query is added to it. */
  url: z.url({ protocol: /^wss?$/, error: "must be like wss://prices.example.com" }).optional(),
};

/** A venue whose prices need no account. */
function definePublicVenue<const Name extends string>(kind: Name, venue: WebSocketVenue) {
  return defineFeedKind({
    ...{ kind, settings, secrets: {}, symbols: venue.symbols, sources: "one", isFallback: false },
    listsSymbols: venue.listsSymbols ?? false,
    create: (options) => createWebSocketFeed(venue, toVenueOptions(options)),
  });
}

/**
 * A venue that needs a token.
 *
 * @param help what the token is: "an API key of …"
 */
function defineTokenVenue<const Name extends string>(kind: Name, venue: WebSocketVenue, help: string) {
  return defineFeedKind({
    ...{ kind, settings, secrets: { token: help }, symbols: venue.symbols, sources: "one", isFallback: false },
    create: (options) => createWebSocketFeed(venue, { ...toVenueOptions(options), token: options.secrets.token }),
  });
}

type Options = FeedOptions<z.output<z.ZodObject<typeof settings>>>;

function toVenueOptions({ symbols, settings: { url }, ...options }: Options) {
  const { name, now, monotonic, log, recorder, prices } = options;
  const wanted = symbols === null ? {} : symbols === "all" ? { all: true } : { symbols };
  const own = { ...wanted, ...(url === undefined ? {} : { url }) };
  return { ...own, name, now, monotonic, log, recorder, prices, random: Math.random };
}

/** Every kind of feed. A new connector is one entry here. */
export const KINDS = [
  simulatedKind,
  replayKind,
  mt5Kind,
  definePublicVenue("binance", binance),
  definePublicVenue("coinbase", coinbase),
  ctraderKind,
  definePublicVenue("deriv", deriv),
  fixKind,
  definePublicVenue("kraken", kraken),
  defineTokenVenue("massive", massive, "an API key with access to the currencies' WebSocket"),
  oandaKind,
  defineTokenVenue("tiingo", tiingo, "an API token with access to forex data"),
  defineTokenVenue("tradermade", traderMade, "an API key for streaming data"),
  defineTokenVenue("twelve-data", twelveData, "an API key with access to the WebSocket"),
] as const;

const kindByName: ReadonlyMap<string, FeedKind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

export const KIND_NAMES: readonly string[] = [...kindByName.keys()];

export function findKind(name: string): FeedKind | undefined {
  return kindByName.get(name);
}
