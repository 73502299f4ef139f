import { calendar } from "@/lib/api/calendar/calendar";
import { calendarWindow } from "@/lib/api/calendar/calendar-window";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ohlc } from "@/lib/api/history/ohlc";
import { quality } from "@/lib/api/history/quality";
import { spread, spreadCompare } from "@/lib/api/history/spread";
import { heatmap } from "@/lib/api/indicators/heatmap";
import { indicator } from "@/lib/api/indicators/indicator";
import { indicatorHistory } from "@/lib/api/indicators/indicator-history";
import { indicators } from "@/lib/api/indicators/indicators";
import { indicatorsList } from "@/lib/api/indicators/indicators-list";
import { screener } from "@/lib/api/indicators/screener";
import { summary } from "@/lib/api/indicators/summary";
import { Components } from "@/lib/api/openapi/components";
import { describeParameters } from "@/lib/api/openapi/describe-operation";
import { quote, quotes } from "@/lib/api/quotes/quote";
import { sessions } from "@/lib/api/quotes/sessions";
import { symbol, symbols } from "@/lib/api/quotes/symbols";
import { monitorAccount } from "@/lib/api/service/monitor";

/** A tool of an agent: one call of one endpoint. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When to use it, beside the summary of the endpoint. */
  readonly hint: string;
  readonly endpoint: Endpoint;
  readonly input: InputSchema;
}

/** JSON Schema of the arguments. */
// A type and not an interface, so that it fits the index signature of the protocol's own type.
type InputSchema = {
  readonly type: "object";
  readonly properties: Record<string, ArgumentSchema>;
  readonly required: string[];
  readonly additionalProperties: false;
};

type ArgumentSchema = Readonly<Record<string, unknown>>;

/** Agents read JSON in the usual envelope. */
const OWN_PARAMETERS = new Set(["format", "envelope"]);

function defineTool(name: string, title: string, endpoint: Endpoint, hint: string): Tool {
  return { name, title, hint, endpoint, input: describeInput(endpoint) };
}

export const TOOLS: readonly Tool[] = [
  defineTool("get_quote", "Quote", quote, "Use it for the current price of one symbol."),
  defineTool("get_quotes", "Quotes", quotes, "Use it for the prices of several symbols: it costs as much as one."),
  defineTool("find_symbols", "Find symbols", symbols, "Use it when you do not know how a symbol is called."),
  defineTool("get_symbol", "Symbol", symbol, "Use it for digits, pip size, contract size and trading hours."),
  defineTool("get_bars", "Bars", ohlc, "Use it for past prices and charts."),
  defineTool("get_indicator", "Indicator", indicator, "list_indicators has the names."),
  defineTool("get_indicators", "All indicators", indicators, "Use it when you need several of one symbol."),
  defineTool("list_indicators", "List of indicators", indicatorsList, "Use it before you name an indicator."),
  defineTool("get_indicator_history", "Indicator history", indicatorHistory, "Use it to see how an indicator moved."),
  defineTool("screen_symbols", "Screener", screener, "Use it to find symbols, such as those with RSI_14 below 30."),
  defineTool("get_summary", "Market summary", summary, "Trend, momentum and levels, computed from the indicators."),
  defineTool("get_spread", "Spread", spread, "Use it for what trading a symbol costs."),
  defineTool("compare_spreads", "Compare spreads", spreadCompare, "Use it to compare symbols, or brokers of one."),
  defineTool(
    "get_quality",
    "Quality of prices",
    quality,
    "Use it to see how complete and how right a source's prices are.",
  ),
  defineTool("get_calendar", "Economic calendar", calendar, "Use next_hours for what is coming."),
  defineTool(
    "get_news_window",
    "News window",
    calendarWindow,
    "Use it to see whether a release is near, before a trade.",
  ),
  defineTool("get_sessions", "Trading sessions", sessions, "Use it to see which markets are open."),
  defineTool("get_currency_strength", "Currency strength", heatmap, "Use it to compare the major currencies."),
  defineTool("get_account", "Account", monitorAccount, "Use it to see how many calls are left today."),
];

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: object;
}

/** Describes the arguments of an endpoint, from the parameters of the OpenAPI document, or from its body. */
function describeInput(endpoint: Endpoint): InputSchema {
  const components = new Components();
  const parameters = (describeParameters(endpoint, components).parameters as Parameter[]).filter(
    ({ name }) => !OWN_PARAMETERS.has(name),
  );
  const properties = parameters.map(({ name, schema, description, example }) => [
    name,
    {
      ...schema,
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { examples: [example] }),
    },
  ]);
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  const body = (endpoint.body === null ? {} : components.describe(endpoint.body, "input")) as Partial<InputSchema>;
  return {
    type: "object",
    properties: { ...(Object.fromEntries(properties) as InputSchema["properties"]), ...body.properties },
    required: [...required, ...(body.required ?? [])],
    additionalProperties: false,
  };
}
