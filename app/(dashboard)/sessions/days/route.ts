import { createViewRoute } from "@/features/session/data-route";
import { readDays } from "@/features/sessions/data";
import { readDay } from "@/features/sessions/url";

/** The sessions around the query's day, or around the present. */
export const GET = createViewRoute(({ runtime, query }) => readDays(runtime, readDay(query.get("day"))));
