import { readNewsMarks } from "@/features/calendar/data";
import { createViewRoute } from "@/features/session/data-route";

/** The releases of high impact around now, for the marks of pages with prices. */
export const GET = createViewRoute(({ account, runtime }) => readNewsMarks(runtime, account));
