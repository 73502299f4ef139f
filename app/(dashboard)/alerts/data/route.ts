import { readAlertsPage } from "@/features/alerts/data";
import { readAlertsChoice } from "@/features/alerts/url";
import { createDataRoute } from "@/features/session/data-route";

/** Everything on the page of alerts. */
export const GET = createDataRoute(({ runtime, account, query }) =>
  readAlertsPage(runtime, account, readAlertsChoice(query).alertId),
);
