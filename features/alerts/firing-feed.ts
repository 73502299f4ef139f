import { readNews } from "@/features/alerts/data";
import type { News } from "@/features/alerts/types";
import { encodeEvent, type StreamRuntime, type Topic } from "@/features/session/event-stream";
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
const BEAT_MS = 5 * SECOND_MS;
/** The most firings that wait for a slow connection. */
const MOST_WAITING = 500;

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

/** What fired on an account within the last day and what fires from now on, as a topic of a stream. */
export function followFirings(runtime: FeedRuntime, accountId: string): Topic {
  return {
    start(send) {
      let waiting: News["firings"] = [];
      let isLoaded = false;
      const flush = (): void => {
        const news: News = { nowMs: runtime.now(), firings: waiting };
        if (send(encodeEvent("news", "alerts", news))) waiting = [];
      };
      const load = async (): Promise<void> => {
        const { firings } = await readNews(runtime, accountId);
        isLoaded = true;
        waiting = [...firings, ...waiting].slice(0, MOST_WAITING);
      };
      const beat = (): void => {
        // Without the database, the next beat tries again.
        if (isLoaded) flush();
        else void load().then(flush, flush);
      };
      beat();
      const timer = setInterval(beat, BEAT_MS);
      const stop = watchFirings(runtime, {
        accountId,
        onNews({ firings }) {
          waiting = [...firings, ...waiting].slice(0, MOST_WAITING);
          flush();
        },
      });
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}
