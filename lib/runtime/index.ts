import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Counters } from "@/lib/access/admission/windows";
import type { Health } from "@/lib/api/service/health-check";
import type { NotRecorded } from "@/lib/history/as-of/past-changes";
import type { ServerStatus } from "@/lib/readers/messages";
import type { startServices } from "@/lib/runtime/services";

/** The services that each way to start gives its pages and route handlers. */
export interface StartedRuntime extends Awaited<ReturnType<typeof startServices>> {
  /** Whether our own server forwards the requests, so that its headers can be trusted. */
  readonly behindOwnServer: boolean;
  /** Whether this process counts the calls of /v1, and so may answer them. */
  readonly answersCalls: boolean;
  /** Whether the prices of this process are too old to be shown, because it lacks changes of the writer. */
  readonly isStale: () => boolean;
  /** Reads the counters that limit the calls of an account. */
  counters(accountId: string): Promise<Counters>;
  /** The health of the server, at most a few seconds old. */
  readHealth(): Health | Promise<Health>;
  /** The state of the server; null until its first message. */
  serverStatus(): Promise<ServerStatus | null>;
}

/**
 * The services that pages and route handlers use. Next bundles what they import, several times for pages and for routes,
 * so they call the large parts of lib/ here.
 */
export interface Runtime extends StartedRuntime {
  /** Reads what pages show at a second that has passed: UTC milliseconds. */
  openPast(atMs: number): Promise<Past>;
  /** Answers a request to a route of the API. */
  answerRequest(request: Request): Promise<Response>;
}

/**
 * What the pages of the market read at a second of the past: the services of /v1 with `at`, and the account's own ones of
 * the present. It has no other service, so that no page can show a price of the present in its place.
 */
export interface Past {
  readonly runtime: Runtime;
  /** Why there are no prices, or no events, of that second; null where there are. */
  readonly missing: { readonly prices: NotRecorded | null; readonly events: NotRecorded | null };
}

const KEY = Symbol.for("spotline.runtime");
const holder = globalThis as typeof globalThis & { [KEY]?: Promise<Runtime> };

/** Sets the runtime of this process. Next bundles its own copy of lib/, so both copies find it in globalThis. */
export function setRuntime(runtime: Promise<Runtime>): void {
  holder[KEY] = runtime;
}

/** Starts everything in one process, for a plain `next start`: no server of ours stands before Next. */
async function startStandalone(): Promise<Runtime> {
  // Next's build, during which the file is written, would look for it.
  const path = join(/* turbopackIgnore: true */ process.cwd(), "dist", "standalone.mjs");
  const built = (await import(/* turbopackIgnore: true */ pathToFileURL(path).href)) as { runtime: Promise<Runtime> };
  return built.runtime;
}

/** The runtime of this process. Under a plain `next start` the first call starts it. */
export function getRuntime(): Promise<Runtime> {
  // A page rendered by the build would open the operator's database, and its content would never change.
  if (process.env.NEXT_PHASE === "phase-production-build") throw new Error("There is no runtime while building.");
  return (holder[KEY] ??= startStandalone());
}
