import { readDays } from "@/features/sessions/data";
import { dataRoute } from "@/features/session/data-route";

/** The sessions of the coming days, for a page that stays open. */
export const GET = dataRoute(({ runtime }) => readDays(runtime));
