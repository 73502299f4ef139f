import { readUsual } from "@/features/quotes/data";
import { createViewRoute } from "@/features/session/data-route";

/** The usual spread of every symbol, in pips. */
export const GET = createViewRoute(({ runtime }) => readUsual(runtime));
