import type { Services } from "@/lib/api/engine/services";
import { createUpkeep, PriceStreams, type StreamSlots } from "@/lib/api/stream/price-streams";
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
  runtime.stopping.addEventListener("abort", () => streams.endAll());
  return services;
}
