import { brokers, isDown } from "@/lib/feeds/simulated/brokers";
import { loadConfig } from "@/lib/platform/config";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** Shorter than every outage. */
const STEP_MS = 10 * SECOND_MS;

/**
 * Settings of a server whose prices must stay live for some minutes: a price is delayed while its source is down, until
 * the next one is served. This serves the steadiest first.
 */
export function preferSteadySource(): Readonly<Record<"SPOTLINE_SOURCE_PRIORITY", string>> {
  return { SPOTLINE_SOURCE_PRIORITY: findSteadySource() };
}

/** The simulated broker whose connection holds longest from now on. All of them fail now and then. */
export function findSteadySource(): string {
  const { seed } = loadConfig({}).simulated;
  const nowMs = Date.now();
  const findOutage = (broker: string) => {
    let atMs = nowMs;
    while (atMs < nowMs + HOUR_MS && !isDown(seed, broker, atMs)) atMs += STEP_MS;
    return atMs;
  };
  const [steadiest] = brokers.map(({ name }) => name).sort((a, b) => findOutage(b) - findOutage(a));
  if (steadiest === undefined) throw new Error("No broker is simulated");
  return steadiest;
}
