import { readUsual } from "@/features/quotes/data";
import { createDataRoute } from "@/features/session/data-route";

/** The usual spread of every symbol, in pips. */
export const GET = createDataRoute(({ runtime }) => readUsual(runtime));
