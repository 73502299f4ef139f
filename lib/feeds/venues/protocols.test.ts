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

function open(venue: WebSocketVenue, wanted: readonly string[] | "all") {
  const request = wanted === "all" ? { symbols: [], all: true } : { symbols: wanted };
  const connection = openTestConnection((each) => venue.createProtocol(each, { ...request, token: "secret" }));
  connection.protocol.opened();
  return { ...connection, requests: connection.sent.map((text) => JSON.parse(text) as Record<string, unknown>) };
}

interface Asked {
  readonly params: { readonly symbol: readonly string[] };
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

  const pair = (symbol: string, values: object = {}) => ({
    ...{ symbol, base: symbol.split("/")[0], quote: symbol.split("/")[1], status: "online", qty_precision: 8 },
    ...{ marginable: false, has_index: true, price_precision: 1, cost_precision: 5, cost_min: 0.5, qty_min: 0.00005 },
    ...{ qty_increment: 1e-8, price_increment: 0.1, tick_size: 0.1, ...values },
  });
  const instruments = (...pairs: object[]) => ({
    channel: "instrument",
    type: "snapshot",
    data: { assets: [], pairs },
  });

  test("A pair that the catalog lacks is described before it is subscribed to", () => {
    const { sent, receive, facts, isSubscribed } = open(kraken, ["PEPE/USD", "BTC/USD"]);
    expect(sent).toEqual(['{"method":"subscribe","params":{"channel":"instrument","snapshot":true}}']);
    receive({ method: "subscribe", success: true, result: { channel: "instrument", snapshot: true } });
    expect(isSubscribed()).toBe(false);
    const pepe = { price_increment: 1e-9, price_precision: 9, qty_min: 350_000, qty_increment: 0.00001 };
    receive(instruments(pair("BTC/USD"), pair("PEPE/USD", pepe), pair("WIF/EUR")));
    expect(facts).toEqual([
      {
        ...{ spelling: "PEPE/USD", kind: "crypto", base: "PEPE", quote: "USD", digits: 9, contractSize: 1 },
        ...{ minVolume: 350_000, volumeStep: 0.00001 },
      },
    ]);
    expect(sent.slice(1)).toEqual([
      '{"method":"unsubscribe","params":{"channel":"instrument"}}',
      expect.stringContaining('"symbol":["PEPE/USD","BTC/USD"]'),
    ]);
    receive({ method: "unsubscribe", success: true, result: { channel: "instrument" } });
    receive({ method: "subscribe", success: true, result: { channel: "ticker", symbol: "PEPE/USD" } });
    expect(isSubscribed()).toBe(true);
  });

  test("All pairs are subscribed to in batches, a second apart", () => {
    const { sent, receive, pass, facts } = open(kraken, "all");
    const names = Array.from({ length: 250 }, (_, index) => `N${index}X/USD`);
    receive(instruments(...names.map((name) => pair(name)), pair("OLD/USD", { status: "delisted" })));
    expect(facts.map(({ spelling }) => spelling)).toEqual(names);
    const batches = () => sent.slice(2).map((text) => (JSON.parse(text) as Asked).params.symbol);
    expect(batches()).toEqual([names.slice(0, 100)]);
    pass(5_000);
    expect(batches()).toEqual([names.slice(0, 100), names.slice(100, 200), names.slice(200)]);
  });

  test.each([
    ["is refused", { method: "subscribe", success: false, error: "Currency pair not supported" }],
    ["does not come", null],
  ])("Prices come without the list if it %s, but not those of everything", (_, refusal) => {
    const fail = (venue: ReturnType<typeof open>) => (refusal === null ? venue.pass(10_000) : venue.receive(refusal));
    const listed = open(kraken, ["PEPE/USD"]);
    fail(listed);
    expect(listed.problems).toEqual([expect.stringMatching(/^the venue's list of symbols cannot be read: /)]);
    expect(listed.sent[1]).toContain('"symbol":["PEPE/USD"]');
    expect(() => fail(open(kraken, "all"))).toThrow("list of symbols cannot be read");
  });

  test("Currencies that the exchange has are no coins", () => {
    const { receive, facts } = open(kraken, "all");
    receive(instruments(pair("EUR/ZAR", { price_increment: 0.00001 })));
    expect(facts).toEqual([]);
    const known = open(kraken, "all");
    known.receive(instruments(pair("THB/ISK")));
    expect(known.facts[0]?.kind).toBe("forex");
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

test("coinbase: a product that the catalog lacks is described by the list, which is left then", () => {
  const { receive, sent, facts, isSubscribed } = open(coinbase, ["PEPE-USD"]);
  expect(sent).toEqual(['{"type":"subscribe","channels":["status"]}']);
  receive({ type: "subscriptions", channels: [{ name: "status", product_ids: [] }] });
  expect(isSubscribed()).toBe(false);
  const product = {
    ...{ id: "PEPE-USD", base_currency: "PEPE", quote_currency: "USD", base_increment: "1" },
    ...{ quote_increment: "0.00000001", display_name: "PEPE-USD", status: "online", min_market_funds: "1" },
  };
  receive({ type: "status", products: [product], currencies: [] }, { type: "status", products: [product] });
  expect(facts).toEqual([
    {
      ...{ spelling: "PEPE-USD", kind: "crypto", base: "PEPE", quote: "USD", digits: 8, contractSize: 1 },
      ...{ minVolume: 1, volumeStep: 1 },
    },
  ]);
  expect(sent.slice(1)).toEqual([
    '{"type":"unsubscribe","channels":["status"]}',
    '{"type":"subscribe","product_ids":["PEPE-USD"],"channels":["ticker","heartbeat"]}',
  ]);
  receive({ type: "subscriptions", channels: [{ name: "ticker", product_ids: ["PEPE-USD"] }] });
  expect(isSubscribed()).toBe(true);
});

test("coinbase: a refused list is left out", () => {
  const { receive, sent, problems } = open(coinbase, ["PEPE-USD"]);
  receive({ type: "error", message: "Failed to subscribe", reason: "status is not a valid channel" });
  expect(problems).toEqual([expect.stringContaining("status is not a valid channel")]);
  expect(sent[1]).toContain('"product_ids":["PEPE-USD"]');
});

test("coinbase: the other products are subscribed to without one that the venue does not have", () => {
  const { receive, sent, problems } = open(coinbase, ["BTC-USD", "ETH-USD"]);
  const refuse = (product: string) => {
    receive({ type: "error", message: "Failed to subscribe", reason: `${product} is not a valid product` });
  };
  refuse("BTC-USD");
  expect(problems).toEqual(["Failed to subscribe: BTC-USD is not a valid product"]);
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

  const active = (symbol: string, name: string, market: string, submarket: string, type: string, pip_size: number) => ({
    ...{ underlying_symbol: symbol, underlying_symbol_name: name, underlying_symbol_type: type, market, submarket },
    ...{ pip_size, subgroup: "none", exchange_is_open: 1, is_trading_suspended: 0, trade_count: 7 },
  });

  test("A symbol that the catalog lacks is described by the active symbols", () => {
    const { sent, receive, facts } = open(deriv, ["R_100", "frxEURUSD"]);
    expect(sent).toEqual(['{"active_symbols":"brief"}']);
    receive({
      ...{ msg_type: "active_symbols", echo_req: { active_symbols: "brief" } },
      active_symbols: [
        active("frxEURUSD", "EUR/USD", "forex", "major_pairs", "forex", 0.00001),
        active("R_100", "Volatility 100 Index", "synthetic_index", "random_index", "stockindex", 0.01),
      ],
    });
    expect(facts).toEqual([
      {
        ...{ spelling: "R_100", digits: 2, description: "Volatility 100 Index", kind: "stockindex" },
        path: "synthetic_index/random_index",
      },
    ]);
    expect(sent.slice(1)).toEqual(['{"ticks":"R_100","subscribe":1}', '{"ticks":"frxEURUSD","subscribe":1}']);
  });

  test("All symbols are subscribed to in batches, and the older names of the fields are read too", () => {
    const { sent, receive, facts, protocol } = open(deriv, "all");
    const old = { symbol: "cryABCUSD", display_name: "ABC/USD", symbol_type: "cryptocurrency", pip: "0.001" };
    const others = Array.from({ length: 60 }, (_, index) => ({ symbol: `Q_${index}`, pip_size: 3 }));
    receive({ active_symbols: [{ ...old, market: "cryptocurrency", submarket: "non_stable_coin" }, ...others] });
    expect(facts[0]).toMatchObject({ spelling: "cryABCUSD", digits: 3, path: "cryptocurrency/non_stable_coin" });
    expect(facts[1]).toEqual({ spelling: "Q_0" });
    expect(sent).toHaveLength(51);
    protocol.keepAlive?.send();
    expect(sent).toHaveLength(51 + 1 + 11);
  });

  test("Without the list, listed symbols are subscribed to nevertheless", () => {
    const { sent, receive, problems } = open(deriv, ["R_100"]);
    receive({ echo_req: { active_symbols: "brief" }, error: { code: "InputValidationFailed", message: "no" } });
    expect(problems).toEqual(["the venue's list of symbols cannot be read: InputValidationFailed no"]);
    expect(sent[1]).toBe('{"ticks":"R_100","subscribe":1}');
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
