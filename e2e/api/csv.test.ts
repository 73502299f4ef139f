import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { expectError, type Reply, send } from "@/e2e/api/server";
import { endpoints } from "@/lib/api/registry";
import { HOUR_MS } from "@/lib/time/units";

/** Every table is also CSV. */

const JSON_BODY = { method: "POST", headers: { "Content-Type": "application/json" } };

/** A call, the columns of its table, and the number of its rows in the JSON answer. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** Seconds may be added between two calls, so the hour is over. */
const OVER = `from=${new Date(hour - 2 * HOUR_MS).toISOString()}&to=${new Date(hour - HOUR_MS).toISOString()}`;
type Counted = { count: number };

const TABLES: readonly [path: string, columns: string, countRows: (data: never) => number, init?: RequestInit][] = [
  ["/v1/quote?symbol=EURUSD", "symbol,bid,ask,spread,spread_pips,timestamp,source", () => 1],
  [
    "/v1/quote?symbol=EURUSD&include_sources=true",
    "symbol,broker,bid,ask,spread,updated",
    ({ source_count }: { source_count: number }) => source_count,
  ],
  [
    "/v1/quotes?envelope=flat",
    "symbol,bid,ask",
    () => 2,
    { ...JSON_BODY, body: JSON.stringify({ symbols: ["EURUSD", "XAUUSD"], fields: ["bid", "ask"] }) },
  ],
  [
    "/v1/symbols?limit=7",
    "symbol,name,category,base_currency,quote_currency,digits,tradable",
    ({ symbols }: { symbols: [] }) => symbols.length,
  ],
  [
    "/v1/quality?symbol=EURUSD",
    "symbol,date,source,condition",
    ({ days }: { days: { sources: [] }[] }) => days.flatMap(({ sources }) => sources).length,
  ],
  ["/v1/quality/day", "date,symbol,source,condition", ({ results }: { results: [] }) => results.length],
  ["/v1/spread?symbol=EURUSD&period=1h", "symbol,spread_pips,spread_points,period,avg_spread", () => 1],
  ["/v1/spread/compare?symbols=EURUSD,NOPE", "symbol,current_pips,avg_pips,min_pips,max_pips,has_live_data", () => 2],
  [
    "/v1/indicators?symbol=EURUSD",
    "symbol,timeframe,indicator,value",
    ({ indicators }: { indicators: object }) => Object.keys(indicators).length,
  ],
  ["/v1/indicators/list", "category,indicator,description", () => 42],
  ["/v1/indicator/history?symbol=EURUSD&indicator=RSI_14&limit=5", "time,value", ({ count }: Counted) => count],
  ["/v1/multi?symbols=EURUSD,USDJPY&indicators=RSI_14,SMA_10", "symbol,RSI_14,SMA_10", () => 2],
  ["/v1/screener?indicator=RSI_14&limit=5", "symbol,value,bid", ({ results }: { results: [] }) => results.length],
  ["/v1/ohlc?symbol=EURUSD&timeframe=M1&limit=9", "time,open,high,low,close,volume", ({ count }: Counted) => count],
  [`/v1/ticks?symbol=EURUSD&${OVER}`, "time,bid,ask,flags", ({ count }: Counted) => count],
  ["/v1/calendar?limit=5", "id,datetime,currency,event,impact", ({ events }: { events: [] }) => events.length],
  ["/v1/sessions", "session,status,opens_in,closes_in,weekend,session_opens_in", () => 4],
  ["/v1/heatmap", "currency,strength,trend,change,pairs_analyzed", () => 8],
];

function readTable(reply: Reply): string[][] {
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(reply.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
  expect(reply.headers.get("vary")).toMatch(/\bAccept\b/);
  return parse(reply.text, { record_delimiter: "\r\n" });
}

test.each(TABLES)("%s is a table with the columns %s", async (path, columns, countRows, init = {}) => {
  const json = await send(path, init);
  // Few symbols have a past on a new server.
  if (path === "/v1/heatmap" && json.status === 404) return;
  const body = json.json as { data?: never };
  const [header = [], ...rows] = readTable(await send(`${path}${path.includes("?") ? "&" : "?"}format=csv`, init));
  expect(header.slice(0, columns.split(",").length).join(",")).toBe(columns);
  expect(rows).toHaveLength(countRows(body.data ?? (body as never)));
  const byHeader = await send(path, { ...init, headers: { ...(init.headers as object), Accept: "text/csv" } });
  expect(readTable(byHeader)[0]).toEqual(header);
  const other = await send(path, { ...init, headers: { ...(init.headers as object), Accept: "application/json" } });
  expect(other.json).not.toBeNull();
});

test("Every endpoint with a table is tested here", () => {
  const paths = endpoints.filter(({ csv }) => csv !== undefined).map(({ path }) => path);
  const tested = new Set(TABLES.map(([path]) => path.split("?")[0]));
  expect(paths.filter((path) => !tested.has(path))).toEqual([]);
});

test("Errors of a table are JSON, and another format is refused", async () => {
  expectError(await send("/v1/quote?symbol=NOPE&format=csv"), 404, "SYMBOL_NOT_FOUND");
  expectError(await send("/v1/symbols?format=xml"), 400, "VALIDATION_ERROR");
});

test("The file of bars is named by their symbol and timeframe", async () => {
  const { headers } = await send("/v1/ohlc?symbol=eur/usd&timeframe=m1&format=csv");
  expect(headers.get("content-disposition")).toBe('attachment; filename="EURUSD-M1.csv"');
});

test("A name that begins like a formula is text in a spreadsheet", async () => {
  const reply = await send("/v1/spread/compare?symbols=%3D1%2B1,@SUM,EURUSD&format=csv");
  const names = readTable(reply).map(([name]) => name);
  expect(names).toEqual(["symbol", "EURUSD", "'=1+1", "'@SUM"]);
});
