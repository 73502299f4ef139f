import type { Feed } from "@/lib/feeds/feed";
import type { TlsTrust, VenueTimes } from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { OandaApi } from "@/lib/feeds/venues/oanda/oanda-api";
import { createOandaPast } from "@/lib/feeds/venues/oanda/oanda-past";
import { OandaProtocol } from "@/lib/feeds/venues/oanda/oanda-protocol";
import { openOandaWire } from "@/lib/feeds/venues/oanda/oanda-wire";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A heartbeat comes every five seconds. An attempt is two connections; two a second are allowed. */
const TIMES: VenueTimes = { silenceMs: 15 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 5 * MINUTE_MS };

const ADDRESSES = {
  practice: { apiUrl: "https://api-fxpractice.oanda.com", streamUrl: "https://stream-fxpractice.oanda.com" },
  live: { apiUrl: "https://api-fxtrade.oanda.com", streamUrl: "https://stream-fxtrade.oanda.com" },
};

export interface OandaOptions extends LiveContext, TlsTrust, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  /** In OANDA's spelling, such as EUR_USD; null for all of the account that the catalog has. */
  readonly symbols: readonly string[] | null;
  readonly server: keyof typeof ADDRESSES;
  /** One address for both the API and the stream, such as a proxy's. */
  readonly url?: string | undefined;
  readonly token: string;
  readonly account: string;
  readonly times?: VenueTimes;
}

/** Creates the feed of an OANDA account (REST API v20). Throws an Error if the token or the account cannot be one. */
export function createOandaFeed(options: OandaOptions): Feed {
  const { name, symbols, server, url, token, account, times = TIMES, now, monotonic, log, ca } = options;
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error("OANDA's token has characters that no token has.");
  if (!/^[\w-]+$/.test(account)) throw new Error("OANDA's account must be like 101-004-1234567-001.");
  const own = url?.replace(/\/+$/, "");
  const addresses = own === undefined ? ADDRESSES[server] : { apiUrl: own, streamUrl: own };
  const api = new OandaApi({ ...addresses, token, account }, monotonic);
  const warn = (problem: string) => log.warn({ source: name, problem }, "The venue reported a problem");
  return createLiveFeed({
    ...options,
    times,
    secrets: () => [token, account],
    fetchPast: createOandaPast(api, now),
    openWire: openOandaWire({ api, symbols, warn, ca }),
    createProtocol: (connection) => new OandaProtocol(connection),
  });
}
