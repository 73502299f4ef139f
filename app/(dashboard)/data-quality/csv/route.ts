import { formatMonth } from "@/features/data-quality/data";
import { formatDay, getMonth, readQualityView } from "@/features/data-quality/url";
import { answerCsv, createViewRoute, refuse } from "@/features/session/data-route";

/** The days of the calendar as a file, of every source. The query is the same as the page's. */
export const GET = createViewRoute(async ({ runtime, query }) => {
  const view = readQualityView(query, runtime.marketNow(), (spelling) => runtime.resolver.find(spelling)?.symbol);
  const instrument = runtime.resolver.find(view.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  const month = await runtime.quality.readMonth(instrument, view.monthMs, getMonth(view.monthMs, 1));
  return answerCsv(`quality-${formatDay(view.monthMs).slice(0, 7)}`, formatMonth(view.symbol, month));
});
