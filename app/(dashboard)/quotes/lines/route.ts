import { readLines } from "@/features/quotes/data";
import { createViewRoute } from "@/features/session/data-route";

/** The prices of every symbol's day, for the small lines of the board. */
export const GET = createViewRoute(({ runtime }) => readLines(runtime));
