import * as z from "zod";
import { defineFeedKind } from "@/lib/feeds/kinds/feed-kind";
import { createFixFeed } from "@/lib/feeds/venues/fix/fix-feed";

const id = z
  .string()
  .max(64)
  .regex(/^[\x20-\x7e]+$/, "must be printable characters")
  .optional();

/** Any venue with FIX 4.4 market data: LMAX, brokers with cTrader, liquidity providers. */
export const fixKind = defineFeedKind({
  kind: "fix",
  sources: "one",
  isFallback: false,
  settings: {
    /** Gives the other settings their usual values at such a venue. */
    profile: z.enum(["lmax", "ctrader", "generic"], { error: "must be lmax, ctrader or generic" }),
    host: z.string().min(1).max(253).optional(),
    port: z.int().min(1).max(65_535).optional(),
    tls: z.boolean().optional(),
    /** Needed but at LMAX, where it is the user's name. */
    senderCompId: id,
    targetCompId: id,
    senderSubId: id,
    targetSubId: id,
    heartbeatSeconds: z.int().min(1).max(600).optional(),
    /** Whether each logon sets the numbers of messages back to 1. Without it, the venue has to do so by itself. */
    resetOnLogon: z.boolean().optional(),
    /** "name": EUR/USD in field 55; "number": the venue's number in 55; "security": its number in 48. */
    symbolForm: z.enum(["name", "number", "security"]).optional(),
    /** Field 264: 1 for the best price, 0 for the whole book. */
    marketDepth: z.union([z.literal(0), z.literal(1)], "must be 0 or 1").optional(),
    /** Field 265: 0 for snapshots, 1 for changes. */
    updateType: z.union([z.literal(0), z.literal(1)], "must be 0 or 1").optional(),
    symbolsPerRequest: z.int().min(1).max(500).optional(),
  },
  secrets: { user: "the user name of the FIX session", password: "the password of the FIX session" },
  create: ({ secrets, settings, symbols, name, now, monotonic, log, recorder, prices }) =>
    createFixFeed({
      ...{ name, now, monotonic, log, random: Math.random, recorder, prices },
      ...{ settings, symbols: symbols ?? [], user: secrets.user, password: secrets.password },
    }),
});
