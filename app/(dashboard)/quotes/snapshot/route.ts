import { readSnapshot } from "@/features/quotes/broadcast";
import { createViewRoute } from "@/features/session/data-route";
import { getCurrentSession } from "@/features/session/session";

/** The whole board, for a browser whose stream is down. */
export const GET = createViewRoute(async ({ runtime }) => readSnapshot(runtime, await getCurrentSession()));
