import { type BoardRuntime, readBoard } from "@/features/quotes/data";
import { watchBoard } from "@/features/quotes/stream/broadcast";
import type { BoardSnapshot } from "@/features/quotes/types";
import { answerEvents, type StreamRuntime } from "@/features/session/event-stream";
import { hasTooManyStreams, type StreamOwner, TOO_MANY_STREAMS } from "@/features/session/open-streams";
import type { Runtime } from "@/lib/runtime";

/** Batches that may wait for a slow connection. A slower connection misses batches and gets the whole board later. */
const WAITING_BATCHES = 16;

/** Reads the whole board for a browser without a stream, with the reason if it may not open one. */
export function readSnapshot(runtime: BoardRuntime & StreamRuntime, session: StreamOwner | null): BoardSnapshot {
  const isRefused = session !== null && hasTooManyStreams(runtime, session);
  return { ...readBoard(runtime), ...(isRefused ? { note: TOO_MANY_STREAMS } : {}) };
}

/** Answers the board as a stream of server-sent events. */
export function streamBoard(
  runtime: BoardRuntime & StreamRuntime & Pick<Runtime, "isStale">,
  session: StreamOwner,
  requestSignal: AbortSignal,
): Response {
  return answerEvents(runtime, session, requestSignal, {
    waiting: WAITING_BATCHES,
    isStale: runtime.isStale,
    start: (send) => watchBoard(runtime, { send }),
  });
}
