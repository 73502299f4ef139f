import { readBoard } from "@/features/quotes/data";
import { createDataRoute } from "@/features/session/data-route";

/** The whole board once, for a browser without a stream. */
export const GET = createDataRoute(({ runtime }) => readBoard(runtime));
