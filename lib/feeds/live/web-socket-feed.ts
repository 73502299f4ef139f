import type { Feed } from "@/lib/feeds/feed";
import type { Connection, OpenWire, Protocol, TlsTrust, VenueTimes } from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { openWebSocketWire } from "@/lib/feeds/live/wires";

/** What a protocol needs to log in and subscribe. */
export interface VenueRequest {
  /** In the venue's spelling; empty if all are wanted. */
  readonly symbols: readonly string[];
  /** Whether everything that the venue lists is wanted; only where it lists its symbols. */
  readonly all?: boolean;
  /** The operator's key at the venue; empty for venues that need none. */
  readonly token: string;
}

/** How a venue's wire is opened. */
export interface VenueAccess extends TlsTrust {
  /** The address for a request: the venue's own, or the operator's. */
  getUrl(request: VenueRequest): string;
  /** A problem that the connection survives. Logged. */
  warn(problem: string): void;
}

/** A venue that sends prices over a WebSocket. */
export interface WebSocketVenue {
  readonly times: VenueTimes;
  /** How often a WebSocket ping is sent to venues that send no heartbeat of their own. */
  readonly pingMs?: number;
  /** The canonical symbol of each of the venue's spellings that is subscribed to unless the operator lists others. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Whether it lists its symbols, so that all of them can be requested. */
  readonly listsSymbols?: boolean;
  getUrl(request: VenueRequest): string;
  /** Opens its wire where that is more than one connection to one address. */
  openWire?(request: VenueRequest, access: VenueAccess): OpenWire;
  createProtocol(connection: Connection, request: VenueRequest): Protocol;
}

export interface WebSocketFeedOptions extends LiveContext, TlsTrust, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  readonly symbols?: readonly string[];
  readonly all?: boolean;
  readonly token?: string;
  /** Another address than the venue's own, such as a proxy's. The venue's query is added to it. */
  readonly url?: string;
  readonly times?: VenueTimes;
}

/** Creates the feed of a venue's prices. */
export function createWebSocketFeed(venue: WebSocketVenue, options: WebSocketFeedOptions): Feed {
  const { all = false, symbols = all ? [] : Object.keys(venue.symbols), token = "", times = venue.times, ca } = options;
  const request: VenueRequest = { symbols, all, token };
  const access: VenueAccess = {
    ca,
    getUrl: (part) => findAddress(venue.getUrl(part), options.url),
    warn: (problem) => options.log.warn({ source: options.name, problem }, "The venue reported a problem"),
  };
  return createLiveFeed({
    ...options,
    times,
    secrets: () => [token],
    openWire:
      venue.openWire?.(request, access) ?? openWebSocketWire({ url: access.getUrl(request), ca, pingMs: venue.pingMs }),
    createProtocol: (connection) => venue.createProtocol(connection, request),
  });
}

/** The query names the symbols or has the key, so another address needs it too. */
function findAddress(venueUrl: string, otherUrl: string | undefined): string {
  if (otherUrl === undefined) return venueUrl;
  const address = new URL(otherUrl);
  if (address.search === "") address.search = new URL(venueUrl).search;
  return address.href;
}
