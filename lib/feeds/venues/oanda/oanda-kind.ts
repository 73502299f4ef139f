import * as z from "zod";
import { defineFeedKind } from "@/lib/feeds/kinds/feed-kind";
import { createOandaFeed } from "@/lib/feeds/venues/oanda/oanda";

export const oandaKind = defineFeedKind({
  kind: "oanda",
  sources: "one",
  isFallback: false,
  settings: {
    /** Where the account is. */
    server: z.enum(["practice", "live"], "must be practice or live").default("practice"),
    /** Another address than OANDA's own, such as a proxy's. */
    url: z.url({ protocol: /^https?$/, error: "must be like https://prices.example.com" }).optional(),
  },
  secrets: {
    token: "a personal access token of OANDA",
    account: "the account of OANDA's v20 API, like 101-004-1234567-001",
  },
  create({ name, symbols, settings, secrets, now, monotonic, log, recorder, prices }) {
    const context = { now, monotonic, log, random: Math.random, recorder, prices };
    return createOandaFeed({ ...context, ...settings, ...secrets, name, symbols });
  },
});
