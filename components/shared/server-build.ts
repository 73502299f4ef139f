import { useSyncExternalStore } from "react";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * How an open tab learns that the server now runs another build than the one that the tab has loaded: after an upgrade or
 * a downgrade, or behind a proxy with servers of both. The server names its build with every answer. The old scripts and
 * actions of the tab are then unknown to the server; its data routes stay the same, so prices go on.
 */

/** The header with the server's build. */
const BUILD_HEADER = "spotline-build";
/** Next's header of an answer to a form whose action the server does not know, and therefore has not carried out. */
const UNKNOWN_ACTION_HEADER = "x-nextjs-action-not-found";
/** Answers with little to everyone. */
const CHECK_PATH = "/sw.js";

export interface Upgrade {
  /** The build of the server; "" if it is unknown. */
  readonly build: string;
  /** Whether a form was sent to an action that the server does not know. */
  readonly isUnsent: boolean;
}

let own = "";
let upgrade: Upgrade | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns what the tab knows of another build of the server; null while both are the same. */
export function useUpgrade(): Upgrade | null {
  return useSyncExternalStore(
    subscribe,
    () => upgrade,
    () => null,
  );
}

/** Compares every answer to the tab, which has loaded the pages of `build`, from now on. */
export function followServerBuild(build: string): void {
  if (own !== "" || build === "") return;
  own = build;
  // Data, navigations, prefetches and actions are all fetched by this one function, also those of Next itself.
  const request = window.fetch;
  window.fetch = async (...parameters) => {
    const answer = await request(...parameters);
    noteAnswer(answer);
    return answer;
  };
  // A page from the back-forward cache, or of a computer that was suspended, can be of any age.
  addEventListener("pageshow", ({ persisted }) => persisted && void isOtherBuild());
  addEventListener("online", () => void isOtherBuild());
  document.addEventListener("visibilitychange", () => document.hidden || void isOtherBuild());
  // A part of the page that is loaded when it is needed.
  addEventListener("unhandledrejection", ({ reason }) => isMissingScript(reason) && void isOtherBuild());
}

function noteAnswer({ url, headers }: Response): void {
  if (new URL(url, location.href).origin !== location.origin) return;
  const build = headers.get(BUILD_HEADER) ?? "";
  const isUnsent = headers.get(UNKNOWN_ACTION_HEADER) === "1";
  if (!isUnsent && (build === "" || build === own)) return;
  if (upgrade?.build === build && upgrade.isUnsent === isUnsent) return;
  upgrade = { build, isUnsent: isUnsent || upgrade?.isUnsent === true };
  for (const listener of listeners) listener();
}

/** Asks the server for its build. Returns whether the tab has another one; false if the server does not answer. */
export async function isOtherBuild(): Promise<boolean> {
  // `fetch` notes the answer.
  await fetch(CHECK_PATH, { method: "HEAD", cache: "no-store" }).catch(() => {});
  return upgrade !== null;
}

/** Whether an error says that a script of the page could not be loaded. */
export function isMissingScript(error: unknown): boolean {
  return error instanceof Error && (error.name === "ChunkLoadError" || /^Failed to load chunk/.test(error.message));
}

type Store = Pick<Storage, "getItem" | "setItem">;

const RELOADS = "spotline-reloads";
const PAUSE_MS = MINUTE_MS;
/** A tab between two servers of different builds sees each of them again and again. */
const SAME_BUILD_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Returns whether a tab may load its page again by itself, and remembers that it did: at most once a minute, and once in
 * ten minutes for the same build of the server.
 */
export function claimReload(store: Store, build: string, nowMs: number): boolean {
  const past = JSON.parse(store.getItem(RELOADS) ?? "{}") as Readonly<Record<string, number>>;
  // A clock that was set back must not forbid it for longer.
  const recent = Object.entries(past).filter(([, atMs]) => Math.abs(nowMs - atMs) < SAME_BUILD_PAUSE_MS);
  if (recent.some(([each, atMs]) => each === build || Math.abs(nowMs - atMs) < PAUSE_MS)) return false;
  store.setItem(RELOADS, JSON.stringify({ ...Object.fromEntries(recent), [build]: nowMs }));
  return true;
}
