import { readImport } from "@/features/imports/data";
import { createDataRoute, refuse } from "@/features/session/data-route";

/** The data of the page of one import. */
export const GET = createDataRoute<{ id: string }>(({ account, runtime, params }) =>
  account.role === "operator" ? readImport(runtime, params.id) : refuse(404, "Not found"),
);
