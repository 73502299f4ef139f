import { readSoon } from "@/features/session/page-parts";
import { FIRST_BARS } from "@/features/symbols/bars-url";
import { listIndicatorLooks, readBarPage } from "@/features/symbols/read-bars";
import { readLive } from "@/features/symbols/read-live";
import { readPanel } from "@/features/symbols/read-panel";
import type { SymbolViewProps } from "@/features/symbols/symbol-view";
import type { ChartData } from "@/features/symbols/types";
import { type ChartChoice, chooseBarPrice } from "@/features/symbols/url";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import { indicators as listedIndicators } from "@/lib/analytics/indicators/registry";
import type { Instrument } from "@/lib/market/instrument";
import type { Runtime } from "@/lib/runtime";

/** Reads everything that the page of a symbol shows at first. */
export async function readSymbolPage(
  runtime: Runtime,
  account: Account,
  instrument: Instrument,
  choice: ChartChoice,
): Promise<SymbolViewProps> {
  const [chart, panel] = await Promise.all([
    readChart(runtime, account, instrument, choice),
    readSoon(runtime, readPanel(runtime, account, instrument, choice.timeframe)),
  ]);
  return { ...chart, choice, panel };
}

/** Reads what one chart of a symbol shows at first. */
export async function readChart(
  runtime: Pick<Runtime, "book" | "history" | "log" | "marketNow">,
  account: Account,
  instrument: Instrument,
  { timeframe, compare, ...choice }: Pick<ChartChoice, "timeframe" | "price" | "indicators" | "compare">,
): Promise<ChartData> {
  const { symbol, name, category, digits, pipSize, tradingHours } = instrument;
  const hasHistory = mayRead(account, "indicatorHistory");
  const indicators = hasHistory ? choice.indicators : [];
  const price = chooseBarPrice(timeframe, choice.price);
  const range = { timeframe, price, indicators, beforeMs: null, fromMs: null, limit: FIRST_BARS };
  const [bars, live] = await Promise.all([
    readSoon(runtime, readBarPage(runtime.history, instrument, range)),
    readLive(runtime, { instrument, timeframe, price, compare }),
  ]);
  return {
    instrument: { symbol, name, category, digits, pipSize, tradingHours },
    looks: listIndicatorLooks(digits, indicators),
    listed: listedIndicators.length,
    mayRead: { indicatorHistory: hasHistory, calendar: mayRead(account, "calendar") },
    bars,
    live,
  };
}
