import { readBoard } from "@/features/quotes/data";
import { dataRoute } from "@/features/session/data-route";

/** The whole board once, for a browser without a stream. */
export const GET = dataRoute(({ runtime }) => readBoard(runtime));
