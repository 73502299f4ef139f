import type { News } from "@/features/alerts/types";
import { answerEvents, encodeEvent, type StreamRuntime } from "@/features/session/event-stream";
import type { StreamOwner } from "@/features/session/open-streams";
import { type FiringNews, listNews } from "@/lib/alerts/firing-log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import type { Runtime } from "@/lib/runtime";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** New firings for the open pages of all accounts: one query a second of this process, while a page is open. */

type FeedRuntime = StreamRuntime & Pick<Runtime, "database" | "now">;

interface Reader {
  readonly accountId: string;
  readonly onNews: (news: News) => void;
}

interface Feed {
  readonly readers: Set<Reader>;
  readonly check: Repetition;
}

const PAUSE_MS = SECOND_MS;
/** A firing becomes visible a little after its time, and the clocks of two servers may differ. */
const OVERLAP_MS = 10 * SECOND_MS;
const WAITING_EVENTS = 16;
/** Proxies close a connection that is silent for a minute. */
const BEAT_MS = 20 * SECOND_MS;
const BEAT = new TextEncoder().encode(": beat\n\n");

const feeds = new WeakMap<FeedRuntime, Feed>();

/** Calls `onNews` with what fires on an account from now on, each firing once. Returns a function that ends it. */
function watchFirings(runtime: FeedRuntime, reader: Reader): () => void {
  let feed = feeds.get(runtime);
  if (feed === undefined) {
    feed = startFeed(runtime);
    feeds.set(runtime, feed);
  }
  const { readers, check } = feed;
  readers.add(reader);
  return () => {
    if (!readers.delete(reader) || readers.size > 0) return;
    check.stop();
    feeds.delete(runtime);
  };
}

function startFeed({ database, now, log }: FeedRuntime): Feed {
  const readers = new Set<Reader>();
  const known = new Map<string, number>();
  let sinceMs = now();
  async function read(): Promise<void> {
    const accountIds = [...new Set([...readers].map(({ accountId }) => accountId))];
    const nowMs = now();
    const found = await listNews(database.pool, { accountIds, sinceMs: sinceMs - OVERLAP_MS });
    sinceMs = nowMs;
    const fresh = found.filter(({ id }) => !known.has(id));
    for (const { id } of found) known.set(id, nowMs);
    for (const [id, atMs] of known) if (atMs < nowMs - MINUTE_MS) known.delete(id);
    for (const { accountId, onNews } of readers) {
      const firings = fresh.filter((firing: FiringNews) => firing.accountId === accountId);
      if (firings.length > 0) onNews({ nowMs, firings });
    }
  }
  const check = repeat(read, {
    pauseMs: PAUSE_MS,
    onFailure: (error) => log.warn({ err: error }, "firings cannot be read for pages; trying again"),
    onRecovery: () => log.info("firings can be read for pages again"),
  });
  check.start();
  return { readers, check };
}

/** Answers what fires on the session's account as server-sent events, from now on. */
export function streamFirings(runtime: FeedRuntime, session: StreamOwner, requestSignal: AbortSignal): Response {
  return answerEvents(runtime, session, requestSignal, {
    waiting: WAITING_EVENTS,
    start(send) {
      // The browser knows that it is connected once it has received something.
      send(BEAT);
      const beat = setInterval(() => send(BEAT), BEAT_MS).unref();
      const { accountId } = session;
      const stop = watchFirings(runtime, { accountId, onNews: (news) => void send(encodeEvent("news", news)) });
      return () => {
        clearInterval(beat);
        stop();
      };
    },
  });
}
