import { endedBytes, watchBoard } from "@/features/quotes/broadcast";
import { signedOut } from "@/features/session/data-route";
import { currentAccount, currentSession } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** How often a running stream asks whether its session is still going on. */
const RECHECK_MS = 3_000;
/** Batches a slow connection may leave waiting before it is told the whole board later instead. */
const WAITING_BATCHES = 16;

export async function GET(request: Request): Promise<Response> {
  const session = await currentSession();
  if (session === null || (await currentAccount()) === null) return signedOut();
  const runtime = await getRuntime();

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
          runtime.accountSessions.isAlive(session.id).then(
            (isAlive) => {
              if (left || isAlive) return;
              controller.enqueue(endedBytes);
              end();
            },
            // A database that cannot be asked is no reason to cut anyone off; the next check may reach it.
            (error: unknown) => runtime.log.warn({ err: error }, "could not re-check a quote stream's session"),
          );
        }, RECHECK_MS);
        leave = () => {
          left = true;
          unwatch();
          clearInterval(recheck);
          request.signal.removeEventListener("abort", end);
          runtime.stopping.removeEventListener("abort", end);
        };
        request.signal.addEventListener("abort", end);
        runtime.stopping.addEventListener("abort", end);
        if (request.signal.aborted || runtime.stopping.aborted) end();
      },
      cancel: () => leave(),
    },
    new CountQueuingStrategy({ highWaterMark: WAITING_BATCHES }),
  );

  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // Neither this server nor a proxy may hold events back to compress or collect them.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}
