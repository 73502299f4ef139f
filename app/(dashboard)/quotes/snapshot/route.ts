import { readBoard } from "@/features/quotes/data";
import { createDataRoute } from "@/features/session/data-route";

/** The whole board, for a browser whose stream is down. */
export const GET = createDataRoute(({ runtime }) => readBoard(runtime));
