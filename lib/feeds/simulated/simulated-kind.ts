import * as z from "zod";
import { defineFeedKind } from "@/lib/feeds/kinds/feed-kind";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";

export const simulatedKind = defineFeedKind({
  kind: "simulated",
  sources: "several",
  isFallback: true,
  settings: { seed: z.string().min(1), trading: z.enum(["always", "market"]) },
  secrets: {},
  create: ({ settings, now, instruments, log }) =>
    createSimulatedFeed({ seed: settings.seed, hours: settings.trading, now, instruments, log }),
});
