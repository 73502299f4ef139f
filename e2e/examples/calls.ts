import { type RawReply, sendRaw } from "@/e2e/support/raw-request";
import { formatOperationId } from "@/lib/api/openapi/describe-operation";
import type { RecordedExample } from "@/lib/api/openapi/recorded-examples";
import { endpoints } from "@/lib/api/registry";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** A call that the documentation shows, by the operation that answers it. */
export type ExampleCall = Omit<RecordedExample, "answer" | "query"> & { readonly query?: RecordedExample["query"] };

/**
 * The calls that the documentation shows with their answers, short ones. The first of an operation is its example.
 * "$postAlerts" stands for the id in the first answer of that operation.
 */
function listCalls(nowMs: number): Readonly<Record<string, readonly ExampleCall[]>> {
  const hour = (ago: number) => formatMinute(nowMs - (nowMs % HOUR_MS) - ago * HOUR_MS);
  const symbol = "EURUSD";
  const tickMs = nowMs - (nowMs % HOUR_MS) - 3 * HOUR_MS;
  return {
    getQuote: [
      { title: "The served quote", query: { symbol } },
      { title: "With every source", query: { symbol, include_sources: "true" } },
      { title: "Of one source", query: { symbol, source: "alpha-markets" } },
    ],
    postQuotes: [
      { title: "Three symbols", body: { symbols: ["EURUSD", "XAUUSD", "BTCUSD"] } },
      { title: "Two fields", body: { symbols: ["EURUSD", "USDJPY", "NOPE"], fields: ["bid", "ask"] } },
    ],
    getSymbols: [
      { title: "Metals", query: { category: "metals", limit: "2" } },
      { title: "A search", query: { search: "gold", limit: "2" } },
    ],
    getSymbolsSymbol: [{ title: "A broker’s spelling", segment: "EURUSD.pro" }],
    getOhlc: [
      { title: "The latest bars", query: { symbol, timeframe: "H1", limit: "3" } },
      { title: "A range", query: { symbol, timeframe: "M15", from: hour(6), to: hour(5) } },
    ],
    getTicks: [
      {
        title: "Four seconds",
        query: { symbol, from: new Date(tickMs).toISOString(), to: new Date(tickMs + MINUTE_MS / 15).toISOString() },
      },
    ],
    getExport: [
      {
        title: "Four seconds of ticks",
        query: {
          what: "ticks",
          symbol,
          from: new Date(tickMs).toISOString(),
          to: new Date(tickMs + MINUTE_MS / 15).toISOString(),
        },
      },
      { title: "Bars", query: { what: "bars", symbol, timeframe: "M15", from: hour(6), to: hour(5) } },
    ],
    postExport: [
      {
        title: "Bars of two symbols",
        body: {
          ...{ what: "bars", symbols: ["EURUSD", "XAUUSD"] },
          from: new Date(tickMs - 30 * DAY_MS).toISOString(),
          to: new Date(tickMs).toISOString(),
        },
      },
    ],
    getExports: [{ title: "All of the account", query: { include: "files" } }],
    getExportId: [{ title: "Begun just now", segment: "$postExport" }],
    deleteExportId: [{ title: "The first", segment: "$postExport" }],
    getSpread: [
      { title: "Of a day", query: { symbol } },
      { title: "With percentiles", query: { symbol, period: "7d", include: "percentiles" } },
    ],
    getSpreadCompare: [{ title: "Three symbols", query: { symbols: "EURUSD,GBPUSD,XAUUSD" } }],
    getQuality: [{ title: "Of a day", query: { symbol, from: "2026-03-04", to: "2026-03-04", include: "detail" } }],
    getQualityDay: [{ title: "The worst of a day", query: { date: "2026-03-04", limit: "3" } }],
    getIndicator: [
      { title: "In the envelope", query: { symbol, indicator: "RSI_14", timeframe: "H1" } },
      { title: "Flat", query: { symbol, indicator: "CCI_14", timeframe: "H1" } },
      { title: "Flat, of two bars", query: { symbol, indicator: "TEMA_20", timeframe: "H1", bars: "2" } },
    ],
    getIndicators: [{ title: "Of one category", query: { symbol, category: "volatility" } }],
    getIndicatorsList: [{ title: "All", query: {} }],
    getIndicatorHistory: [{ title: "The latest bars", query: { symbol, indicator: "RSI_14", limit: "3" } }],
    getMulti: [
      { title: "Now", query: { symbols: "EURUSD,USDJPY", indicators: "RSI_14,ATR_14" } },
      {
        title: "Past bars",
        query: { symbols: "EURUSD", indicators: "RSI_14", timeframe: "H1", from: hour(4), to: hour(2) },
      },
    ],
    getScreener: [{ title: "The lowest", query: { indicator: "RSI_14", timeframe: "H1", max_val: "60", limit: "3" } }],
    getSummary: [{ title: "At H1", query: { symbol, timeframe: "H1" } }],
    getHeatmap: [{ title: "Strength", query: { timeframe: "H4" } }],
    getCalendar: [
      { title: "The next three days", query: { next_hours: "72", impact: "high", limit: "2" } },
      {
        title: "Released, with numbers",
        query: { prev_hours: "96", currencies: "USD", include: "numeric", limit: "1" },
      },
    ],
    getCalendarIcs: [
      {
        title: "Of one currency",
        query: { currencies: "EUR", from: formatMinute(nowMs - 4 * DAY_MS), to: formatMinute(nowMs) },
      },
    ],
    getCalendarWindow: [
      { title: "Of a pair", query: { symbol, before: "15", after: "30" } },
      { title: "Of a currency, with other impacts", query: { currencies: "JPY", impact: "high,medium" } },
    ],
    getCalendarSubscription: [{ title: "Of one currency", query: { currencies: "EUR", impact: "high" } }],
    getSessions: [{ title: "Now" }],
    postWebhooks: [{ title: "A webhook", body: { name: "desk", url: "https://hooks.example/alerts" } }],
    getWebhooks: [{ title: "All" }],
    postAlerts: [
      {
        title: "A price",
        body: { condition: { type: "price", symbol, level: 1.2, direction: "up" }, webhook_id: "$postWebhooks" },
      },
      {
        title: "Events",
        body: {
          name: "US events",
          condition: { type: "upcoming", minutes: 15, currencies: ["USD"], impacts: ["high"] },
          cooldown_seconds: 0,
          webhook_id: "$postWebhooks",
        },
      },
    ],
    getAlerts: [{ title: "All" }],
    getAlertsAlert: [{ title: "One that has not fired", segment: "$postAlerts" }],
    patchAlertsAlert: [{ title: "It repeats", segment: "$postAlerts", body: { cooldown_seconds: 3600 } }],
    deleteAlertsAlert: [{ title: "The first", segment: "$postAlerts" }],
    postWebhooksWebhook: [{ title: "The first", segment: "$postWebhooks" }],
    deleteWebhooksWebhook: [{ title: "The first", segment: "$postWebhooks" }],
    putMonitorLayout: [{ title: "One item", body: { layout: [{ symbol: "EURUSD", panel: "chart" }] } }],
    getMonitorLayout: [{ title: "What was saved" }],
    getMonitorAccount: [{ title: "This key" }],
    getHealth: [{ title: "All is well" }],
    getReady: [{ title: "All is well" }],
  };
}

/** What is sent to a server, as it is. */
export interface SentCall {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export function sendCall(url: string, { method, target, headers, body }: SentCall): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  // Node counts the bytes of a body for some methods only.
  const counted = body === undefined ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) };
  return sendRaw({ hostname, port, method, path: target, headers: counted }, body);
}

export const JSON_HEADERS = { "Content-Type": "application/json" };

/** Makes the listed calls one after the other, each with the ids of the answers before it. */
export async function* makeCalls(url: string, key: string, nowMs: number) {
  const ids = new Map<string, string>();
  const fill = (_: string, value: unknown) => (typeof value === "string" ? (ids.get(value) ?? value) : value);
  for (const [operation, calls] of Object.entries(listCalls(nowMs))) {
    const endpoint = endpoints.find((each) => formatOperationId(each) === operation);
    if (endpoint === undefined) throw new Error(`There is no operation ${operation}.`);
    for (const { query = {}, ...each } of calls) {
      const call = JSON.parse(JSON.stringify(each, fill)) as typeof each;
      const search = new URLSearchParams(query).toString();
      const path = endpoint.path.replace(/\{\w+\}/, call.segment ?? "");
      const sent: SentCall = {
        method: endpoint.method,
        target: search === "" ? path : `${path}?${search}`,
        headers: { "X-API-Key": key, ...JSON_HEADERS },
        body: call.body && JSON.stringify(call.body),
      };
      const reply = await sendCall(url, sent);
      const id = findId(reply.body);
      if (id !== undefined && !ids.has(`$${operation}`)) ids.set(`$${operation}`, id);
      yield { operation, endpoint, call: { query, ...call }, sent, reply };
    }
  }
}

function findId(text: string): string | undefined {
  return text.startsWith("{") ? (JSON.parse(text) as { data?: { id?: string } }).data?.id : undefined;
}

function formatMinute(timeMs: number): string {
  return new Date(timeMs - (timeMs % MINUTE_MS)).toISOString().replace(".000", "");
}
