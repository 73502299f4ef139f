import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { collect } from "@/lib/feeds/collect.fixture";
import { createWebSocketFeed, type WebSocketFeedOptions } from "@/lib/feeds/live/web-socket-feed";
import { binance } from "@/lib/feeds/venues/binance";
import type { SymbolFacts } from "@/lib/market/new-instrument";

const PATIENCE = { timeout: 10_000, interval: 5 };

const pair = (symbol: string, base: string, quote: string, tickSize: string) => ({
  ...{ symbol, status: "TRADING", baseAsset: base, baseAssetPrecision: 8, quoteAsset: quote, quotePrecision: 8 },
  ...{ quoteAssetPrecision: 8, orderTypes: ["LIMIT", "MARKET"], isSpotTradingAllowed: true, permissions: [] },
  filters: [
    { filterType: "PRICE_FILTER", minPrice: tickSize, maxPrice: "1000000.00000000", tickSize },
    { filterType: "LOT_SIZE", minQty: "0.00001000", maxQty: "9000.00000000", stepSize: "0.00001000" },
    { filterType: "ICEBERG_PARTS", limit: 10 },
  ],
});

/** An address that serves the list and the streams, each with one price of its first stream. */
async function run(answer: { status: number; body: unknown }, options: Partial<WebSocketFeedOptions>) {
  const asked: URL[] = [];
  const streams: string[][] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? "", "http://venue"));
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket, { url = "" }) => {
    const names = (new URL(url, "ws://venue").searchParams.get("streams") ?? "").split("/");
    streams.push(names);
    const symbol = names[0]?.split("@")[0]?.toUpperCase();
    socket.send(JSON.stringify({ stream: names[0], data: { u: 1, s: symbol, b: "1.5", B: "1", a: "1.6", A: "1" } }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { sink, ticks, statuses } = collect(0);
  const facts: SymbolFacts[] = [];
  const logged: string[] = [];
  const feed = createWebSocketFeed(binance, {
    ...{ name: "binance", url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/stream` },
    ...{ now: Date.now, monotonic: () => performance.now(), random: () => 0, recorder: null },
    log: pino({ level: "warn" }, { write: (line: string) => void logged.push(line) }),
    times: { silenceMs: 5_000, retryMs: 5, maxRetryMs: 20 },
    ...options,
  });
  onTestFinished(async () => {
    await feed.stop();
    for (const socket of sockets.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const symbols = async (_: string, said: readonly SymbolFacts[]) => void facts.push(...said);
  await feed.start({ ...sink, symbols });
  return { asked, streams, ticks, statuses, facts, logged, sockets };
}

test("A pair that the catalog lacks is described before its streams are opened", async () => {
  const body = { timezone: "UTC", symbols: [pair("BTCUSDT", "BTC", "USDT", "0.01000000")] };
  const { asked, streams, ticks, facts } = await run({ status: 200, body }, { symbols: ["BTCUSDT", "BTCEUR"] });
  await vi.waitFor(() => expect(ticks).toHaveLength(1), PATIENCE);
  expect(asked.map(({ pathname }) => pathname)).toEqual(["/api/v3/exchangeInfo"]);
  expect(asked[0]?.searchParams.get("symbols")).toBe('["BTCUSDT"]');
  expect(facts).toEqual([
    {
      ...{ spelling: "BTCUSDT", digits: 2, kind: "crypto", base: "BTC", quote: "USDT", contractSize: 1 },
      ...{ minVolume: 0.00001, maxVolume: 9_000, volumeStep: 0.00001 },
    },
  ]);
  expect(streams).toEqual([["btcusdt@bookTicker", "btceur@bookTicker"]]);
});

test("All pairs are on as many connections as they need, which are one to the source", async () => {
  const symbols = Array.from({ length: 450 }, (_, index) => pair(`N${index}XUSDT`, `N${index}X`, "USDT", "0.001"));
  const { asked, streams, ticks, statuses, facts, sockets } = await run(
    { status: 200, body: { symbols } },
    { all: true },
  );
  await vi.waitFor(() => expect(ticks).toHaveLength(3), PATIENCE);
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
    ...{ permissions: "SPOT", symbolStatus: "TRADING", showPermissionSets: "false" },
  });
  expect(facts).toHaveLength(450);
  expect(streams.map((names) => names.length).sort()).toEqual([200, 200, 50]);
  expect(statuses).toEqual(["binance connected undefined"]);
  // The end of one is the end of all.
  [...sockets.clients][1]?.close(1001);
  const again = ["binance disconnected closed with 1001", "binance connected undefined"];
  await vi.waitFor(() => expect(statuses.slice(1)).toEqual(again), PATIENCE);
  expect(streams).toHaveLength(6);
});

test("Prices come without the list if it is refused, but not those of everything", async () => {
  const refusal = { status: 400, body: { code: -1121, msg: "Invalid symbol." } };
  const listed = await run(refusal, { symbols: ["BTCUSDT"] });
  await vi.waitFor(() => expect(listed.ticks).toHaveLength(1), PATIENCE);
  expect(listed.logged.join()).toContain("list of symbols cannot be read: refused with HTTP status 400");
  const everything = await run(refusal, { all: true });
  await vi.waitFor(() => expect(everything.statuses).not.toEqual([]), PATIENCE);
  expect(everything.statuses[0]).toContain("disconnected the venue's list of symbols cannot be read");
  expect(everything.streams).toEqual([]);
});

test("The usual pairs need no list", async () => {
  const { asked, ticks } = await run({ status: 500, body: {} }, {});
  await vi.waitFor(() => expect(ticks).toHaveLength(1), PATIENCE);
  expect(asked).toEqual([]);
});
