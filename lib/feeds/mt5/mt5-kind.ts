import type { Feed } from "@/lib/feeds/feed";
import { defineFeedKind } from "@/lib/feeds/feed-kind";
import type { Inlets } from "@/lib/feeds/mt5/inlets";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** A terminal sends at least an empty batch every five seconds. */
const SILENCE_MS = 20 * SECOND_MS;

export interface Options {
  readonly name: string;
  readonly inlets: Inlets;
  readonly monotonic: Clock;
}

/** The prices that a MetaTrader 5 terminal pushes. It exists for every token of a terminal. */
export const mt5Kind = defineFeedKind({
  kind: "mt5",
  sources: "one",
  isFallback: false,
  isPushed: true,
  settings: {},
  secrets: {},
  create({ name, inlets, monotonic }) {
    if (inlets === undefined) throw new Error("Only a running server can receive the prices of a terminal.");
    return createMt5Feed({ name, inlets, monotonic });
  },
});

/** Creates the feed of one terminal. It is connected while batches come. */
export function createMt5Feed({ name, inlets, monotonic }: Options): Feed {
  let close: () => void = () => {};
  let watch: NodeJS.Timeout | undefined;
  const stop = async () => {
    close();
    clearInterval(watch);
  };
  return {
    name,
    sources: [{ name, mode: "live" }],
    async start(sink) {
      await stop();
      let isConnected = false;
      let receivedAtMs = 0;
      const received = () => {
        receivedAtMs = monotonic();
        if (!isConnected) sink.status(name, "connected", "the terminal sends");
        isConnected = true;
      };
      const ticks: Parameters<Inlets["open"]>[1]["ticks"] = (batch) => batch.forEach((tick) => sink.tick(tick));
      close = inlets.open(name, { received, ticks });
      watch = setInterval(() => {
        if (!isConnected || monotonic() - receivedAtMs < SILENCE_MS) return;
        isConnected = false;
        sink.status(name, "disconnected", "the terminal sends nothing");
      }, SECOND_MS).unref();
    },
    stop,
  };
}
