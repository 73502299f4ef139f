import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import { STREAMS } from "@/lib/calendar/event";
import { listSimulatedEvents } from "@/lib/calendar/simulated/simulated-events";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

export const SIMULATED = "simulated";

const BACK_MS = 30 * DAY_MS;
const AHEAD_MS = 60 * DAY_MS;
/** How often the whole span is reported again, because its ends advance. */
const RENEW_MS = HOUR_MS;

/** Reports thirty days back and sixty ahead, and each figure at the minute of its release. */
export function createSimulatedConnector(seed: string, { report, now, log }: ConnectorParts): Connector {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function reportSpan(fromMs: number, toMs: number, nowMs: number): Promise<void> {
    for (const stream of STREAMS) {
      const events = listSimulatedEvents(stream, { seed, fromMs, toMs, nowMs });
      if (events.length > 0) await report({ stream, provider: SIMULATED, origin: SIMULATED, atMs: nowMs, events });
    }
  }

  async function run(lastMs: number): Promise<void> {
    const nowMs = now();
    const isStale = Math.floor(nowMs / RENEW_MS) !== Math.floor(lastMs / RENEW_MS);
    try {
      if (isStale) await reportSpan(nowMs - BACK_MS, nowMs + AHEAD_MS, nowMs);
      else await reportSpan(lastMs, nowMs, nowMs);
      schedule(nowMs);
    } catch (error) {
      log.error({ err: error }, "simulated calendar failed");
      schedule(lastMs);
    }
  }

  function schedule(lastMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => void run(lastMs), getDelayMs(seed, now)).unref();
  }

  return {
    async start() {
      const nowMs = now();
      await reportSpan(nowMs - BACK_MS, nowMs + AHEAD_MS, nowMs);
      schedule(nowMs);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds until the next release or the next whole report, but at least 50. */
function getDelayMs(seed: string, now: Clock): number {
  const nowMs = now();
  const renewMs = (Math.floor(nowMs / RENEW_MS) + 1) * RENEW_MS;
  const upcoming = listSimulatedEvents("primary", { seed, fromMs: nowMs + 1, toMs: renewMs, nowMs });
  const nextMs = Math.min(renewMs, ...upcoming.map(({ timeMs }) => timeMs));
  return Math.max(50, nextMs - nowMs);
}
