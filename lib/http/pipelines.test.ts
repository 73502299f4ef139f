import type { RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { answerOk, closeAll, connectTo, get, listen, SHORT } from "@/lib/http/half-open-client.fixture";
import { routeUpgrades } from "@/lib/http/pipelines";

afterEach(closeAll);

const H2C = "Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n";
const WEBSOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\n";

/** A server that accepts WebSockets at /socket only, and keeps an idle connection for a short time. */
async function listenForUpgrades(listener: RequestListener) {
  const http = await listen(listener, { timeouts: SHORT });
  http.server.keepAliveTimeout = 100;
  routeUpgrades(http.server, (path) =>
    path === "/socket" ? (_, socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\nwelcome") : null,
  );
  return http;
}

const answerPath: RequestListener = ({ url }, response) => void response.end(`[${url}]`);
const answerLater: RequestListener = ({ url }, response) => void setTimeout(() => response.end(`[${url}]`), 50);
const listAnswers = (received: string) => [...received.matchAll(/\[(.*?)\]/g)].map(([, path]) => path);

const PIPELINES = [
  get("/1", H2C) + get("/2", H2C),
  Array.from({ length: 50 }, (_, at) => get(`/${at + 1}`, H2C)).join(""),
  get("/1", WEBSOCKET) + get("/2", WEBSOCKET),
  get("/1") + get("/2", H2C),
  get("/1") + get("/2") + get("/3", H2C),
  get("/1") + get("/2", H2C) + get("/3") + get("/4", H2C),
  get("/1") + get("/2", WEBSOCKET),
];
const listPaths = (requests: string) => [...requests.matchAll(/GET (\S+)/g)].map(([, path]) => path);

describe("A connection with requests to upgrade in a pipeline is released", () => {
  test("after all answers, where each is complete at once", async () => {
    const check = async (requests: string) => {
      const client = await connectTo(await listenForUpgrades(answerPath), requests);
      await client.released;
      expect(listAnswers(client.received())).toEqual(listPaths(requests));
    };
    await Promise.all(PIPELINES.map(check));
  });

  test("without the answers that are missing, where an earlier one takes a while", async () => {
    const check = async (requests: string) => {
      const client = await connectTo(await listenForUpgrades(answerLater), requests);
      await client.released;
      expect(client.received()).toBe("");
    };
    await Promise.all(PIPELINES.map(check));
  });
});

test("A plain request behind one to upgrade is answered after it", async () => {
  const client = await connectTo(await listenForUpgrades(answerLater), get("/1", H2C) + get("/2"));
  expect(listAnswers(await client.until("[/2]"))).toEqual(["/1", "/2"]);
});

test("Requests to upgrade that come one after another on a connection are all answered", async () => {
  const client = await connectTo(await listenForUpgrades(answerPath));
  for (const path of ["/1", "/2", "/3"]) {
    client.socket.write(get(path, H2C));
    await client.until(`[${path}]`);
  }
  expect(listAnswers(client.received())).toEqual(["/1", "/2", "/3"]);
});

test("A WebSocket is accepted after a complete answer, and ends the connection behind an unfinished one", async () => {
  const accepted = await connectTo(await listenForUpgrades(answerOk), get("/1") + get("/socket", WEBSOCKET));
  expect(await accepted.until("welcome")).toMatch(/^HTTP\/1\.1 200 [^]*ok[^]*101 Switching/);
  const refused = await connectTo(await listenForUpgrades(answerLater), get("/1") + get("/socket", WEBSOCKET));
  await refused.released;
  expect(refused.received()).toBe("");
});
