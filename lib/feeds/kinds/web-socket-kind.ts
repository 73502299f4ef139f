import * as z from "zod";
import { defineFeedKind, type FeedOptions } from "@/lib/feeds/kinds/feed-kind";
import { createWebSocketFeed, type WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";

const settings = {
  /** Another address than the venue's own, such as a proxy's. The venue's query is added to it. */
  url: z.url({ protocol: /^wss?$/, error: "must be like wss://prices.example.com" }).optional(),
};

/** A venue whose prices need no account. */
export function definePublicVenue<const Name extends string>(kind: Name, venue: WebSocketVenue) {
  return defineFeedKind({
    ...{ kind, settings, secrets: {}, symbols: venue.symbols, sources: "one", isFallback: false },
    create: (options) => createWebSocketFeed(venue, toVenueOptions(options)),
  });
}

/**
 * A venue that needs a token.
 *
 * @param help what the token is: "an API key of …"
 */
export function defineTokenVenue<const Name extends string>(kind: Name, venue: WebSocketVenue, help: string) {
  return defineFeedKind({
    ...{ kind, settings, secrets: { token: help }, symbols: venue.symbols, sources: "one", isFallback: false },
    create: (options) => createWebSocketFeed(venue, { ...toVenueOptions(options), token: options.secrets.token }),
  });
}

type Options = FeedOptions<z.output<z.ZodObject<typeof settings>>>;

function toVenueOptions({ symbols, settings: { url }, ...options }: Options) {
  const { name, now, monotonic, log, recorder, prices } = options;
  const own = { ...(symbols === null ? {} : { symbols }), ...(url === undefined ? {} : { url }) };
  return { ...own, name, now, monotonic, log, recorder, prices, random: Math.random };
}
