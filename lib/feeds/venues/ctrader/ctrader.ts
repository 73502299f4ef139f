import { join } from "node:path";
import type { Feed } from "@/lib/feeds/feed";
import type { TlsTrust, VenueTimes } from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { openWebSocketWire } from "@/lib/feeds/live/web-socket-wire";
import { CtraderProtocol } from "@/lib/feeds/venues/ctrader/ctrader-protocol";
import { type TokenPair, TokenStore } from "@/lib/feeds/venues/ctrader/token-store";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The venue's heartbeats may be 30 seconds apart. */
const TIMES: VenueTimes = { silenceMs: 65 * SECOND_MS, retryMs: 2 * SECOND_MS, maxRetryMs: 5 * MINUTE_MS };
const PING_MS = 20 * SECOND_MS;

const ADDRESSES = { demo: "wss://demo.ctraderapi.com:5036", live: "wss://live.ctraderapi.com:5036" };

export interface CtraderOptions extends LiveContext, TlsTrust, TokenPair, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  /** In the broker's spelling; null for all of the account that the catalog has. */
  readonly symbols: readonly string[] | null;
  readonly server: keyof typeof ADDRESSES;
  /** Another address than cTrader's own, such as a proxy's. */
  readonly url?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The number that the Open API gives the trading account (ctidTraderAccountId). */
  readonly account: string;
  /** The folder in which renewed tokens are stored. */
  readonly dataDir: string;
  readonly times?: VenueTimes;
}

/** Creates the feed of a cTrader account (Open API). Throws an Error if the account is not a number. */
export function createCtraderFeed(options: CtraderOptions): Feed {
  const { name, symbols, server, url = ADDRESSES[server], clientId, clientSecret, account, dataDir, ca } = options;
  const { accessToken, refreshToken, times = TIMES } = options;
  if (!/^\d{1,15}$/.test(account))
    throw new Error("cTrader's account must be the Open API's number of it, like 712345.");
  const tokens = new TokenStore(join(dataDir, `ctrader-${name}-tokens.json`), { accessToken, refreshToken });
  const access = { clientId, clientSecret, account: Number(account), tokens, symbols };
  return createLiveFeed({
    ...options,
    times,
    secrets: () => [clientId, clientSecret, account, accessToken, refreshToken, ...Object.values(tokens.pair)],
    openWire: openWebSocketWire({ url, ca, pingMs: PING_MS }),
    createProtocol: (connection) => new CtraderProtocol(connection, access),
  });
}
