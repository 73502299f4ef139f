import { ENDED_EVENT, watchBoard } from "@/features/quotes/stream/broadcast";
import type { Runtime } from "@/lib/runtime";

/** How often a stream checks whether its session has ended. */
const RECHECK_MS = 3_000;
/** Batches that may wait for a slow connection. A slower connection misses batches and gets the whole board later. */
const WAITING_BATCHES = 16;

type StreamRuntime = Pick<Runtime, "accountSessions" | "book" | "log" | "marketNow" | "stopping">;

/** Answers the board as a stream of server-sent events, which ends with the request, the session or the server. */
export function streamBoard(runtime: StreamRuntime, sessionId: string, requestSignal: AbortSignal): Response {
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
        const recheck = setInterval(() => {
          runtime.accountSessions.isAlive(sessionId).then(
            (isAlive) => {
              if (left || isAlive) return;
              controller.enqueue(ENDED_EVENT);
              end();
            },
            // An unreachable database does not end the stream; the next check may reach it.
            (error: unknown) => runtime.log.warn({ err: error }, "session check of a quote stream failed"),
          );
        }, RECHECK_MS);
        leave = () => {
          left = true;
          unwatch();
          clearInterval(recheck);
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
