import { createDataRoute } from "@/features/session/data-route";
import { readDays } from "@/features/sessions/data";

/** The sessions of the coming days, for a page that stays open. */
export const GET = createDataRoute(({ runtime }) => readDays(runtime));
