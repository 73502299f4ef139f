import { type BoardRuntime, readBoard } from "@/features/quotes/data";
import { ENDED_EVENT, watchBoard } from "@/features/quotes/stream/broadcast";
import {
  hasTooManyStreams,
  registerStream,
  type StreamOwner,
  TOO_MANY_STREAMS,
} from "@/features/quotes/stream/open-streams";
import type { BoardSnapshot } from "@/features/quotes/types";
import { refuse } from "@/features/session/data-route";
import type { Runtime } from "@/lib/runtime";

/** Batches that may wait for a slow connection. A slower connection misses batches and gets the whole board later. */
const WAITING_BATCHES = 16;

type StreamRuntime = BoardRuntime & Pick<Runtime, "accountSessions" | "log" | "stopping">;

/** Reads the whole board for a browser without a stream, with the reason if it may not open one. */
export function readSnapshot(runtime: StreamRuntime, session: StreamOwner | null): BoardSnapshot {
  const isRefused = session !== null && hasTooManyStreams(runtime, session);
  return { ...readBoard(runtime), ...(isRefused ? { note: TOO_MANY_STREAMS } : {}) };
}

/**
 * Answers the board as a stream of server-sent events, which ends with the request, the session or the server. Answers
 * 429 if the session or its account has too many of them.
 */
export function streamBoard(runtime: StreamRuntime, session: StreamOwner, requestSignal: AbortSignal): Response {
  if (hasTooManyStreams(runtime, session)) return refuse(429, TOO_MANY_STREAMS);
  let leave = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let left = false;
        const unwatch = watchBoard(runtime, {
          send(bytes) {
            if ((controller.desiredSize ?? 0) <= 0) return false;
            controller.enqueue(bytes);
            return true;
          },
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
        leave = () => {
          left = true;
          unwatch();
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
    new CountQueuingStrategy({ highWaterMark: WAITING_BATCHES }),
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
