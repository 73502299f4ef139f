import type { Endpoint } from "@/lib/api/engine/endpoint";
import { errorReply } from "@/lib/api/engine/replies";
import { RESPONSE_HEADERS } from "@/lib/api/engine/response-headers";
import { Components } from "@/lib/api/openapi/components";
import { describeOperation } from "@/lib/api/openapi/describe-operation";
import { errorExamples } from "@/lib/api/openapi/recorded-examples";

/**
 * Describes the endpoints in OpenAPI 3.1, from their own schemas.
 *
 * @param url where the API is, without a slash at its end
 */
export function describeApi(endpoints: readonly Endpoint[], url: string): object {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(endpoint, components);
  }
  components.describe(errorReply);
  return {
    openapi: "3.1.0",
    info: {
      title: "Spotline Market Data API",
      version: "1",
      description:
        "Read-only market data for foreign exchange and CFDs. Every timestamp is UTC. Changes are announced in the changelog; " +
        "fields, error codes and headers may be added at any time. " +
        "A key can be restricted to some endpoints and symbols: a call that names one that it may not read is refused with " +
        "403 PERMISSION_DENIED, whose message tells what it may read, and lists of all symbols hold the permitted ones. " +
        "x-credits is what a call costs, x-scope the scope that a key needs, and x-plans the plans that include the data.",
      contact: { name: "The operator of this installation", url: `${url}/docs` },
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Guides and reference", url: `${url}/docs` },
    servers: [{ url }],
    tags: ENDPOINT_GROUPS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key of the page API keys." },
        feedToken: {
          type: "apiKey",
          in: "query",
          name: "token",
          description: "A token that opens the calendar feed alone, where no header can be sent.",
        },
      },
      schemas: components.schemas,
      headers: RESPONSE_HEADERS,
      responses: components.responses,
      examples: Object.fromEntries(Object.entries(errorExamples).map(([code, value]) => [code, { value }])),
    },
  };
}

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
