import { encodeEvent, type StreamRuntime, type Topic } from "@/features/session/event-stream";
import { type LiveRequest, type LiveRuntime, readLive } from "@/features/symbols/read-live";
import type { Runtime } from "@/lib/runtime";

const STEP_MS = 250;
const BEAT_MS = 5_000;

/**
 * The prices of one symbol as a topic of a stream: a message when something changed, at most four a second, and one every
 * five seconds. Each is complete, and a slow connection misses some.
 */
export function followSymbol(
  runtime: LiveRuntime & StreamRuntime & Pick<Runtime, "isStale">,
  name: string,
  request: LiveRequest,
): Topic {
  return { isStale: runtime.isStale, start: (send) => sendChanges(runtime, name, request, send) };
}

/** Sends the present and then every change. Returns a function that ends it. */
function sendChanges(
  runtime: LiveRuntime & StreamRuntime,
  name: string,
  request: LiveRequest,
  send: (event: Uint8Array) => boolean,
): () => void {
  let sent = "";
  let sinceBeatMs = 0;
  let isReading = false;
  let stopped = false;
  async function step(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const { nowMs, ...rest } = await readLive(runtime, request);
      const json = JSON.stringify(rest);
      sinceBeatMs += STEP_MS;
      if (stopped || (json === sent && sinceBeatMs < BEAT_MS)) return;
      if (send(encodeEvent("whole", name, { nowMs, ...rest }))) {
        sent = json;
        sinceBeatMs = 0;
      }
    } catch (error) {
      // Without the database a series cannot be loaded now; the next step may succeed.
      runtime.log.warn({ err: error }, "price stream of a symbol could not be read");
    } finally {
      isReading = false;
    }
  }
  void step();
  const timer = setInterval(() => void step(), STEP_MS);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
