import { encodeEvent, type StreamRuntime, type Topic } from "@/features/session/event-stream";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import type { Runtime } from "@/lib/runtime";
import { SECOND_MS } from "@/lib/time/units";

/** Tells open charts that drawings have changed: one query every two seconds of this process, while a chart is open. */

type FeedRuntime = StreamRuntime & Pick<Runtime, "drawings">;

interface Reader {
  readonly accountId: string;
  readonly symbol: string;
  onStamp(stamp: string): void;
}

interface Feed {
  readonly readers: Set<Reader>;
  readonly check: Repetition;
}

const PAUSE_MS = 2 * SECOND_MS;
const BEAT_MS = 5 * SECOND_MS;

const feeds = new WeakMap<FeedRuntime["drawings"], Feed>();

/** Calls `onStamp` with the stamp of a symbol's drawings after every query. Returns a function that ends it. */
function watchStamps({ drawings, log }: FeedRuntime, reader: Reader): () => void {
  let feed = feeds.get(drawings);
  if (feed === undefined) {
    const readers = new Set<Reader>();
    const read = async (): Promise<void> => {
      const polled = [...readers];
      const stamps = await drawings.readStamps(polled);
      for (const [at, each] of polled.entries()) each.onStamp(stamps[at] ?? "");
    };
    const check = repeat(read, {
      pauseMs: PAUSE_MS,
      onFailure: (error) => log.warn({ err: error }, "drawings cannot be read for pages; trying again"),
      onRecovery: () => log.info("drawings can be read for pages again"),
    });
    feed = { readers, check };
    feeds.set(drawings, feed);
    check.start();
  }
  const { readers, check } = feed;
  readers.add(reader);
  return () => {
    if (!readers.delete(reader) || readers.size > 0) return;
    check.stop();
    feeds.delete(drawings);
  };
}

/** The stamp of the drawings on a symbol as a topic of a stream: when it has changed, and every five seconds. */
export function followDrawings(runtime: FeedRuntime, name: string, owner: Omit<Reader, "onStamp">): Topic {
  return {
    start(send) {
      let [known, sent]: (string | null)[] = [null, null];
      const flush = (): void => {
        if (known !== null && send(encodeEvent("whole", name, { stamp: known }))) sent = known;
      };
      const timer = setInterval(flush, BEAT_MS);
      const stop = watchStamps(runtime, {
        ...owner,
        onStamp(stamp) {
          known = stamp;
          if (stamp !== sent) flush();
        },
      });
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}
