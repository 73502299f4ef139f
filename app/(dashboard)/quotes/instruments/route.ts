import { listInstruments } from "@/features/quotes/data";
import { createViewRoute } from "@/features/session/data-route";

/** All instruments, for a board that learns of new ones. */
export const GET = createViewRoute(() => listInstruments());
