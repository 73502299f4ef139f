import {
  hasTooManyStreams,
  registerStream,
  type StreamOwner,
  TOO_MANY_STREAMS,
} from "@/features/quotes/stream/open-streams";
import { refuse } from "@/features/session/data-route";
import { type LiveRequest, type LiveRuntime, readLive } from "@/features/symbols/stream/read-live";
import type { Runtime } from "@/lib/runtime";

const STEP_MS = 250;
const BEAT_MS = 5_000;
/** Messages that may wait for a slow connection. A slower one misses messages; each message is complete. */
const WAITING_MESSAGES = 8;

type StreamRuntime = LiveRuntime & Pick<Runtime, "accountSessions" | "log" | "stopping">;

const encoder = new TextEncoder();
const encodeEvent = (name: string, json: string) => encoder.encode(`event: ${name}\ndata: ${json}\n\n`);

/**
 * Answers the prices of one symbol as server-sent events: one when something changed, at most four a second, and one
 * every five seconds. Ends with the request, the session or the server. Answers 429 if the session or its account has
 * too many streams.
 */
export function streamSymbol(
  runtime: StreamRuntime,
  session: StreamOwner,
  request: LiveRequest,
  requestSignal: AbortSignal,
): Response {
  if (hasTooManyStreams(runtime, session)) return refuse(429, TOO_MANY_STREAMS);
  let leave = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (bytes: Uint8Array): boolean => {
          if ((controller.desiredSize ?? 0) <= 0) return false;
          controller.enqueue(bytes);
          return true;
        };
        const stopSending = sendChanges(runtime, request, send);
        let left = false;
        const end = (): void => {
          if (left) return;
          leave();
          controller.close();
        };
        const unregister = registerStream(runtime, session, () => {
          controller.enqueue(encodeEvent("ended", "{}"));
          end();
        });
        leave = () => {
          left = true;
          stopSending();
          unregister();
          requestSignal.removeEventListener("abort", end);
          runtime.stopping.removeEventListener("abort", end);
        };
        requestSignal.addEventListener("abort", end);
        runtime.stopping.addEventListener("abort", end);
        if (requestSignal.aborted || runtime.stopping.aborted) end();
      },
      cancel: () => leave(),
    },
    new CountQueuingStrategy({ highWaterMark: WAITING_MESSAGES }),
  );
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // Forbids this server and proxies to compress or buffer events.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

/** Sends the present and then every change. Returns a function that ends it. */
function sendChanges(runtime: StreamRuntime, request: LiveRequest, send: (bytes: Uint8Array) => boolean): () => void {
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
      if (send(encodeEvent("symbol", JSON.stringify({ nowMs, ...rest })))) {
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
