import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import { STREAMS } from "@/lib/calendar/event";
import { listSimulatedEvents } from "@/lib/calendar/simulated/simulated-events";
import type { Clock } from "@/lib/platform/clock";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

export const SIMULATED = "simulated";

const BACK_MS = 30 * DAY_MS;
const AHEAD_MS = 60 * DAY_MS;
/** How long a plan is good for: then the far end moves on. */
const RENEW_MS = HOUR_MS;

/** Keeps thirty simulated days back and sixty ahead, and brings each figure at the minute of its release. */
export function createSimulatedConnector(seed: string, { report, now, log }: ConnectorParts): Connector {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function tell(fromMs: number, toMs: number, nowMs: number): Promise<void> {
    for (const stream of STREAMS) {
      const events = listSimulatedEvents(stream, { seed, fromMs, toMs, nowMs });
      if (events.length > 0) await report({ stream, provider: SIMULATED, origin: SIMULATED, atMs: nowMs, events });
    }
  }

  async function run(lastMs: number): Promise<void> {
    const nowMs = now();
    const isStale = Math.floor(nowMs / RENEW_MS) !== Math.floor(lastMs / RENEW_MS);
    try {
      if (isStale) await tell(nowMs - BACK_MS, nowMs + AHEAD_MS, nowMs);
      else await tell(lastMs, nowMs, nowMs);
      schedule(nowMs);
    } catch (error) {
      log.error({ err: error }, "the simulated calendar could not be written");
      schedule(lastMs);
    }
  }

  function schedule(lastMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => void run(lastMs), untilNext(seed, now)).unref();
  }

  return {
    async start() {
      const nowMs = now();
      await tell(nowMs - BACK_MS, nowMs + AHEAD_MS, nowMs);
      schedule(nowMs);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds until the next release, at least a moment and at most until the plan is renewed. */
function untilNext(seed: string, now: Clock): number {
  const nowMs = now();
  const renewMs = (Math.floor(nowMs / RENEW_MS) + 1) * RENEW_MS;
  const upcoming = listSimulatedEvents("primary", { seed, fromMs: nowMs + 1, toMs: renewMs, nowMs });
  const nextMs = Math.min(renewMs, ...upcoming.map(({ timeMs }) => timeMs));
  return Math.max(50, nextMs - nowMs);
}
