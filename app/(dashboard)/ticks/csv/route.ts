import { answerCsv, createViewRoute, DEAR, refuse } from "@/features/session/data-route";
import { readHistoryQuery, readTicksCsv } from "@/features/ticks/data";

/** The shown hour of ticks as a file. */
export const GET = createViewRoute(
  async ({ account, runtime, query: search }) => {
    const query = readHistoryQuery(search, runtime.resolver);
    if (query === null) return refuse(404, "Unknown symbol");
    const file = await readTicksCsv(runtime, account, query);
    return file === null ? refuse(403, "Ticks are not part of this plan") : answerCsv(file.name, file.csv);
  },
  () => DEAR,
);
