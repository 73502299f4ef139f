import { describeFault } from "@/lib/platform/database/database-errors";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

export type HealthStatus = "ok" | "degraded" | "down";

export interface ComponentHealth {
  readonly status: HealthStatus;
  /** What is wrong, for the operator; empty if nothing is. `/health` does not show it. */
  readonly detail: string;
  /** How far a process that reads from another one is behind: milliseconds, and changes that it lacks. */
  readonly lag?: { readonly ms: number; readonly changes: number };
}

/** The health of the server: as bad as its worst component. */
export interface Health {
  readonly status: HealthStatus;
  readonly components: Readonly<Record<string, ComponentHealth>>;
}

export type Check = () => ComponentHealth | Promise<ComponentHealth>;

export const HEALTHY: ComponentHealth = { status: "ok", detail: "" };

/**
 * How long a result is answered to all callers, and how often the writer sends it to the other processes: both together
 * are a second.
 */
export const HEALTH_MS = SECOND_MS / 2;

/** How long a component has to answer before it is down: less than usual probes wait, more than a busy moment takes. */
export const DEADLINE_MS = 2 * SECOND_MS;

const UNANSWERED: ComponentHealth = { status: "down", detail: "it does not answer" };

/**
 * Checks the components at most twice a second, however many callers there are. None waits longer than the deadline, and
 * none at all for a component that has missed it: this is down, and is not checked again, until it answers.
 */
export class HealthCheck {
  readonly #checks: Map<string, Check>;
  readonly #monotonic: Clock;
  #latest: Health | null = null;
  #checkedAtMs = 0;
  #running: Promise<Health> | null = null;
  /** The components that have missed the deadline. */
  readonly #unanswered = new Set<string>();

  constructor(checks: Readonly<Record<string, Check>>, monotonic: Clock) {
    this.#checks = new Map(Object.entries(checks));
    this.#monotonic = monotonic;
  }

  /** Adds a component that starts later than the others. */
  add(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  /** The same object until the next check. Synchronous while the latest result is fresh. */
  readonly read = (): Health | Promise<Health> => {
    const isFresh = this.#latest !== null && this.#monotonic() - this.#checkedAtMs < HEALTH_MS;
    if (isFresh && this.#latest !== null) return this.#latest;
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  };

  async #run(): Promise<Health> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<null>((resolve) => {
      // After a pause of this process, answers that have arrived meanwhile are read first.
      timer = setTimeout(() => setImmediate(resolve, null), DEADLINE_MS);
    });
    const checked = await Promise.all(
      Array.from(this.#checks, async ([name, check]) => [name, await this.#check(name, check, deadline)] as const),
    );
    clearTimeout(timer);
    this.#checkedAtMs = this.#monotonic();
    return (this.#latest = joinComponents(Object.fromEntries(checked)));
  }

  async #check(name: string, check: Check, deadline: Promise<null>): Promise<ComponentHealth> {
    if (this.#unanswered.has(name)) return UNANSWERED;
    const answer = runCheck(check);
    const inTime = await Promise.race([answer, deadline]);
    if (inTime !== null) return inTime;
    this.#unanswered.add(name);
    const forget = () => this.#unanswered.delete(name);
    answer.then(forget, forget);
    return UNANSWERED;
  }
}

async function runCheck(check: Check): Promise<ComponentHealth> {
  try {
    return await check();
  } catch (error) {
    return { status: "down", detail: describeFault(error) };
  }
}

export function joinComponents(components: Health["components"]): Health {
  const statuses = Object.values(components).map(({ status }) => status);
  const status = statuses.includes("down") ? "down" : statuses.includes("degraded") ? "degraded" : "ok";
  return { status, components };
}

/** One text for each component that is not ok: "recording down: nothing was written for 20 s". */
export function listProblems(
  components: Readonly<Record<string, { status: HealthStatus; detail?: string }>>,
): string[] {
  return Object.entries(components).flatMap(([name, { status, detail = "" }]) =>
    status === "ok" ? [] : `${name} ${status}${detail === "" ? "" : `: ${detail}`}`,
  );
}
