import { createDataRoute, refuse } from "@/features/session/data-route";
import { isRunId, readRunDocuments } from "@/lib/history/import/import-runs";

/** The report of an import, or its plan before, as `spotline import --json` prints it. */
export const GET = createDataRoute<{ id: string }>(async ({ account, runtime, params: { id } }) => {
  if (account.role !== "operator" || !isRunId(id)) return refuse(404, "Not found");
  const documents = await readRunDocuments(runtime.database.pool, id);
  return documents?.report ?? documents?.plan ?? refuse(404, "Not found");
});
