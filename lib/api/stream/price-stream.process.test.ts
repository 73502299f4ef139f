import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { EventParser, Holding } from "@/e2e/support/event-client";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { getEntitlements } from "@/lib/access/plans";
import type { Call } from "@/lib/api/engine/call";
import { sendEvents } from "@/lib/api/stream/event-reader";
import { PriceStreams } from "@/lib/api/stream/price-streams";
import { NO_EVENTS } from "@/lib/api/stream/price-streams.fixture";
import { setUp, WEDNESDAY } from "@/lib/book/book.fixture";
import { instruments } from "@/lib/market/catalog";

/** Connections that the system really fills, with more changes than any broker sends. */

const SYMBOLS = instruments.map(({ symbol }) => symbol);
const KEY = { entitlements: getEntitlements("pro", "standard"), symbols: null } as KeyEntry;

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A server of streams of all symbols, and a connection to it. */
async function setUpServer(maxStuckMs: number) {
  const { book, now } = setUp();
  const streams = new PriceStreams({
    book,
    calendar: NO_EVENTS,
    gaps: { ended: [] },
    instruments,
    marketNow: now,
    monotonic: () => performance.now(),
    isStale: () => false,
    maxStuckMs,
  });
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    responses.push(response);
    const stream = streams.admit({ key: KEY, call: {} as Call }, SYMBOLS);
    sendEvents(response, stream, { status: 200, headers: "Content-Type: text/event-stream\r\n" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  closing.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
    streams.endAll();
  });
  let changes = 0;
  const change = () => {
    changes++;
    for (const instrument of instruments) {
      book.accept({ source: "first", instrument, bid: changes, ask: changes + 1, timeMs: WEDNESDAY + changes });
      streams.onQuote({ instrument, source: "first", bid: changes });
    }
  };
  await vi.waitFor(() => expect(streams.size).toBe(1));
  return { book, streams, socket, change, response: responses[0] as ServerResponse };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Changes every price until a connection takes no more bytes. Returns the most bytes that waited. */
async function fill({ change, response }: Awaited<ReturnType<typeof setUpServer>>, ms: number): Promise<number> {
  let most = 0;
  for (const endMs = performance.now() + 20_000; performance.now() < endMs && response.writableLength === 0;) {
    change();
    await pause(2);
  }
  expect(response.writableLength).toBeGreaterThan(0);
  for (const endMs = performance.now() + ms; performance.now() < endMs && !response.destroyed;) {
    change();
    most = Math.max(most, response.writableLength);
    await pause(2);
  }
  return most;
}

test("At most one change of each symbol waits for a client that does not read, which is then closed", async () => {
  const scene = await setUpServer(500);
  scene.socket.pause();
  expect(await fill(scene, 2_000)).toBeLessThan(100_000);
  expect(scene.response.destroyed).toBe(true);
  expect(scene.streams.size).toBe(0);
});

test("A client that reads again in time holds what the book has", async () => {
  const scene = await setUpServer(30_000);
  const holding = new Holding();
  const parser = new EventParser();
  scene.socket.pause();
  await fill(scene, 200);
  readInto(scene.socket, parser, holding);
  await vi.waitFor(
    () => {
      for (const symbol of SYMBOLS)
        expect(holding.quotes.get(symbol)).toEqual(JSON.parse(scene.book.served(symbol)?.json ?? "null"));
    },
    { timeout: 10_000, interval: 50 },
  );
});

function readInto(socket: Socket, parser: EventParser, holding: Holding): void {
  let head: string | null = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    let text = chunk;
    if (head !== null) {
      head += chunk;
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      text = head.slice(end + 4);
      head = null;
    }
    for (const event of parser.push(text)) holding.apply(event);
  });
  socket.resume();
}
