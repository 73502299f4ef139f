import { readLines } from "@/features/quotes/data";
import { createDataRoute } from "@/features/session/data-route";

/** The prices of every symbol's day, for the small lines of the board. */
export const GET = createDataRoute(({ runtime }) => readLines(runtime));
