import type { Server } from "node:http";
import type { PriceStreams } from "@/lib/api/stream/price-streams";
import type { CallCounts } from "@/lib/platform/metrics/call-counts";
import type { Vitals } from "@/lib/platform/vitals";
import type { WriterLink } from "@/lib/readers/writer-link";
import { countConnections } from "@/lib/runtime/metrics/state";
import { SECOND_MS } from "@/lib/time/units";

interface Options {
  /** Null where no metrics are served: then nothing is reported. */
  readonly calls: CallCounts | null;
  readonly server: Pick<Server, "getConnections">;
  readonly streams: Pick<PriceStreams, "size">;
  /** Read by nothing else, since each reading covers the time since the one before. */
  readonly vitals: () => Vitals;
  readonly lagMs: () => number;
}

/**
 * Reports every second what this process has counted to the writer, which answers scrapes for all processes. Returns a
 * function that sends the last report.
 */
export function reportProcess({ calls, server, streams, vitals, lagMs }: Options, link: Pick<WriterLink, "send">) {
  async function send(): Promise<void> {
    if (calls === null) return;
    const connections = await countConnections(server);
    const delayMs = vitals().delayMs.max;
    const counts = { calls: calls.toJSON(), connections, streams: streams.size };
    link.send({ type: "report", report: { ...counts, delayMs, lagMs: lagMs() } });
  }

  const timer = setInterval(() => void send(), SECOND_MS).unref();
  return async (): Promise<void> => {
    clearInterval(timer);
    await send();
  };
}
