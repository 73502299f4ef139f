import { refuse, refuseStale } from "@/features/session/data-route";
import { hasTooManyStreams, registerStream, type StreamOwner, TOO_MANY_STREAMS } from "@/features/session/open-streams";
import type { Runtime } from "@/lib/runtime";

/** Server-sent events for a signed-in browser. */

export type StreamRuntime = Pick<Runtime, "accountSessions" | "log" | "stopping">;

interface Events {
  /** Events that may wait for a slow connection. */
  readonly waiting: number;
  /** Whether what is sent is too old, for events that have prices. */
  readonly isStale?: () => boolean;
  /**
   * Begins to send. Returns a function that ends it. `send` returns false if the connection is behind and cannot take
   * the event.
   */
  start(send: (event: Uint8Array) => boolean): () => void;
}

const STALE_CHECK_MS = 500;

const encoder = new TextEncoder();

/** Writes an event whose data is JSON. */
export function encodeEvent(name: string, data: unknown): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Sent when the session has ended: the browser goes to sign-in instead of reconnecting. */
const ENDED_EVENT = encodeEvent("ended", {});

/**
 * Answers events until the request, the session or the server ends, or until the prices are too old. Answers 503 if they
 * are already, and 429 if the session or its account has too many streams.
 */
export function answerEvents(
  runtime: StreamRuntime,
  session: StreamOwner,
  requestSignal: AbortSignal,
  { waiting, isStale = () => false, start }: Events,
): Response {
  if (isStale()) return refuseStale();
  if (hasTooManyStreams(runtime, session)) return refuse(429, TOO_MANY_STREAMS);
  let leave = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let left = false;
        const stopSending = start((event) => {
          if ((controller.desiredSize ?? 0) <= 0) return false;
          controller.enqueue(event);
          return true;
        });
        const end = (): void => {
          if (left) return;
          leave();
          controller.close();
        };
        const unregister = registerStream(runtime, session, () => {
          controller.enqueue(ENDED_EVENT);
          end();
        });
        const staleCheck = setInterval(() => isStale() && end(), STALE_CHECK_MS);
        leave = () => {
          left = true;
          clearInterval(staleCheck);
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
    new CountQueuingStrategy({ highWaterMark: waiting }),
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
