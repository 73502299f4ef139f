import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

/** Upgrades and kept connections, on a whole server. */

let spotline: SharedServer;
beforeAll(async () => {
  spotline = await joinSharedServer();
});
afterAll(() => spotline.leave());

const UNREAD_ANSWERS = 200;

/** Sends a request, never closes its side, and resolves with the answer when its text has arrived, or the connection ends. */
function send(path: string, headers: string, until: RegExp): Promise<string> {
  const { hostname, port } = new URL(spotline.url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`),
    );
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString();
      if (until.test(received)) finish();
    });
    socket.on("end", finish);
    socket.on("error", finish);
  });
}

const WEBSOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n";
const H2C = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";

describe("A request to upgrade the connection is answered at once", () => {
  test.each(["/sign-in", "/no-such-page", "/_next/webpack-hmr"])("with 404 for a WebSocket at %s", async (path) => {
    const answer = await send(path, WEBSOCKET, /\}$/);
    expect(answer).toMatch(/^HTTP\/1\.1 404 [^]*Connection: close/);
    expect(answer).toContain('"code":"NOT_FOUND"');
  });

  test.each(["/v1/stream", "/ws/v1/nothing"])("with the right address for a WebSocket at %s", async (path) => {
    expect(await send(path, WEBSOCKET, /\}$/)).toMatch(
      /^HTTP\/1\.1 426 [^]*"message":"The WebSocket [^"]*\/ws\/v1\/quotes/,
    );
  });

  test("with the API's answer for a WebSocket at one of its endpoints", async () => {
    expect(await send("/v1/quote", WEBSOCKET, /\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await send("/ws/v1/quotes", WEBSOCKET, /\}$/)).toMatch(/^HTTP\/1\.1 401 [^]*"code":"MISSING_API_KEY"/);
  });

  test.each([
    ["/sign-in", 200],
    ["/no-such-page", 404],
    ["/ready", 200],
  ])("with %s over HTTP/1.1 for HTTP/2", async (path, status) => {
    expect(await send(path, H2C, /<\/html>|\}$/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("so that curl --http2 gets a page", async () => {
    const options = ["--http2", "-s", "-o", "/dev/null", "-w", "%{http_code} %{http_version}"];
    const { stdout } = await promisify(execFile)("curl", [...options, `${spotline.url}/sign-in`]).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(stdout).toBe("200 1.1");
  });
});

describe("A program gets JSON for what is no endpoint", () => {
  const CURL = { Accept: "*/*", "X-API-Key": "fxk_live_x", "Content-Type": "application/json" };
  test.each([
    ["POST", "/quotes", 404, "/v1/quotes"],
    ["POST", "/sign-in", 404, "/v1"],
    ["GET", "/api/v1/quote", 404, "/v1/quote"],
    ["GET", "/no-such-page", 404, "/v1"],
    ["GET", "/ws/v1/quotes", 426, "/ws/v1/quotes"],
  ])("%s %s", async (method, path, status, named) => {
    const answer = await fetch(spotline.url + path, {
      method,
      headers: CURL,
      ...(method === "POST" && { body: "{}" }),
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(named) as unknown } });
  });

  test("and a browser still gets a page, and a form of another site a refusal", async () => {
    const page = await fetch(`${spotline.url}/no-such-page`, { headers: { Accept: "text/html,*/*;q=0.8" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    const headers = { Accept: "text/html", Origin: "https://evil.example" };
    expect((await fetch(`${spotline.url}/sign-in`, { method: "POST", headers })).status).toBe(403);
  });
});

test("Headers that belong to the client's connection are not passed to the pages", async () => {
  const headers = "Connection: close, X-Forwarded-For, Cookie\r\nKeep-Alive: timeout=1\r\nTE: trailers\r\n";
  expect(await send("/sign-in", headers, /<\/html>/)).toMatch(/^HTTP\/1\.1 200 /);
});

test("A client that requests large answers and reads none of them loses its connection", async () => {
  const { hostname, port } = new URL(spotline.url);
  const socket = connect(Number(port), hostname);
  const startedAt = performance.now();
  const failed = new Promise<string | undefined>((resolve) => {
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  socket.pause();
  // More than the buffers of both sides hold.
  socket.write("GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(UNREAD_ANSWERS));
  // A client that does not read notices the end when it writes; and what it writes must not extend its time.
  const writing = setInterval(() => socket.write("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n"), 1_000);
  try {
    expect(await failed).toMatch(/^(ECONNRESET|EPIPE)$/);
    expect(performance.now() - startedAt).toBeLessThan(90_000);
  } finally {
    clearInterval(writing);
    socket.destroy();
  }
});

test(
  "A server with few file descriptors outlives a client that opens all the connections it can",
  { timeout: 240_000 },
  async () => {
    const wrapper = ["sh", "-c", 'ulimit -n 256; exec "$0" "$@"'];
    const small = await startTestServer({ wrapper, env: WITHOUT_PAGES });
    const { hostname, port } = new URL(small.url);
    const idle = Array.from({ length: 600 }, () => connect(Number(port), hostname).on("error", () => {}));
    try {
      await expect.poll(() => small.output(), { timeout: 60_000 }).toContain('"reason":"SPOTLINE_MAX_CONNECTIONS"');
      // Writing a file needs some more.
      if (existsSync("/proc/self/fd")) expect(readdirSync(`/proc/${small.pid}/fd`).length).toBeLessThan(200);
      idle.forEach((socket) => socket.destroy());
      const ready = () => fetch(`${small.url}/ready`).then(({ status }) => status, String);
      await expect.poll(ready, { timeout: 60_000 }).toBe(200);
      expect(small.output()).not.toContain('"level":60');
    } finally {
      expect(await small.stop()).toBe(0);
    }
  },
);
