import * as z from "zod";
import { defineFeedKind } from "@/lib/feeds/kinds/feed-kind";
import { createCtraderFeed } from "@/lib/feeds/venues/ctrader/ctrader";

export const ctraderKind = defineFeedKind({
  kind: "ctrader",
  sources: "one",
  isFallback: false,
  settings: {
    /** Where the account is. */
    server: z.enum(["demo", "live"], "must be demo or live").default("demo"),
    /** Another address than cTrader's own, such as a proxy's. */
    url: z.url({ protocol: /^wss?$/, error: "must be like wss://prices.example.com" }).optional(),
  },
  secrets: {
    clientId: "the client id of your Open API application",
    clientSecret: "the client secret of your Open API application",
    accessToken: "the access token of the account, with the scope accounts or trading",
    refreshToken: "the refresh token that came with the access token",
    account: "the Open API's number of the trading account (ctidTraderAccountId)",
  },
  create({ name, symbols, settings, secrets, now, monotonic, log, recorder, prices, dataDir }) {
    const context = { now, monotonic, log, random: Math.random, recorder, prices };
    return createCtraderFeed({ ...context, ...settings, ...secrets, name, symbols, dataDir });
  },
});
