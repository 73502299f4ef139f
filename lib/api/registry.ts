import { calendar } from "@/lib/api/endpoints/calendar";
import { calendarFeed } from "@/lib/api/endpoints/calendar-feed";
import { calendarSubscription } from "@/lib/api/endpoints/calendar-subscription";
import { health, ready } from "@/lib/api/endpoints/health";
import { indicator } from "@/lib/api/endpoints/indicator";
import { indicatorHistory } from "@/lib/api/endpoints/indicator-history";
import { indicators } from "@/lib/api/endpoints/indicators";
import { heatmap } from "@/lib/api/endpoints/heatmap";
import { indicatorsList } from "@/lib/api/endpoints/indicators-list";
import { monitorAccount } from "@/lib/api/endpoints/monitor-account";
import { readLayout, saveLayout } from "@/lib/api/endpoints/monitor-layout";
import { multi } from "@/lib/api/endpoints/multi";
import { ohlc } from "@/lib/api/endpoints/ohlc";
import { openapiEndpoint } from "@/lib/api/endpoints/openapi";
import { quote } from "@/lib/api/endpoints/quote";
import { quotes } from "@/lib/api/endpoints/quotes";
import { screener } from "@/lib/api/endpoints/screener";
import { sessions } from "@/lib/api/endpoints/sessions";
import { summary } from "@/lib/api/endpoints/summary";
import { spread } from "@/lib/api/endpoints/spread";
import { spreadCompare } from "@/lib/api/endpoints/spread-compare";
import { symbol } from "@/lib/api/endpoints/symbol";
import { symbols } from "@/lib/api/endpoints/symbols";
import { ticks } from "@/lib/api/endpoints/ticks";
import type { Endpoint } from "@/lib/api/endpoint";
import type { Match } from "@/lib/api/exchange";

export const openapi = openapiEndpoint(() => endpoints);

/** Every endpoint there is, in the order in which the documentation lists them. */
export const endpoints: readonly Endpoint[] = [
  quote,
  quotes,
  symbols,
  symbol,
  indicator,
  indicators,
  ticks,
  ohlc,
  indicatorsList,
  indicatorHistory,
  multi,
  screener,
  summary,
  spread,
  spreadCompare,
  sessions,
  heatmap,
  calendar,
  monitorAccount,
  readLayout,
  saveLayout,
  calendarFeed,
  calendarSubscription,
  openapi,
  health,
  ready,
];

const exact = new Map<string, Match>();
const withSegment = new Map<string, Match>();
for (const { path } of endpoints) {
  const match = { path, endpoints: endpoints.filter((each) => each.path === path), segment: "" };
  const brace = path.indexOf("{");
  if (brace === -1) exact.set(path, match);
  else withSegment.set(path.slice(0, brace), match);
}

/** What there is at a raw path, or null. A path parameter is exactly one non-empty segment. */
export function matchPath(path: string): Match | null {
  const match = exact.get(path);
  if (match !== undefined) return match;
  const slash = path.lastIndexOf("/") + 1;
  const found = withSegment.get(path.slice(0, slash));
  return found === undefined || slash === path.length ? null : { ...found, segment: path.slice(slash) };
}
