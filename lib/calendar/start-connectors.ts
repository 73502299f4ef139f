import { join } from "node:path";
import type { Calendar } from "@/lib/calendar/calendar";
import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import { STREAMS } from "@/lib/calendar/event";
import { createEventStore, type ReportOutcome } from "@/lib/calendar/event-store";
import { createForexFactoryConnector, FOREX_FACTORY } from "@/lib/calendar/forexfactory";
import { createSimulatedConnector, SIMULATED } from "@/lib/calendar/simulated/simulated-connector";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import type { Config } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly calendar: Calendar;
  readonly now: Clock;
  readonly log: Logger;
}

/**
 * Starts the configured sources of events. Hides simulated events of an earlier start if the simulation is now off.
 *
 * @param fence the number of the server that records; the reports of another one are not applied
 */
export async function startConnectors(
  { config, database, calendar, now, log }: Parts,
  fence: number,
): Promise<{ stop(): void }> {
  const store = createEventStore(database, fence);
  const parts: ConnectorParts = {
    now,
    log,
    async report(report) {
      const outcome = await store.report(report).catch(ignoreLostLease);
      await calendar.refresh();
      return outcome;
    },
  };
  const hasBefore = (timeMs: number) =>
    calendar.events.some(({ event }) => event.timeMs < timeMs && event.provider === SIMULATED);
  const factories: Readonly<Record<Config["calendar"]["connectors"][number], () => Connector>> = {
    [SIMULATED]: () => createSimulatedConnector(config.simulated.seed, { ...parts, hasBefore }),
    [FOREX_FACTORY]: () => {
      const cachePath = join(config.dataDir, "calendar", "forexfactory.json");
      return createForexFactoryConnector({ url: config.calendar.forexFactoryUrl, cachePath }, parts);
    },
  };
  const { connectors } = config.calendar;
  if (!connectors.includes(SIMULATED) && calendar.events.some(({ event }) => event.provider === SIMULATED)) {
    for (const stream of STREAMS) await store.withdraw(stream, SIMULATED, now(), "settings");
    await calendar.refresh();
  }
  const running = connectors.map((name) => factories[name]());
  for (const connector of running) await connector.start();
  return { stop: () => running.forEach((connector) => connector.stop()) };
}

/** Another server has taken over, and reports itself: the connectors of this one are about to be stopped. */
function ignoreLostLease(error: unknown): ReportOutcome {
  if (!(error instanceof LeaseLost)) throw error;
  return { created: 0, changed: 0, withdrawn: 0 };
}
