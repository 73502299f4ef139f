import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { healthReply } from "@/lib/api/service/health";
import { answerOk, closeAll, connectTo, get, HOST, listen, POSTED, SHORT } from "@/lib/http/half-open-client.fixture";
import { MAX_UNFINISHED, STARTED_IN_TURN } from "@/lib/http/pipelines";

afterEach(closeAll);

describe("A connection whose client never closes its side is released", () => {
  test.each([
    ["it sends nothing", "", 408],
    ["it never finishes its headers", "GET / HTTP/1.1\r\nX-A: ", 408],
    ["it never sends the announced body", POSTED, 408],
    ["it sends bytes that are not HTTP", "\0\x01 nonsense\r\n\r\n", 400],
    ["it asks for *", get("*"), 400],
    ["it asks for a URL with a user", get("http://a@elsewhere.example/"), 400],
    ["it names two hosts", get("/", "host: b\r\n"), 400],
    ["it names no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["it expects what no server does", get("/", "Expect: 200-maybe\r\n"), 417],
    ["it asks to close", get("/", "Connection: close\r\n"), 200],
    ["its headers are too large", get("/", `X-A: ${"a".repeat(40_000)}\r\n`), 431],
  ])("after %s", async (_, bytes, status) => {
    const answerBody: RequestListener = (request, response) => {
      request.resume();
      request.on("end", () => response.end("ok"));
    };
    const http = await listen(answerBody, { timeouts: SHORT });
    const client = await connectTo(http, bytes);
    await client.released;
    const received = await client.ended;
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status !== 200) expect(received).toContain('{"success":false,"error":{"code":');
  });

  test("after it has taken no byte of an answer for a while", async () => {
    const http = await listen((_, response) => void response.end(Buffer.alloc(32 << 20)), { timeouts: SHORT });
    const client = await connectTo(http, get("/"), false);
    await client.released;
  });

  test("but not while it reads slowly", async () => {
    const timeouts = { ...SHORT, stalledMs: 1_000 };
    const http = await listen((_, response) => void response.end(Buffer.alloc(8 << 20)), { timeouts });
    const client = await connectTo(http, get("/", "Connection: close\r\n"), false);
    let bytes = 0;
    const startedAtMs = performance.now();
    client.socket.on("data", (chunk) => {
      bytes += chunk.length;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 10);
    });
    await new Promise((resolve) => client.socket.once("end", resolve));
    expect(bytes).toBeGreaterThan(8 << 20);
    expect(performance.now() - startedAtMs).toBeGreaterThan(timeouts.stalledMs);
  });
});

test("A client that sends on after its request was refused can read the error", async () => {
  const client = await connectTo(await listen(answerOk), "GET /", false);
  for (let part = 0; part < 20; part++) await client.send("x".repeat(50_000));
  const received = await client.socket.setEncoding("latin1").toArray();
  expect(received.join("")).toMatch(/^HTTP\/1.1 414 [^]*"code":"URI_TOO_LONG"[^}]*\}\}$/);
});

test("A client may wait longer for an answer than it may stall", async () => {
  const late: RequestListener = (_, response) => void setTimeout(() => response.end("late"), 3 * SHORT.stalledMs);
  const client = await connectTo(await listen(late, { timeouts: SHORT }), get("/"));
  expect(await client.until("late")).toMatch(/^HTTP\/1.1 200 /);
});

describe("An error is never taken for the answer of another request", () => {
  test("a target that is no path in a pipeline is refused after the answer before it", async () => {
    const held: ServerResponse[] = [];
    const http = await listen((_, response) => void held.push(response));
    const client = await connectTo(http, get("/") + get("*"));
    await expect.poll(() => held.length).toBe(1);
    expect(client.received()).toBe("");
    held[0]?.end("first");
    expect(await client.ended).toMatch(/^HTTP\/1.1 200 [^]*first[^]*HTTP\/1.1 400 /);
  });

  test("garbage after a request that is not answered yet ends the connection without an answer", async () => {
    const http = await listen(() => {});
    const client = await connectTo(http, `${get("/")}\0\0\r\n\r\n`);
    await client.released;
    expect(client.received()).toBe("");
  });
});

describe("A pipeline", () => {
  test("has a bounded number of unfinished answers, and all its answers in order", async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    let answered = 0;
    const http = await listen((_, response) => {
      held.push(response);
      most = Math.max(most, held.length);
      setTimeout(() => held.splice(held.indexOf(response), 1).forEach((each) => each.end(`[${answered++}]`)), 1);
    });
    const count = 5_000;
    const client = await connectTo(http, get("/").repeat(count));
    const received = await client.until(`[${count - 1}]`);
    expect([...received.matchAll(/\[(\d+)\]/g)].map(([, at]) => Number(at))).toEqual(
      Array.from({ length: count }, (_, at) => at),
    );
    expect(most).toBe(MAX_UNFINISHED);
  });

  test("of large answers waits until the client reads", async () => {
    let started = 0;
    const body = Buffer.alloc(1 << 20);
    const http = await listen(
      (_, response) => {
        started++;
        response.end(body);
      },
      { timeouts: SHORT },
    );
    const client = await connectTo(http, get("/").repeat(200), false);
    await client.released;
    expect(started).toBeLessThan(50);
  });

  test("has a bounded number of requests that are started in one turn of the event loop", async () => {
    let started = 0;
    let startedBefore = 0;
    let most = 0;
    const http = await listen((_, response) => {
      started++;
      response.end("ok");
    });
    const countTurn = () => {
      most = Math.max(most, started - startedBefore);
      startedBefore = started;
      if (started < count) setImmediate(countTurn);
    };
    const count = 1_000;
    const client = await connectTo(http, get("/").repeat(count));
    countTurn();
    await client.until(count);
    // Two are started when they are read, without waiting.
    expect(most).toBeLessThanOrEqual(STARTED_IN_TURN + 2);
  });

  test("is answered in turn with other connections", async () => {
    let answered = 0;
    let answeredBefore = Infinity;
    const http = await listen((request, response) => {
      answered++;
      if (request.url === "/other") answeredBefore = answered;
      // The second connection sends its request while the first one's are being answered.
      if (answered === 1) other.socket.write(get("/other"));
      response.end("ok");
    });
    const other = await connectTo(http);
    const count = 1_000;
    const client = await connectTo(http, get("/").repeat(count));
    await client.until(count);
    await other.until("ok");
    expect(answeredBefore).toBeLessThan(count / 4);
  });

  test("ends with its connection", async () => {
    let started = 0;
    const http = await listen((_, response) => {
      started++;
      setTimeout(() => response.end("ok"), 20);
    });
    const client = await connectTo(http, get("/").repeat(1_000));
    await client.until("ok");
    client.socket.destroy();
    await client.released;
    const startedByThen = started;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(started).toBe(startedByThen);
    expect(started).toBeLessThan(1_000);
  });
});

describe("Connections above a limit are closed at once", () => {
  test.each([
    ["of all addresses", { total: 2 }, 2],
    ["of one address", { perAddress: 3 }, 3],
    ["but those of proxies only in all", { total: 4, perAddress: 1, proxyCount: 1 }, 4],
  ])("%s", async (_, settings, admitted) => {
    const http = await listen(answerOk, settings);
    const clients = Array.from({ length: admitted }, () => connectTo(http, get("/")));
    for (const client of clients) await (await client).until("ok");
    expect(await (await connectTo(http, get("/"))).ended).toBe("");
    (await clients[0])?.socket.destroy();
    await expect
      .poll(async () => {
        const client = await connectTo(http, get("/"));
        return Promise.race([client.until("ok"), client.ended]);
      })
      .toContain("ok");
  });
});

describe("Until it serves, a server", () => {
  test.each([
    ["/ready", 503],
    ["/health", 200],
  ])("answers %s with %i and the reason", async (path, status) => {
    const client = await connectTo(await listen(), get(path, "Connection: close\r\n"));
    const [head = "", body = ""] = (await client.ended).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(healthReply.parse(JSON.parse(body))).toEqual({
      status: "down",
      components: { starting: { status: "down" } },
    });
  });

  test("answers everything else with 503 and Retry-After", async () => {
    const client = await connectTo(await listen(), get("/v1/quote", "Connection: close\r\n"));
    const received = await client.ended;
    expect(received).toMatch(/^HTTP\/1.1 503 [^]*Retry-After: \d/);
    expect(received).toContain('"code":"SERVICE_UNAVAILABLE"');
  });
});

describe("A server that stops", () => {
  test("says so under /ready, and answers other requests with Connection: close", async () => {
    const held: ServerResponse[] = [];
    const http = await listen((_, response) => void held.push(response));
    const underWay = await connectTo(http, get("/"));
    const kept = await connectTo(http);
    await expect.poll(() => held.length).toBe(1);
    http.announceStop();
    held[0]?.end("first");
    expect(await underWay.ended).toMatch(/Connection: close[^]*first/);
    kept.socket.write(get("/v1/quote"));
    await expect.poll(() => held.length).toBe(2);
    held[1]?.end("second");
    expect(await kept.ended).toMatch(/Connection: close[^]*second/);
    const probe = await connectTo(http, get("/ready"));
    expect(await probe.ended).toMatch(/^HTTP\/1.1 503 [^]*"stopping":\{"status":"down"\}/);
    await http.drain();
  });
});

test("A port in use, or an address of another machine, is refused with the setting to change", async () => {
  const port = (await listen(answerOk)).port();
  await expect(listen(answerOk, { port })).rejects.toThrow(
    `Port ${port} of ${HOST} is in use by another program. Stop it, or set PORT to a free port.`,
  );
});

test("A connection that cannot be accepted does not end the process", async () => {
  const http = await listen(answerOk);
  http.server.emit("error", new Error("accept EMFILE"));
  await (await connectTo(http, get("/"))).until("ok");
});
