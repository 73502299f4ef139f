import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { collect } from "@/lib/feeds/collect.fixture";
import type { Feed, FeedSink } from "@/lib/feeds/feed";
import { type Connection, type CreateProtocol, type OpenWire, VenueError } from "@/lib/feeds/live/connector";
import { createLiveFeed, createPriceWatch, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { joinWires, openHttpWire, openStreamWire, openWebSocketWire } from "@/lib/feeds/live/wires";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { cryptoHours } from "@/lib/market/instruments/hours";
import { silentLog } from "@/lib/platform/log/log";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A protocol whose every message is a bid; "end" and "fail" throw. */
const createProtocol: CreateProtocol = (connection: Connection) => ({
  opened: () => connection.subscribed(),
  received(data) {
    const text = data.toString();
    if (text === "heartbeat") return;
    if (text === "fail") throw new VenueError("wrong key", { isFinal: true });
    connection.price("EURUSD", Number(text), Number(text) + 1, null);
  },
});

/** The client may reset a connection before it has read everything. */
const ignore = (): void => {};
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A venue that does what each test says with a new connection. Returns its port and the number of connections so far. */
async function openVenue(onConnection: (send: (text: string) => void, close: () => void, count: number) => void) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  let count = 0;
  server.on("connection", (socket) => {
    onConnection(
      (text) => socket.send(text),
      () => socket.close(1013),
      ++count,
    );
  });
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => {
    for (const client of server.clients) client.terminate();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count };
}

async function start(openWire: OpenWire, options: Partial<LiveFeedOptions> = {}, also: Partial<FeedSink> = {}) {
  const { sink, ticks, statuses } = collect(0);
  const feed: Feed = createLiveFeed({
    ...{ name: "venue", now: Date.now, monotonic: () => performance.now(), log: silentLog, random: () => 0 },
    ...{ recorder: null, times: { silenceMs: 5_000, retryMs: 10, maxRetryMs: 20 }, openWire, createProtocol },
    ...options,
  });
  closers.push(() => feed.stop());
  await feed.start({ ...sink, ...also });
  return { feed, ticks, statuses, bids: () => ticks.map(({ bid }) => bid) };
}

const webSocket = (url: string) => openWebSocketWire({ url });

describe("a live feed", () => {
  test("connects again whenever the venue closes the connection, and says why it was lost", async () => {
    const venue = await openVenue((send, close, count) => {
      send(String(count));
      close();
    });
    const { bids, statuses } = await start(webSocket(venue.url));
    await vi.waitFor(() => expect(bids().slice(0, 3)).toEqual([1, 2, 3]), 10_000);
    expect(statuses.slice(0, 3)).toEqual([
      "venue connected undefined",
      "venue disconnected closed with 1013",
      "venue connected undefined",
    ]);
  });

  describe("passes on what a venue says of its symbols, and goes on", () => {
    const FACTS = { spelling: "X1", digits: 3 };
    const naming: CreateProtocol = (connection) => ({
      opened: () => connection.symbols([FACTS], () => connection.subscribed("after the list")),
      received: () => {},
    });

    test("once the catalog has them", async () => {
      const venue = await openVenue(() => {});
      let store = () => {};
      const stored = new Promise<void>((resolve) => void (store = resolve));
      const named: unknown[] = [];
      const symbols = (...given: unknown[]) => {
        named.push(given);
        return stored;
      };
      const { statuses } = await start(webSocket(venue.url), { createProtocol: naming }, { symbols });
      await vi.waitFor(() => expect(named).toEqual([["venue", [FACTS]]]), 10_000);
      expect(statuses).toEqual([]);
      store();
      await vi.waitFor(() => expect(statuses).toEqual(["venue connected after the list"]), 10_000);
    });

    test("after seconds if the catalog cannot be changed", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      closers.push(() => void vi.useRealTimers());
      const openWire: OpenWire = (events) => {
        queueMicrotask(() => events.opened());
        return { send() {}, destroy() {} };
      };
      const times = { silenceMs: 60_000, retryMs: 10, maxRetryMs: 20 };
      const symbols = () => new Promise<void>(() => {});
      const { statuses } = await start(openWire, { createProtocol: naming, times }, { symbols });
      await vi.advanceTimersByTimeAsync(4_999);
      expect(statuses).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(statuses).toEqual(["venue connected after the list"]);
    });

    test("and ends the connection if it cannot subscribe to what is left", async () => {
      const venue = await openVenue(() => {});
      const refusing: CreateProtocol = (connection) => ({
        opened: () =>
          connection.symbols([FACTS], () => {
            throw new VenueError("none of the symbols", { isFinal: true });
          }),
        received: () => {},
      });
      const { statuses } = await start(webSocket(venue.url), { createProtocol: refusing }, { symbols: async () => {} });
      await vi.waitFor(() => expect(statuses).toEqual(["venue ended none of the symbols"]), 10_000);
    });
  });

  test("drops all of several connections once nothing arrives on one", async () => {
    const venue = await openVenue((send, _, count) => {
      if (count === 2) return;
      send("1");
      const sending = setInterval(() => send("1"), 10);
      closers.push(() => clearInterval(sending));
    });
    const { bids, statuses } = await start(joinWires([webSocket(venue.url), webSocket(venue.url)], 200));
    await vi.waitFor(() => expect(statuses).toHaveLength(3), 10_000);
    expect(statuses.slice(0, 2)).toEqual([
      "venue connected undefined",
      "venue disconnected nothing arrived for 200 ms on one of 2 connections",
    ]);
    expect(bids()).toContain(1);
  });

  test("drops a connection on which nothing arrives", async () => {
    const venue = await openVenue((send, _, count) => {
      if (count > 1) send("2");
    });
    const { bids, statuses } = await start(webSocket(venue.url), {
      times: { silenceMs: 200, retryMs: 10, maxRetryMs: 20 },
    });
    await vi.waitFor(() => expect(bids()[0]).toBe(2), 10_000);
    expect(statuses[1]).toBe("venue disconnected nothing arrived for 200 ms");
  });

  test("drops a connection that has heartbeats but no prices, only while prices are expected", async () => {
    const venue = await openVenue((send) => {
      const beating = setInterval(() => send("heartbeat"), 20);
      closers.push(() => clearInterval(beating));
    });
    let isOpen = false;
    const { statuses } = await start(webSocket(venue.url), { prices: { silenceMs: 50, areExpected: () => isOpen } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(statuses).toEqual(["venue connected undefined"]);
    isOpen = true;
    await vi.waitFor(() => expect(statuses[1]).toBe("venue disconnected no price for 50 ms"), 10_000);
  });

  test("does not try again with credentials that the venue refused", async () => {
    const venue = await openVenue((send) => send("fail"));
    const { statuses } = await start(webSocket(venue.url));
    await vi.waitFor(() => expect(statuses).toContain("venue ended wrong key"), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(venue.connections()).toBe(1);
  });

  test("reports a refusal over HTTP without the address, which may contain a key", async () => {
    const server = createHttpServer((_, response) => response.writeHead(401).end());
    server.on("upgrade", (_, socket) => socket.on("error", ignore).end("HTTP/1.1 401 Unauthorized\r\n\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(() => void server.close());
    const port = (server.address() as AddressInfo).port;
    const { statuses } = await start(webSocket(`ws://127.0.0.1:${port}/?apikey=secret`));
    await vi.waitFor(() => expect(statuses).toEqual(["venue ended refused with HTTP status 401"]), 10_000);
    const http = await start(openHttpWire({ url: `http://127.0.0.1:${port}/?token=secret`, headers: {} }));
    await vi.waitFor(() => expect(http.statuses).toEqual(["venue ended refused with HTTP status 401"]), 10_000);
  });

  test("stops at once, also while it waits for its next attempt or for an answer", async () => {
    const { feed, statuses } = await start(webSocket("ws://127.0.0.1:1"), {
      times: { silenceMs: 60_000, retryMs: 60_000, maxRetryMs: 60_000 },
    });
    await vi.waitFor(() => expect(statuses).toEqual(["venue disconnected ECONNREFUSED"]), 10_000);
    await feed.stop();
    await feed.stop();
    const server = createTcpServer((socket) => socket.on("error", ignore));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(() => void server.close());
    const waiting = await start(webSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`));
    await waiting.feed.stop();
    expect(waiting.statuses).toEqual([]);
  });
});

test("A stream's bytes arrive in order, and its end is noticed", async () => {
  const server = createTcpServer((socket: Socket) => socket.on("error", ignore).end("7"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { bids, statuses } = await start(openStreamWire({ host: "127.0.0.1", port, tls: false }));
  await vi.waitFor(() => expect(bids().length).toBeGreaterThan(1), 10_000);
  expect(bids()[0]).toBe(7);
  expect(statuses[1]).toBe("venue disconnected closed by the venue");
});

test("The body of an HTTP response arrives as it is sent", async () => {
  const server = createHttpServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/octet-stream" });
    response.write("8");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { bids } = await start(openHttpWire({ url: `http://127.0.0.1:${port}/stream`, headers: {} }));
  await vi.waitFor(() => expect(bids()).toEqual([8]), 10_000);
});

const WEDNESDAY = Date.UTC(2026, 0, 14, 14);
const SATURDAY = Date.UTC(2026, 0, 17, 12);
/** 17:00 in New York. */
const SUNDAY_OPENING = Date.UTC(2026, 0, 18, 22);

interface More {
  readonly hours?: TradingHours | null;
  readonly expectedRate?: number | null;
}

function watch(symbols: readonly string[], { hours = null, expectedRate = null }: More = {}) {
  let nowMs = WEDNESDAY;
  const instruments = symbols.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []);
  const prices = createPriceWatch({ instruments, hours, expectedRate, now: () => nowMs });
  return { silenceMs: prices?.silenceMs, expectedAt: (atMs: number) => ((nowMs = atMs), prices?.areExpected()) };
}

test("Prices are missed sooner from a source of coins, or as soon as the operator's rate says", () => {
  expect(watch(["BTCUSD", "ETHUSD"]).silenceMs).toBe(MINUTE_MS);
  expect(watch(["EURUSD", "BTCUSD"]).silenceMs).toBe(3 * MINUTE_MS);
  expect(watch(["EURUSD"], { expectedRate: 0.2 }).silenceMs).toBe(5 * MINUTE_MS);
  expect(watch(["EURUSD"], { expectedRate: 100 }).silenceMs).toBe(30 * SECOND_MS);
  expect(watch([]).silenceMs).toBeUndefined();
});

test("Prices are expected while any market of the source is open, by its own hours if it has some", () => {
  expect(watch(["EURUSD"]).expectedAt(WEDNESDAY)).toBe(true);
  expect(watch(["EURUSD"]).expectedAt(SATURDAY)).toBe(false);
  expect(watch(["EURUSD", "BTCUSD"]).expectedAt(SATURDAY)).toBe(true);
  expect(watch(["EURUSD"], { hours: cryptoHours }).expectedAt(SATURDAY)).toBe(true);
});

test("A market that has just opened may be silent as long as one that was open", () => {
  const { expectedAt } = watch(["EURUSD"]);
  const openMs = [0, 1, 2, 3, 6, 10, 20].find((minutes) => expectedAt(SUNDAY_OPENING + minutes * MINUTE_MS));
  expect(openMs).toBeGreaterThanOrEqual(3);
});
