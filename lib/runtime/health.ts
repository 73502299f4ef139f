import type { Windows } from "@/lib/access/admission/windows";
import {
  checkClock,
  checkDatabase,
  checkFeeds,
  checkPaces,
  checkRecording,
  checkRepeated,
  degraded,
} from "@/lib/api/service/component-checks";
import { type Check, HealthCheck, HEALTHY } from "@/lib/api/service/health-check";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import { monotonicClock } from "@/lib/platform/timing/clock";
import type { Prices } from "@/lib/runtime/prices";
import type { startServices } from "@/lib/runtime/services";

type Services = Awaited<ReturnType<typeof startServices>>;

/** The parts of a server on which `/health` reports. */
export function openHealthCheck(services: Services, prices: Prices, recorder: () => RecordingStatus): HealthCheck {
  const checks = {
    database: checkDatabase(services.database.pool),
    feeds: checkFeeds({ ...services, getSilenceMs: prices.getSilenceMs }),
    sources: checkPaces(prices.feeds),
    recording: checkRecording(recorder, monotonicClock),
    keys: checkRepeated(services.directory, "accounts and keys were not read"),
    usage: checkRepeated(services.usage, "the counts of calls were not written"),
    clock: checkClock(prices.isClockOff),
    ...listWindowChecks(services.windows),
  };
  return new HealthCheck(checks, monotonicClock);
}

/** Redis, where servers share their limits by it. */
function listWindowChecks(windows: Windows): Record<string, Check> {
  const names = Object.keys(windows.status());
  const check = (name: string) => () =>
    windows.status()[name] === "ok" ? HEALTHY : degraded("each server counts the calls alone");
  return Object.fromEntries(names.map((name) => [name, check(name)]));
}
