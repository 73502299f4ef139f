import { PriceStreams } from "@/lib/api/stream/price-streams";
import { createUpkeep } from "@/lib/api/stream/stream-upkeep";
import { monotonicClock } from "@/lib/platform/timing/clock";
import type { ServerRuntime } from "@/lib/runtime/server";

/** Adds the streams of prices to a server. They end when it is about to stop. */
export function addStreams(
  runtime: ServerRuntime,
): Omit<ServerRuntime, "streams"> & { readonly streams: PriceStreams } {
  const streams = new PriceStreams({ ...runtime, monotonic: monotonicClock });
  const services = { ...runtime, streams };
  streams.maintain(createUpkeep(services, monotonicClock));
  runtime.onQuote(streams.onQuote);
  runtime.stopping.addEventListener("abort", () => streams.endAll());
  return services;
}
