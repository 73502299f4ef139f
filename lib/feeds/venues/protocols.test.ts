import { describe, expect, test } from "vitest";
import { openTestConnection } from "@/lib/feeds/live/connection.fixture";
import { VenueError } from "@/lib/feeds/live/connector";
import type { WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { binance } from "@/lib/feeds/venues/binance";
import { coinbase } from "@/lib/feeds/venues/coinbase";
import { deriv } from "@/lib/feeds/venues/deriv";
import { kraken } from "@/lib/feeds/venues/kraken";
import { massive } from "@/lib/feeds/venues/massive";
import { tiingo } from "@/lib/feeds/venues/tiingo";
import { traderMade } from "@/lib/feeds/venues/tradermade";
import { twelveData } from "@/lib/feeds/venues/twelve-data";
import { instrumentBySymbol } from "@/lib/market/catalog";

const venues = { kraken, coinbase, binance, deriv, massive, traderMade, twelveData, tiingo };

function open(venue: WebSocketVenue, symbols: readonly string[]) {
  const connection = openTestConnection((each) => venue.createProtocol(each, { symbols, token: "secret" }));
  connection.protocol.opened();
  return { ...connection, requests: connection.sent.map((text) => JSON.parse(text) as Record<string, unknown>) };
}

/** Returns what a venue's message throws. */
function catchError(receive: (message: unknown) => void, message: unknown): VenueError {
  try {
    receive(message);
  } catch (error) {
    if (error instanceof VenueError) return error;
    throw error;
  }
  throw new Error("The message was accepted");
}

test.each(Object.entries(venues))("%s subscribes by default to instruments of the catalog, each once", (_, venue) => {
  const symbols = Object.values(venue.symbols);
  expect(symbols.filter((symbol) => !instrumentBySymbol.has(symbol))).toEqual([]);
  expect(new Set(symbols).size).toBe(symbols.length);
});

test.each(Object.entries(venues))("%s ends a connection with a message that is not JSON", (_, venue) => {
  const { receive } = open(venue, Object.keys(venue.symbols));
  expect(() => receive("<html>")).toThrow();
});

describe("kraken", () => {
  const ticker = (type: string, values: object) => ({
    channel: "ticker",
    type,
    data: [{ symbol: "BTC/USD", ...values }],
  });

  test("A price has the venue's time, also in a snapshot", () => {
    const { requests, receive, prices, isSubscribed } = open(kraken, ["BTC/USD"]);
    const params = { channel: "ticker", symbol: ["BTC/USD"], event_trigger: "bbo", snapshot: true };
    expect(requests).toEqual([{ method: "subscribe", params }]);
    receive({ method: "subscribe", success: true, result: { symbol: "BTC/USD" } });
    expect(isSubscribed()).toBe(true);
    receive(ticker("snapshot", { bid: 1, ask: 1.5, timestamp: "2026-09-24T03:54:18.054886Z" }));
    receive({ channel: "heartbeat" });
    expect(prices).toEqual([["BTC/USD", 1, 1.5, Date.parse("2026-09-24T03:54:18.054Z")]]);
  });

  test("A snapshot without a time is no price, an update without one is", () => {
    const { receive, prices } = open(kraken, ["BTC/USD"]);
    receive(ticker("snapshot", { bid: 1, ask: 1.5 }), ticker("update", { bid: 2, ask: 2.5 }));
    expect(prices).toEqual([["BTC/USD", 2, 2.5, null]]);
  });

  test("A symbol that the venue does not have is reported, and the connection goes on", () => {
    const { receive, problems } = open(kraken, ["NOPE/USD"]);
    receive({ method: "subscribe", success: false, symbol: "NOPE/USD", error: "Currency pair not supported NOPE/USD" });
    expect(problems).toEqual(["NOPE/USD: Currency pair not supported NOPE/USD"]);
  });
});

test("coinbase: a ticker is a price once, in the order of its sequence", () => {
  const { requests, receive, prices, isSubscribed } = open(coinbase, ["ETH-USD"]);
  expect(requests).toEqual([{ type: "subscribe", product_ids: ["ETH-USD"], channels: ["ticker", "heartbeat"] }]);
  const ticker = (sequence: number, bid: string) => ({
    ...{ type: "ticker", sequence, product_id: "ETH-USD", price: "3457.3", best_bid: bid, best_ask: "3457.30" },
    time: "2021-05-18T09:52:14.103150Z",
  });
  receive({ type: "subscriptions", channels: [] }, ticker(8, "3456.94"), ticker(7, "3450"), ticker(8, "3451"));
  expect(isSubscribed()).toBe(true);
  expect(prices).toEqual([["ETH-USD", 3456.94, 3457.3, Date.parse("2021-05-18T09:52:14.103Z")]]);
  expect(() => receive({ type: "error", message: "Rate limit exceeded" })).toThrow(/^Rate limit exceeded$/);
});

test("coinbase: the other products are subscribed to without one that the venue does not have", () => {
  const { receive, sent, problems } = open(coinbase, ["NOPE-USD", "ETH-USD"]);
  const refuse = (product: string) => {
    receive({ type: "error", message: "Failed to subscribe", reason: `${product} is not a valid product` });
  };
  refuse("NOPE-USD");
  expect(problems).toEqual(["Failed to subscribe: NOPE-USD is not a valid product"]);
  expect(sent[1]).toBe('{"type":"subscribe","product_ids":["ETH-USD"],"channels":["ticker","heartbeat"]}');
  expect(() => refuse("ETH-USD")).toThrow("ETH-USD is not a valid product");
});

test("binance: a change has the time of its receipt, and an older one is left out", () => {
  expect(binance.getUrl({ symbols: ["BTCEUR", "ETHEUR"], token: "" })).toBe(
    "wss://data-stream.binance.vision/stream?streams=btceur@bookTicker/etheur@bookTicker",
  );
  const { receive, prices } = open(binance, ["BTCEUR"]);
  const change = (u: number, b: string) => ({ stream: "btceur@bookTicker", data: { u, s: "BTCEUR", b, a: "9.5" } });
  receive(change(2, "9.1"), change(1, "8"), { result: null, id: 1 });
  expect(prices).toEqual([["BTCEUR", 9.1, 9.5, null]]);
  expect(() => receive({ event: "serverShutdown" })).toThrow("shuts this server down");
});

describe("deriv", () => {
  const tick = (values: object) => ({
    msg_type: "tick",
    tick: { symbol: "frxEURUSD", epoch: 1_699_876_543, ...values },
  });

  test("A tick with a bid and an ask is a price, and one without them is none", () => {
    const { requests, receive, prices } = open(deriv, ["frxEURUSD", "frxXAUUSD"]);
    expect(requests).toEqual([
      { ticks: "frxEURUSD", subscribe: 1 },
      { ticks: "frxXAUUSD", subscribe: 1 },
    ]);
    receive(tick({ quote: 1.08953 }), tick({ bid: 1.08951, ask: 1.08955, quote: 1.08953 }), { msg_type: "ping" });
    expect(prices).toEqual([["frxEURUSD", 1.08951, 1.08955, 1_699_876_543_000]]);
  });

  test("A symbol whose market is closed is subscribed to again until it opens", () => {
    const { protocol, receive, sent, isSubscribed } = open(deriv, ["frxEURUSD"]);
    receive({ echo_req: { ticks: "frxEURUSD" }, error: { code: "MarketIsClosed", message: "closed" } });
    expect(isSubscribed()).toBe(true);
    protocol.keepAlive?.send();
    protocol.keepAlive?.send();
    expect(sent.slice(1)).toEqual(['{"ping":1}', '{"ticks":"frxEURUSD","subscribe":1}', '{"ping":1}']);
  });

  test("A wrong symbol is reported, and the limit of calls ends the connection", () => {
    const { receive, problems } = open(deriv, ["NOPE"]);
    receive({ echo_req: { ticks: "NOPE" }, error: { code: "InvalidSymbol", message: "Symbol NOPE invalid." } });
    expect(problems).toEqual(["NOPE: InvalidSymbol Symbol NOPE invalid."]);
    expect(() => receive({ error: { code: "RateLimit" } })).toThrow("limit of calls");
  });
});

describe("massive", () => {
  test("Quotes are subscribed to after the key was accepted, and a frame has several", () => {
    const { sent, receive, prices } = open(massive, ["EUR/USD", "USD/JPY"]);
    receive([{ ev: "status", status: "connected" }]);
    expect(sent).toEqual(['{"action":"auth","params":"secret"}']);
    receive([{ ev: "status", status: "auth_success", message: "authenticated" }]);
    expect(sent[1]).toBe('{"action":"subscribe","params":"C.EUR/USD,C.USD/JPY"}');
    const quote = { ev: "C", p: "EUR/USD", x: "44", a: 1.2, b: 1.1, t: 1_536_036_818_784 };
    receive([quote, { ...quote, p: "USD/JPY" }, { ev: "CA", pair: "EUR/USD" }]);
    expect(prices).toEqual([
      ["EUR/USD", 1.1, 1.2, 1_536_036_818_784],
      ["USD/JPY", 1.1, 1.2, 1_536_036_818_784],
    ]);
  });

  test("A refused key ends the source, and a newer connection pauses it for minutes", () => {
    const { receive } = open(massive, ["EUR/USD"]);
    expect(catchError(receive, [{ ev: "status", status: "auth_failed" }]).isFinal).toBe(true);
    const evicted = catchError(receive, [{ ev: "status", status: "max_connections" }]);
    expect([evicted.isFinal, evicted.retryAfterMs]).toEqual([false, 300_000]);
  });
});

describe("tradermade", () => {
  test("Quotes have the venue's time, and quoted and bare numbers are equal", () => {
    const { sent, receive, prices } = open(traderMade, ["EURUSD"]);
    expect(sent).toEqual(['{"action":"login","key":"secret","fmt":"JSON"}']);
    receive({ type: "login_ok", symbol_limit: 54 });
    expect(sent[1]).toBe('{"action":"subscribe","symbols":["EURUSD:QUOTE"],"send_last":true}');
    const quote = { t: "QUOTE", s: "EURUSD", b: "1.16270", a: "1.16272", ts: "20260515-12:36:35.588" };
    receive(quote, { ...quote, t: "LAST_QUOTE", b: 1.1627, a: 1.16272 });
    const price = ["EURUSD", 1.1627, 1.16272, Date.parse("2026-05-15T12:36:35.588Z")];
    expect(prices).toEqual([price, price]);
  });

  test("Symbols above the key's limit and refused ones are reported", () => {
    const { sent, receive, problems } = open(traderMade, ["EURUSD", "GBPUSD"]);
    receive({ type: "login_ok", symbol_limit: 1 }, { type: "sub_ack", accepted: [], denied: ["EURUSD"], invalid: [] });
    expect(sent[1]).not.toContain("GBPUSD");
    expect(problems).toEqual(["the key allows 1 symbols; left out: GBPUSD", "EURUSD: not in the plan or unknown"]);
    expect(catchError(receive, { type: "login_reject" }).isFinal).toBe(true);
  });
});

test("twelve-data: a price needs a bid and an ask, and a refused key ends the source", () => {
  expect(twelveData.getUrl({ symbols: [], token: "a&b" })).toBe("wss://ws.twelvedata.com/v1/quotes/price?apikey=a%26b");
  const { sent, receive, prices, problems } = open(twelveData, ["EUR/USD", "NOPE"]);
  expect(sent).toEqual(['{"action":"subscribe","params":{"symbols":"EUR/USD,NOPE"}}']);
  const price = { event: "price", symbol: "EUR/USD", timestamp: 1_643_972_766, price: 1.1245 };
  receive({ event: "subscribe-status", status: "ok", success: [{ symbol: "EUR/USD" }], fails: [{ symbol: "NOPE" }] });
  receive(price, { ...price, bid: 1.1244, ask: 1.1246 }, { event: "heartbeat", status: "ok" });
  expect(prices).toEqual([["EUR/USD", 1.1244, 1.1246, 1_643_972_766_000]]);
  expect(problems).toEqual(['{"symbol":"NOPE"}']);
  expect(catchError(receive, { event: "error", code: "401", message: "key" }).isFinal).toBe(true);
  expect(catchError(receive, { event: "error", code: "500", message: "later" }).isFinal).toBe(false);
});

test("tiingo: the mid price between bid and ask is left out", () => {
  const { requests, receive, prices, isSubscribed } = open(tiingo, ["eurnok"]);
  const eventData = { thresholdLevel: 5, tickers: ["eurnok"] };
  expect(requests).toEqual([{ eventName: "subscribe", authorization: "secret", eventData }]);
  const time = "2019-07-05T15:49:15.157000+00:00";
  receive({ messageType: "I", data: { subscriptionId: 1 }, response: { code: 200, message: "Success" } });
  receive({ messageType: "H", response: { code: 200, message: "HeartBeat" } });
  receive({ messageType: "A", service: "fx", data: ["Q", "eurnok", time, 5e6, 9.6764, 9.678135, 5e6, 9.67987] });
  expect(isSubscribed()).toBe(true);
  expect(prices).toEqual([["eurnok", 9.6764, 9.67987, Date.parse("2019-07-05T15:49:15.157Z")]]);
  expect(catchError(receive, { messageType: "E", response: { code: 403, message: "no access" } }).isFinal).toBe(true);
});
