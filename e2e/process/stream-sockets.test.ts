import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { Holding } from "@/e2e/support/event-client";

/** Streams of prices over WebSockets of a whole server. */

const PATH = "/ws/v1/quotes";
let spotline: SharedServer;
const opened: WebSocket[] = [];

beforeAll(async () => {
  spotline = await joinSharedServer();
});
afterAll(() => spotline.leave());
afterEach(() => opened.splice(0).forEach((socket) => socket.terminate()));

const createCaller: SharedServer["createCaller"] = (...options) => spotline.createCaller(...options);

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly symbols?: readonly string[];
  readonly error?: { readonly code: string };
}

/** Opens a WebSocket; `messages` and `holding` follow it. */
async function open(key: string, search = "", protocols: string[] = [], options: ClientOptions = {}) {
  const headers: Record<string, string> = key === "" ? {} : { "X-API-Key": key };
  const socket = new WebSocket(`${spotline.url.replace("http", "ws")}${PATH}${search}`, protocols, {
    ...options,
    headers,
  });
  opened.push(socket);
  const messages: Message[] = [];
  const holding = new Holding();
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    messages.push(message);
    holding.apply({ name: message.type, data: message });
  });
  const closed = once(socket, "close").then(([code, reason]) => [code, String(reason)] as const);
  await once(socket, "open");
  const say = (message: unknown) => socket.send(typeof message === "string" ? message : JSON.stringify(message));
  const wait = async (type: string, timeout = 5_000): Promise<Message> => {
    await vi.waitFor(() => expect(messages.some((each) => each.type === type)).toBe(true), timeout);
    return messages.findLast((each) => each.type === type) as Message;
  };
  return { socket, messages, holding, closed, say, wait };
}

/** The status and the error of a refused handshake. */
async function openRefused(key: string, protocols: string[] = [], search = ""): Promise<[number | undefined, string]> {
  const headers: Record<string, string> = key === "" ? {} : { "X-API-Key": key };
  const socket = new WebSocket(`${spotline.url.replace("http", "ws")}${PATH}${search}`, protocols, { headers });
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { error } = JSON.parse(Buffer.concat(chunks).toString()) as { error: { code: string } };
  return [response.statusCode, error.code];
}

describe("A WebSocket", () => {
  test("sends the symbols that its messages choose, each as a snapshot and then its changes", async () => {
    const { key } = await createCaller();
    const client = await open(key);
    client.say({ op: "subscribe", symbols: ["EURUSD", "GOLD"], colour: 1, "a b": 2 });
    await client.wait("snapshot");
    expect(client.messages[0]).toMatchObject({ ignored: ["colour", "a%20b"] });
    expect(client.messages.slice(0, 2).map(({ type }) => type)).toEqual(["subscribed", "snapshot"]);
    expect([...client.holding.states.keys()]).toEqual(["EURUSD", "XAUUSD"]);
    client.say({ op: "unsubscribe", symbols: ["XAUUSD"] });
    await vi.waitFor(() => expect([...client.holding.states.keys()]).toEqual(["EURUSD"]));
    await client.wait("update", 15_000);
    const response = await fetch(`${spotline.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
    const { data } = (await response.json()) as { data: object };
    expect(Object.keys(client.holding.quotes.get("EURUSD") ?? {})).toEqual(Object.keys(data));
    client.say({ op: "ping", req_id: 5 });
    expect(await client.wait("pong")).toMatchObject({ ignored: ["req_id"] });
    client.say({ op: "subscribe", symbols: ["EURUSD", "NOPE1"] });
    expect((await client.wait("error")).error).toMatchObject({ code: "SYMBOL_NOT_FOUND", symbol: "NOPE1" });
  });

  test("has its key in a subprotocol where headers cannot be set, which is not sent back", async () => {
    const { key } = await createCaller();
    const client = await open("", "?symbols=EURUSD", ["spotline.v1", `key.${key}`]);
    expect(client.socket.protocol).toBe("spotline.v1");
    await client.wait("snapshot");
    expect(spotline.output()).not.toContain(key.slice(-20));
  });

  test("resumes with what has changed, and with a snapshot if it cannot", async () => {
    const { key } = await createCaller();
    const first = await open(key, "?symbols=EURUSD,GBPUSD");
    const { id = "" } = await first.wait("snapshot");
    first.socket.terminate();
    const again = await open(key);
    again.say({ op: "resume", symbols: ["EURUSD", "GBPUSD"], id });
    await again.wait("update", 15_000);
    expect(again.messages.some(({ type }) => type === "snapshot")).toBe(false);
    again.say({ op: "resume", symbols: ["EURUSD", "GBPUSD"], id: "not a position" });
    await again.wait("snapshot");
  });

  test("ends with a reason when its key is revoked", async () => {
    const { id, key } = await createCaller();
    const client = await open(key, "?symbols=EURUSD");
    await spotline.revoke(id);
    const sinceMs = performance.now();
    expect(await client.closed).toEqual([4_401, "API_KEY_DISABLED"]);
    expect(performance.now() - sinceMs).toBeLessThan(1_500);
    expect(client.messages.at(-1)).toMatchObject({ type: "end", success: false, error: { code: "API_KEY_DISABLED" } });
  });

  test.each([
    ["without a key", "", [], "", [401, "MISSING_API_KEY"]],
    ["with a key in the query", "", [], "?key=fxk_live_x", [401, "MISSING_API_KEY"]],
    ["with a key that is not valid", "nonsense", [], "", [401, "INVALID_API_KEY"]],
    ["with such a key in a subprotocol", "", ["spotline.v1", "key.x"], "", [401, "INVALID_API_KEY"]],
    ["for a symbol that is not known", "valid", [], "?symbols=NOPE1", [404, "SYMBOL_NOT_FOUND"]],
  ])("is refused %s", async (_, kind, protocols, search, expected) => {
    const key = kind === "valid" ? (await createCaller()).key : kind;
    expect(await openRefused(key, protocols, search)).toEqual(expected);
  });

  test("counts toward the streams and the symbols of the plan", async () => {
    const { key } = await createCaller("free");
    const client = await open(key);
    client.say({ op: "subscribe", symbols: ["EURUSD", "GBPUSD", "USDJPY", "AUDUSD", "NZDUSD", "USDCAD"] });
    expect((await client.wait("error")).error?.code).toBe("PLAN_UPGRADE_REQUIRED");
    expect(await openRefused(key)).toEqual([429, "TOO_MANY_STREAMS"]);
    client.socket.close();
    await client.closed;
    await vi.waitFor(async () => void (await open(key)), { timeout: 2_000, interval: 100 });
  });
});

describe("A hostile client", () => {
  test.each([
    ["text that is not JSON", "hello", "VALIDATION_ERROR"],
    ["a list", "[]", "VALIDATION_ERROR"],
    ["no operation", "{}", "VALIDATION_ERROR"],
    ["an unknown operation", { op: "order" }, "VALIDATION_ERROR"],
    ["no symbols", { op: "subscribe" }, "VALIDATION_ERROR"],
    ["symbols that are no list", { op: "subscribe", symbols: "EURUSD" }, "VALIDATION_ERROR"],
    ["symbols that are no text", { op: "subscribe", symbols: [1] }, "VALIDATION_ERROR"],
    ["an unknown symbol", { op: "subscribe", symbols: ["EURUSD", "NOPE1"] }, "SYMBOL_NOT_FOUND"],
    ["__proto__", '{"op":"subscribe","symbols":["__proto__"],"__proto__":{"op":"ping"}}', "SYMBOL_NOT_FOUND"],
    ["a long position", { op: "resume", symbols: ["EURUSD"], id: "1".repeat(65) }, "VALIDATION_ERROR"],
  ])("that sends %s gets an error, and its stream stays open", async (_, message, code) => {
    const { key } = await createCaller();
    const client = await open(key, "?symbols=EURUSD");
    client.say(message);
    const { error } = await client.wait("error");
    expect(error?.code).toBe(code);
    client.say({ op: "ping" });
    await client.wait("pong");
  });

  test("that sends binary data gets an error", async () => {
    const client = await open((await createCaller()).key);
    client.socket.send(Buffer.from('{"op":"ping"}'), { binary: true });
    expect((await client.wait("error")).error?.code).toBe("VALIDATION_ERROR");
  });

  test("that sends a message of 17 KiB is told so, and closed", async () => {
    const client = await open((await createCaller()).key);
    client.say(" ".repeat(17 * 1024));
    expect((await client.wait("error")).error?.code).toBe("PAYLOAD_TOO_LARGE");
    expect((await client.closed)[0]).toBe(1_009);
  });

  test.each(["messages", "pings"])("that floods with %s is slowed down, then closed", async (kind) => {
    const client = await open((await createCaller()).key);
    for (let message = 0; message < 30; message++) {
      if (kind === "pings") client.socket.ping();
      else client.say({ op: "ping" });
    }
    expect((await client.wait("error")).error?.code).toBe("RATE_LIMIT_EXCEEDED");
    for (let message = 0; message < 200; message++) {
      if (kind === "pings") client.socket.ping();
      else client.say({ op: "ping" });
    }
    expect((await client.closed)[0]).toBe(1_008);
  });

  test("that sends bytes which are no WebSocket is closed, and others are served", async () => {
    const { key } = await createCaller();
    const { hostname, port } = new URL(spotline.url);
    const head = `GET ${PATH} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    for (const rest of [
      "\r\n",
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\xff\xff\xff\xff",
    ]) {
      const socket = connect(Number(port), hostname, () => socket.write(head + rest, "latin1"));
      socket.resume();
      await once(socket, "close");
    }
    const client = await open(key, "?symbols=EURUSD");
    await client.wait("snapshot");
  });

  test("that never reads does not hold up another one", async () => {
    const { key } = await createCaller();
    const client = await open(key);
    client.socket.pause();
    for (let message = 0; message < 20; message++) client.say({ op: "subscribe", symbols: ["EURUSD"] });
    const other = await open(key, "?symbols=EURUSD");
    await other.wait("update", 15_000);
  });
});
