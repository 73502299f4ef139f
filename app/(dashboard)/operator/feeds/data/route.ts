import { readFeeds } from "@/features/feeds/data";
import { createDataRoute, refuse } from "@/features/session/data-route";

/** The data of the feeds page. */
export const GET = createDataRoute(({ account, runtime }) =>
  account.role === "operator" ? readFeeds(runtime) : refuse(404, "Not found"),
);
