/** The groups of endpoints, in the order of the documentation, which is also that of their pages. */
export const ENDPOINT_GROUPS = [
  {
    name: "Prices",
    description: "Quotes of one or many symbols, and the symbols there are.",
    paths: ["/v1/quote", "/v1/quotes", "/v1/stream", "/v1/symbols", "/v1/symbols/{symbol}"],
  },
  {
    name: "History",
    description: "Recorded bars and ticks.",
    paths: ["/v1/ohlc", "/v1/ticks"],
  },
  {
    name: "Spreads",
    description: "What trading costs: spreads now and over time, of symbols and of sources.",
    paths: ["/v1/spread", "/v1/spread/compare"],
  },
  {
    name: "Analysis",
    description: "Indicators, the summary of a market, a screener of all symbols, and currency strength.",
    paths: [
      "/v1/indicator",
      "/v1/indicators",
      "/v1/indicators/list",
      "/v1/indicator/history",
      "/v1/multi",
      "/v1/screener",
      "/v1/summary",
      "/v1/heatmap",
    ],
  },
  {
    name: "Calendar and sessions",
    description: "Economic events, and the trading sessions of the world.",
    paths: ["/v1/calendar", "/v1/calendar.ics", "/v1/calendar/subscription", "/v1/sessions"],
  },
  {
    name: "Alerts",
    description: "Messages when a price, a spread, a quote or an economic event meets a condition.",
    paths: ["/v1/alerts", "/v1/alerts/{alert}", "/v1/webhooks", "/v1/webhooks/{webhook}"],
  },
  {
    name: "Account and service",
    description: "What a key has used, its saved layout, and the state of the service.",
    paths: ["/v1/monitor/account", "/v1/monitor/layout", "/v1/openapi.json", "/health", "/ready"],
  },
] as const;

/** The group of a path; null if none has it. */
export function findGroup(path: string): string | null {
  return ENDPOINT_GROUPS.find(({ paths }) => paths.some((each) => each === path))?.name ?? null;
}
