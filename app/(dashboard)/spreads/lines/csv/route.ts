import { answerCsv, createViewRoute } from "@/features/session/data-route";
import { readLinesOf } from "@/features/spreads/data";
import { formatLines } from "@/features/spreads/spread-csv";

/** The lines of the chart as a file. The query is the same as the page's. */
export const GET = createViewRoute(async ({ runtime, query }) =>
  answerCsv("spread-lines", formatLines(await readLinesOf(runtime, query))),
);
