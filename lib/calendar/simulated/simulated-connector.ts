import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import { type Report, STREAMS } from "@/lib/calendar/event";
import { listSimulatedEvents } from "@/lib/calendar/simulated/simulated-events";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

export const SIMULATED = "simulated";

const BACK_MS = 30 * DAY_MS;
/** How far back the primary stream goes, so that a monthly series has a year of figures. It is reported once. */
const PAST_MS = 400 * DAY_MS;
/** The part of the past in one report, and the pause after it: the embedded database answers nothing else meanwhile. */
const PAST_PART_MS = 10 * DAY_MS;
const PAST_PAUSE_MS = SECOND_MS;
const AHEAD_MS = 60 * DAY_MS;
/** How often the whole span is reported again, because its ends advance. */
const RENEW_MS = HOUR_MS;

interface SimulatedParts extends ConnectorParts {
  /** Whether the calendar has a simulated event before a moment, UTC milliseconds. */
  hasBefore(timeMs: number): boolean;
}

/** Reports thirty days back and sixty ahead, each figure at the minute of its release, and the 400 days before only once. */
export function createSimulatedConnector(seed: string, { report, hasBefore, now, log }: SimulatedParts): Connector {
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

  /** A past that was interrupted is reported again by the next start. */
  async function reportPast(nowMs: number): Promise<void> {
    if (hasBefore(nowMs - PAST_MS + PAST_PART_MS)) return;
    for (const past of listSimulatedPast(seed, nowMs)) {
      if (stopped) return;
      await report(past);
      await new Promise((resolve) => setTimeout(resolve, PAST_PAUSE_MS).unref());
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
      reportPast(nowMs).catch((error: unknown) => {
        if (!stopped) log.error({ err: error }, "simulated past failed");
      });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The simulated past before the span that every start reports, newest first. */
export function* listSimulatedPast(seed: string, nowMs: number): Generator<Report> {
  for (let toMs = nowMs - BACK_MS; toMs > nowMs - PAST_MS; toMs -= PAST_PART_MS) {
    const events = listSimulatedEvents("primary", { seed, fromMs: toMs - PAST_PART_MS, toMs: toMs - 1, nowMs });
    yield { stream: "primary", provider: SIMULATED, origin: SIMULATED, atMs: nowMs, events };
  }
}

/** Milliseconds until the next release or the next whole report, but at least 50. */
function getDelayMs(seed: string, now: Clock): number {
  const nowMs = now();
  const renewMs = (Math.floor(nowMs / RENEW_MS) + 1) * RENEW_MS;
  const upcoming = listSimulatedEvents("primary", { seed, fromMs: nowMs + 1, toMs: renewMs, nowMs });
  const nextMs = Math.min(renewMs, ...upcoming.map(({ timeMs }) => timeMs));
  return Math.max(50, nextMs - nowMs);
}
