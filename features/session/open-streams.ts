import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import type { Runtime } from "@/lib/runtime";

/** How many topics one sign-in, and one account with all its sign-ins, may have in the open streams of this process. */
export const MAX_STREAMS = { session: 20, account: 60 } as const;
/** The reason of a refusal, for programs and people. */
export const TOO_MANY_STREAMS = `This page updates every two seconds only, because ${MAX_STREAMS.session} pages with live prices of this sign-in or ${MAX_STREAMS.account} of this account are open. Close some, and prices arrive as they change again.`;

/** How often the sessions of the open streams are checked: a stream closes within a second of its session's end. */
const CHECK_EVERY_MS = 500;

type StreamRuntime = Pick<Runtime, "accountSessions" | "log">;

/** The session that a stream belongs to. */
export interface StreamOwner {
  readonly id: string;
  readonly accountId: string;
  /** Whether it is a visit of the demo, which has no session that could end. */
  readonly isDemo?: boolean;
}

interface OpenStream extends StreamOwner {
  readonly topics: number;
  readonly onSessionEnd: () => void;
}

/** The open streams of one process, and the check that runs while there are any. */
interface OpenStreams {
  readonly streams: Set<OpenStream>;
  readonly check: Repetition;
}

const registries = new WeakMap<StreamRuntime, OpenStreams>();

/** Whether a session or its account has as many topics in open streams as it may have. */
export function hasTooManyStreams(runtime: StreamRuntime, { id, accountId }: StreamOwner): boolean {
  let ofSession = 0;
  let ofAccount = 0;
  for (const stream of registries.get(runtime)?.streams ?? []) {
    if (stream.id === id) ofSession += stream.topics;
    if (stream.accountId === accountId) ofAccount += stream.topics;
  }
  return ofSession >= MAX_STREAMS.session || ofAccount >= MAX_STREAMS.account;
}

/**
 * Registers an open stream with this number of topics. Returns a function that removes it. `onSessionEnd` is called once
 * the session has ended.
 */
export function registerStream(
  runtime: StreamRuntime,
  owner: StreamOwner,
  topics: number,
  onSessionEnd: () => void,
): () => void {
  let registry = registries.get(runtime);
  if (registry === undefined) {
    registry = startRegistry(runtime);
    registries.set(runtime, registry);
  }
  const { streams, check } = registry;
  const stream = { id: owner.id, accountId: owner.accountId, isDemo: owner.isDemo === true, topics, onSessionEnd };
  streams.add(stream);
  return () => {
    if (!streams.delete(stream) || streams.size > 0) return;
    check.stop();
    registries.delete(runtime);
  };
}

function startRegistry({ accountSessions, log }: StreamRuntime): OpenStreams {
  const streams = new Set<OpenStream>();
  const checkSessions = async () => {
    const checked = [...streams].filter(({ isDemo }) => !isDemo);
    const alive = await accountSessions.findAlive([...new Set(checked.map(({ id }) => id))]);
    for (const stream of checked) if (!alive.has(stream.id) && streams.has(stream)) stream.onSessionEnd();
  };
  // An unreachable database does not end the streams; the next check may reach it.
  const check = repeat(checkSessions, {
    pauseMs: CHECK_EVERY_MS,
    onFailure: (error) => log.warn({ err: error }, "session check of streams failed"),
    onRecovery: () => log.info("session check of streams resumed"),
  });
  check.start();
  return { streams, check };
}
