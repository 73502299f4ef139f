import type { Tick } from "@/lib/market/bar";

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
