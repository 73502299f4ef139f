import { createDataRoute, refuse } from "@/features/session/data-route";
import { readTerminals } from "@/features/terminals/data";

/** The data of the page of terminals. */
export const GET = createDataRoute(({ account, runtime }) =>
  account.role === "operator" ? readTerminals(runtime) : refuse(404, "Not found"),
);
