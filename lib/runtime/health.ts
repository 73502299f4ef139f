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
import { type Check, type ComponentHealth, HealthCheck, HEALTHY } from "@/lib/api/service/health-check";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import { monotonicClock } from "@/lib/platform/timing/clock";
import type { ChangeFollower } from "@/lib/readers/change-follower";
import type { Prices } from "@/lib/runtime/prices";
import type { startServices } from "@/lib/runtime/services";
import { SECOND_MS } from "@/lib/time/units";

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

/** How long a writer may send nothing before its health is not known. */
const WRITER_SILENT_MS = 2 * SECOND_MS;

/** Degraded when the health of the writer is older than it may be. Prices that are too old are the reader's matter. */
export function checkWriter(ageMs: number): ComponentHealth {
  if (ageMs < WRITER_SILENT_MS) return HEALTHY;
  return degraded(`it has not reported its health for ${Math.floor(ageMs / SECOND_MS)} s`);
}

/** How far this process is behind the writer that it follows. */
export function checkLag(follower: ChangeFollower): ComponentHealth {
  const lag = follower.lag();
  return follower.isStale
    ? { status: "down", detail: "changes of the writer are missing", lag }
    : { status: "ok", detail: "", lag };
}

/** The parts of a server on which `/health` reports, where another machine receives the prices. */
export function openFollowerHealthCheck(services: FollowerServices, follower: ChangeFollower): HealthCheck {
  const checks = {
    reader: () => checkLag(follower),
    keys: checkRepeated(services.directory, "accounts and keys were not read"),
    usage: checkRepeated(services.usage, "the counts of calls were not written"),
    ...listWindowChecks(services.windows),
  };
  return new HealthCheck(checks, monotonicClock);
}

type FollowerServices = Pick<Services, "directory" | "usage" | "windows">;

/** Redis, where servers share their limits by it. */
function listWindowChecks(windows: Windows): Record<string, Check> {
  const names = Object.keys(windows.status());
  const check = (name: string) => () =>
    windows.status()[name] === "ok" ? HEALTHY : degraded("each server counts the calls alone");
  return Object.fromEntries(names.map((name) => [name, check(name)]));
}
