import type { Services } from "@/lib/api/engine/services";
import { createUpkeep, PriceStreams, type StreamSlots } from "@/lib/api/stream/price-streams";
import { onInstruments } from "@/lib/market/catalog";
import { monotonicClock } from "@/lib/platform/timing/clock";

interface Parts extends Omit<Services, "streams"> {
  /** Aborted when the process is about to end. */
  readonly stopping: AbortSignal;
  readonly slots?: StreamSlots;
  /** Whether the prices of this process are too old to be served. */
  readonly isStale: () => boolean;
  onQuote(listener: PriceStreams["onQuote"]): void;
}

/** Adds the streams of prices to a process that answers calls. They end when it is about to stop, or has no new prices. */
export function addStreams<Runtime extends Parts>(
  runtime: Runtime,
): Omit<Runtime, "streams"> & { readonly streams: PriceStreams } {
  const streams = new PriceStreams({ ...runtime, monotonic: monotonicClock });
  const services = { ...runtime, streams };
  streams.maintain(createUpkeep(services, monotonicClock));
  runtime.onQuote(streams.onQuote);
  const unfollow = onInstruments(streams.onInstruments);
  runtime.stopping.addEventListener("abort", () => {
    unfollow();
    streams.endAll();
  });
  return services;
}

/** The open streams of each key in all readers. */
export class StreamCounts {
  readonly #byReader = new Map<object, Map<string, number>>();

  /** Counts one more stream of a key; false, counting nothing, if there are `limit`. */
  open(reader: object, keyId: string, limit: number): boolean {
    let total = 0;
    for (const counts of this.#byReader.values()) total += counts.get(keyId) ?? 0;
    if (total >= limit) return false;
    const own = this.#byReader.get(reader) ?? new Map<string, number>();
    this.#byReader.set(reader, own);
    own.set(keyId, (own.get(keyId) ?? 0) + 1);
    return true;
  }

  close(reader: object, keyId: string): void {
    const own = this.#byReader.get(reader);
    const count = (own?.get(keyId) ?? 0) - 1;
    if (count > 0) own?.set(keyId, count);
    else own?.delete(keyId);
  }

  /** Forgets the streams of a reader that has ended. */
  forget(reader: object): void {
    this.#byReader.delete(reader);
  }
}
