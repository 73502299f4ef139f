import { refuse, refuseStale } from "@/features/session/data-route";
import { hasTooManyStreams, registerStream, type StreamOwner, TOO_MANY_STREAMS } from "@/features/session/open-streams";
import type { Runtime } from "@/lib/runtime";

/** Server-sent events for a signed-in browser. */

export type StreamRuntime = Pick<Runtime, "accountSessions" | "log" | "stopping">;

/** One of the topics of a stream. Its messages come at least every five seconds, so that browsers notice a loss. */
export interface Topic {
  /** Whether its data is too old to be sent, for prices. */
  readonly isStale?: () => boolean;
  /**
   * Begins to send. Returns a function that ends it. `send` returns false if the connection is behind and cannot take
   * the event.
   */
  start(send: (event: Uint8Array) => boolean): () => void;
}

/** Events that may wait for a slow connection. */
const WAITING_EVENTS = 16;
const STALE_CHECK_MS = 500;

const encoder = new TextEncoder();

/**
 * Writes a message of a topic as an event. "whole": it replaces all that is known of the topic. "part": the lists in it
 * have rows that replace those with the same first value. "news": the lists in it are added to those before.
 */
export function encodeEvent(kind: "whole" | "part" | "news", topic: string, message: object): Uint8Array {
  return encoder.encode(`event: ${kind}\ndata: ${JSON.stringify({ topic, message })}\n\n`);
}

/** Sent when the session has ended: the browser goes to sign-in instead of reconnecting. */
const ENDED_EVENT = encoder.encode("event: ended\ndata: {}\n\n");

/**
 * Answers the events of some topics until the request, the session or the server ends, or until the data of one is too
 * old. Answers 503 if it is already, and 429 if the session or its account has too many streams.
 */
export function answerEvents(
  runtime: StreamRuntime,
  session: StreamOwner,
  requestSignal: AbortSignal,
  topics: readonly Topic[],
): Response {
  const isStale = () => topics.some((topic) => topic.isStale?.() === true);
  if (isStale()) return refuseStale();
  if (hasTooManyStreams(runtime, session)) return refuse(429, TOO_MANY_STREAMS);
  let leave = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let left = false;
        const send = (event: Uint8Array): boolean => {
          if ((controller.desiredSize ?? 0) <= 0) return false;
          controller.enqueue(event);
          return true;
        };
        const stops = topics.map((topic) => topic.start(send));
        const end = (): void => {
          if (left) return;
          leave();
          controller.close();
        };
        const unregister = registerStream(runtime, session, topics.length, () => {
          controller.enqueue(ENDED_EVENT);
          end();
        });
        const staleCheck = setInterval(() => isStale() && end(), STALE_CHECK_MS);
        leave = () => {
          left = true;
          clearInterval(staleCheck);
          for (const stop of stops) stop();
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
    new CountQueuingStrategy({ highWaterMark: WAITING_EVENTS }),
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
