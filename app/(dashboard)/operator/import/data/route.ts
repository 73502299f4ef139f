import { readImports } from "@/features/imports/data";
import { createDataRoute, refuse } from "@/features/session/data-route";

/** The data of the page of imports. */
export const GET = createDataRoute(({ account, runtime }) =>
  account.role === "operator" ? readImports(runtime) : refuse(404, "Not found"),
);
