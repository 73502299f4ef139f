import type { Feed } from "@/lib/feeds/feed";
import { defineFeedKind } from "@/lib/feeds/feed-kind";
import type { Tick } from "@/lib/market/bar";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** The end of an inlet at a running feed. */
interface Outlet {
  ticks(ticks: readonly Tick[]): void;
  /** The terminal has sent a batch, perhaps without ticks. */
  received(): void;
}

/** How long ticks wait for a feed that is being started. */
const WAIT_MS = 10_000;
const MAX_WAITING = 20_000;

/** Passes pushed ticks to the running feed of their source. */
export class Inlets {
  readonly #outlets = new Map<string, Outlet>();
  readonly #waiting = new Map<string, Tick[]>();

  /** Connects the feed of a source. The returned function disconnects it. */
  open(source: string, outlet: Outlet): () => void {
    this.#outlets.set(source, outlet);
    const waiting = this.#waiting.get(source) ?? [];
    this.#waiting.delete(source);
    if (waiting.length > 0) outlet.ticks(waiting);
    return () => {
      if (this.#outlets.get(source) === outlet) this.#outlets.delete(source);
    };
  }

  /** Passes ticks on. Without a feed they wait for a few seconds; those of a paused source are lost. */
  deliver(source: string, ticks: readonly Tick[], nowMs: number): void {
    const outlet = this.#outlets.get(source);
    if (outlet !== undefined) {
      outlet.received();
      outlet.ticks(ticks);
      return;
    }
    const recent = (this.#waiting.get(source) ?? []).filter(({ receivedAtMs }) => nowMs - receivedAtMs < WAIT_MS);
    this.#waiting.set(source, [...recent, ...ticks].slice(-MAX_WAITING));
  }
}

/** A terminal sends at least an empty batch every five seconds. */
const SILENCE_MS = 20 * SECOND_MS;

interface Options {
  readonly name: string;
  readonly inlets: Inlets;
  readonly monotonic: Clock;
}

/** The prices that a MetaTrader 5 terminal pushes. It exists for every token of a terminal. */
export const mt5Kind = defineFeedKind({
  kind: "mt5",
  sources: "one",
  isFallback: false,
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
