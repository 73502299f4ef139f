import type { Counters } from "@/lib/access/admission/windows";
import type { Health } from "@/lib/api/service/health-check";
import type { ServerStatus } from "@/lib/readers/messages";
import type { startServices } from "@/lib/runtime/services";

/** The services that pages and route handlers use. */
export interface Runtime extends Awaited<ReturnType<typeof startServices>> {
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

const KEY = Symbol.for("spotline.runtime");
const holder = globalThis as typeof globalThis & { [KEY]?: Promise<Runtime> };

/** Sets the runtime of this process. Next bundles its own copy of lib/, so both copies find it in globalThis. */
export function shareRuntime(runtime: Promise<Runtime>): void {
  holder[KEY] = runtime;
}

/** Starts everything in one process, for a plain `next start`: no server of ours stands before Next. */
async function startStandalone(): Promise<Runtime> {
  // Each page would carry the code of the server otherwise.
  const { startServer } = await import("@/lib/runtime/server");
  return { ...(await startServer()), behindOwnServer: false, answersCalls: true };
}

/** The runtime of this process. Under a plain `next start` the first call starts it. */
export function getRuntime(): Promise<Runtime> {
  // A page rendered by the build would open the operator's database, and its content would never change.
  if (process.env.NEXT_PHASE === "phase-production-build") throw new Error("There is no runtime while building.");
  return (holder[KEY] ??= startStandalone());
}
