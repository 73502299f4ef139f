import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { Answer } from "@/lib/api/engine/answer";
import { writeAnswer } from "@/lib/api/node-host";
import type { DirectHost } from "@/lib/http/direct-connections";
import { type Client, closeAll, connectTo, get, listen, SHORT } from "@/lib/http/half-open-client.fixture";
import { routeUpgrades } from "@/lib/http/pipelines";

afterEach(closeAll);

const GET = get("/v1/quote");
const answer = (body: Answer["body"], status = 200, isAscii = false): Answer => ({
  ...{ status, headers: "X-A: a\r\n", body, isAscii },
});
/** Who has answered: the direct host, or the listener of node:http. */
const direct: DirectHost = ({ url }) => answer(`[direct ${url}]`);
const viaNode: RequestListener = ({ url }, response) => void response.end(`[node ${url}]`);
const listAnswers = (client: Client) => [...client.received().matchAll(/\[(.*?)\]/g)].map(([, text]) => text);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A direct host whose answers the test gives. */
function holdAnswers() {
  const held: ((given: Answer) => void)[] = [];
  const host: DirectHost = () => new Promise((resolve) => held.push(resolve));
  const takeNext = async () => {
    await expect.poll(() => held.length).toBe(1);
    return held.pop() as (given: Answer) => void;
  };
  return { host, takeNext };
}

test.each([
  ["ASCII text", answer("text", 200, true)],
  ["other text", answer("Zürich ¥")],
  ["bytes", answer(Buffer.from([0, 255, 10]))],
  ["an error", answer("{}", 422, true)],
  ["no text", answer("", 200)],
  ["no bytes", answer(new Uint8Array(0))],
  ["304", answer("", 304)],
  ["204", answer("", 204)],
])("An answer with %s has the same bytes as that of node:http", async (_, given) => {
  let directly = 0;
  const host: DirectHost = () => {
    directly++;
    return given;
  };
  const http = await listen((request, response) => writeAnswer(request.method, response, given), { direct: host });
  const read = async (...parts: string[]) => {
    const client = await connectTo(http);
    for (const part of parts) await client.send(part);
    await client.until(1);
    client.socket.end();
    return (await client.ended).replace(/Date: .*/, "Date");
  };
  const whole = await read(GET);
  expect(directly).toBe(1);
  // What comes in parts is read by node:http.
  expect(whole).toBe(await read(GET.slice(0, 20), GET.slice(20)));
  expect(directly).toBe(1);
  expect(whole).toMatch(/^HTTP\/1.1 \d{3} [A-Z]/);
});

describe("A connection is given to node:http for good", () => {
  test("at the first request that is not simple", async () => {
    const client = await connectTo(await listen(viaNode, { direct }), get("/v1/1"));
    for (const path of ["/v1/2", "/page", "/v1/3"]) {
      await client.until(listAnswers(client).length + 1);
      client.socket.write(get(path));
    }
    await client.until(4);
    expect(listAnswers(client)).toEqual(["direct /v1/1", "direct /v1/2", "node /page", "node /v1/3"]);
  });

  test("at a pipeline, which is answered in its order", async () => {
    const client = await connectTo(await listen(viaNode, { direct }), get("/v1/1") + get("/v1/2") + get("/v1/3"));
    await client.until(3);
    expect(listAnswers(client)).toEqual(["node /v1/1", "node /v1/2", "node /v1/3"]);
  });

  test("at a request that comes before the answer to another one", async () => {
    const { host, takeNext } = holdAnswers();
    const client = await connectTo(await listen(viaNode, { direct: host }), get("/v1/1"));
    const give = await takeNext();
    for (const path of ["/v1/2", "/v1/3", "/v1/4"]) await client.send(get(path));
    give(answer("[held]"));
    await client.until(4);
    expect(listAnswers(client)).toEqual(["held", "node /v1/2", "node /v1/3", "node /v1/4"]);
  });

  test("when the host leaves the request to it", async () => {
    const client = await connectTo(await listen(viaNode, { direct: () => null }), GET);
    await client.until(1);
    expect(listAnswers(client)).toEqual(["node /v1/quote"]);
  });

  test("split at any byte, with the same answer", async () => {
    const http = await listen(viaNode, { direct });
    for (let at = 1; at < GET.length; at++) {
      const client = await connectTo(http);
      await client.send(GET.slice(0, at));
      client.socket.write(GET.slice(at));
      await client.until(1);
      expect(listAnswers(client)).toEqual(["node /v1/quote"]);
      client.socket.destroy();
    }
  });
});

describe("A connection whose client never closes its side is released", () => {
  test.each([
    ["it sends nothing", "", 408],
    ["it never finishes its headers", "GET /v1/quote HTTP/1.1\r\nX-A: ", 408],
    ["it never sends the announced body", "POST /v1/quotes HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n", 408],
    ["it sends bytes that are not HTTP", "\0\x01 nonsense\r\n\r\n", 400],
    ["it asks to close", get("/v1/quote", "Connection: close\r\n"), 200],
    ["its headers are too large", get("/v1/quote", `X-A: ${"a".repeat(40_000)}\r\n`), 431],
  ])("after %s", async (_, bytes, status) => {
    const read: RequestListener = (request, response) => void request.resume().on("end", () => response.end("ok"));
    const client = await connectTo(await listen(read, { timeouts: SHORT, direct }), bytes);
    await client.released;
    expect(await client.ended).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test.each(["", "POST /v1/quotes HTTP/1.1\r\n"])("after an answer and then '%s'", async (next) => {
    const http = await listen(viaNode, { timeouts: SHORT, direct });
    // With the second for late requests: a tenth of a second.
    http.server.keepAliveTimeout = -900;
    const client = await connectTo(http, GET);
    await client.until(1);
    client.socket.write(next);
    await client.released;
    expect(listAnswers(client)).toEqual(["direct /v1/quote"]);
  });

  test("after it has taken no byte of an answer for a while", async () => {
    const http = await listen(viaNode, { timeouts: SHORT, direct: () => answer(Buffer.alloc(32 << 20)) });
    const client = await connectTo(http, GET, false);
    await client.released;
  });

  test("but not while it reads slowly, after which the next request is answered", async () => {
    const timeouts = { ...SHORT, stalledMs: 1_000 };
    const large = answer("a".repeat(8 << 20), 200, true);
    const http = await listen(viaNode, {
      timeouts,
      direct: ({ url }) => (url === "/v1/quote" ? large : answer("[next]")),
    });
    const client = await connectTo(http, GET, false);
    let bytes = 0;
    let tail = "";
    const startedAtMs = performance.now();
    client.socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      tail = chunk.toString("latin1");
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 15);
    });
    await expect.poll(() => bytes, { timeout: 40_000 }).toBeGreaterThan(8 << 20);
    expect(performance.now() - startedAtMs).toBeGreaterThan(timeouts.stalledMs);
    client.socket.write(get("/v1/next"));
    await expect.poll(() => tail, { timeout: 10_000 }).toContain("[next]");
  });
});

test("A client may wait longer for an answer than it may stall, also after closing its side", async () => {
  const { host, takeNext } = holdAnswers();
  const client = await connectTo(await listen(viaNode, { timeouts: SHORT, direct: host }), GET);
  const give = await takeNext();
  client.socket.end();
  await pause(2 * SHORT.stalledMs);
  give(answer("[late]"));
  expect(await client.ended).toContain("[late]");
});

test("A client that leaves before its answer has no effect on others", async () => {
  const { host, takeNext } = holdAnswers();
  const http = await listen(viaNode, { direct: host });
  const client = await connectTo(http, GET);
  const give = await takeNext();
  client.socket.resetAndDestroy();
  await client.released;
  give(answer("[nobody]"));
  const other = await connectTo(http, GET);
  (await takeNext())(answer("[other]"));
  expect(await other.until(1)).toContain("[other]");
});

test("Connections that node:http does not know are limited like others", async () => {
  const http = await listen(viaNode, { direct, perAddress: 2 });
  const [first, second] = [await connectTo(http, GET), await connectTo(http, GET)];
  await Promise.all([first.until(1), second.until(1)]);
  expect(await (await connectTo(http, GET)).ended).toBe("");
  first.socket.destroy();
  await expect
    .poll(async () => {
      const client = await connectTo(http, GET);
      return Promise.race([client.until(1), client.ended]);
    })
    .toContain("[direct");
});

test("An upgrade after a direct answer reaches what answers its path", async () => {
  const http = await listen(viaNode, { direct });
  const upgrades: string[] = [];
  routeUpgrades(http.server, (path) => {
    upgrades.push(path);
    return (_, socket) => socket.end("[upgraded]");
  });
  const client = await connectTo(http, GET);
  await client.until(1);
  client.socket.write(get("/ws/v1/quotes", "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
  await client.ended;
  expect(listAnswers(client)).toEqual(["direct /v1/quote", "upgraded"]);
  expect(upgrades).toEqual(["/ws/v1/quotes"]);
});

describe("A server that stops", () => {
  test("tells each connection to close with its next answer, and closes those that wait for none", async () => {
    const { host, takeNext } = holdAnswers();
    const held: ServerResponse[] = [];
    const http = await listen((_, response) => void held.push(response), {
      direct: (request) => (request.url === "/v1/slow" ? host(request) : direct(request)),
    });
    const [idle, kept, slow] = [
      await connectTo(http, GET),
      await connectTo(http, GET),
      await connectTo(http, get("/v1/slow")),
    ];
    await idle.until(1);
    await kept.until(1);
    const give = await takeNext();
    http.announceStop();
    kept.socket.write(GET);
    await expect.poll(() => held.length).toBe(1);
    const drained = http.drain();
    expect(await idle.ended).not.toContain("Connection: close");
    held[0]?.end("[kept]");
    give(answer("[slow]"));
    expect(await kept.ended).toMatch(/Connection: close[^]*\[kept\]/);
    expect(await slow.ended).toMatch(/Connection: close[^]*\[slow\]/);
    for (const { socket } of [idle, kept, slow]) socket.destroy();
    await drained;
  });
});
