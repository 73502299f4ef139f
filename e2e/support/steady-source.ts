import { brokers, isDown } from "@/lib/feeds/simulated/brokers";
import { loadConfig } from "@/lib/platform/config";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** Shorter than every outage. */
const STEP_MS = 10 * SECOND_MS;

/**
 * Settings of a server whose prices must stay live for some minutes. The connections to the simulated brokers fail now
 * and then, and a price is delayed until the next source is served. This serves the broker first whose connection holds
 * longest from now on.
 */
export function preferSteadySource(): Readonly<Record<"SPOTLINE_SOURCE_PRIORITY", string>> {
  const { seed } = loadConfig({}).simulated;
  const nowMs = Date.now();
  const findOutage = (broker: string) => {
    let atMs = nowMs;
    while (atMs < nowMs + HOUR_MS && !isDown(seed, broker, atMs)) atMs += STEP_MS;
    return atMs;
  };
  const [steadiest] = brokers.map(({ name }) => name).sort((a, b) => findOutage(b) - findOutage(a));
  return { SPOTLINE_SOURCE_PRIORITY: steadiest ?? "" };
}
