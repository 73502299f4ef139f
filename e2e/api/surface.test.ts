import { expect, test, vi } from "vitest";
import { expectError, keys, readData, send, url } from "@/e2e/api/server";
import { sendBytes } from "@/e2e/support/raw-request";
import { endpoints } from "@/lib/api/registry";
import { healthReply } from "@/lib/api/service/health";

test.each(["/v1", "/v1/", "/v1/nope", "/v1/quote//", "/v1/quote/x", "/v1/symbols/a/b", "/v1/%00", "/v1//quote"])(
  "%s is answered with a JSON 404",
  async (path) => expectError(await send(path), 404, "NOT_FOUND"),
);

test.each(["/v1/quote/?symbol=EURUSD", "/v1/%71uote?symbol=EURUSD", "/v1/quot%65/?symbol=EURUSD"])(
  "%s is the path of a quote",
  async (path) => expect(readData(await send(path))).toMatchObject({ symbol: "EURUSD" }),
);

test.each([
  ["/quote?symbol=EURUSD", "/v1/quote"],
  ["/spread/compare", "/v1/spread/compare"],
  ["/v2/quote", "/v1/quote"],
  ["/v10/ohlc", "/v1/ohlc"],
  ["/v1/qoute", "/v1/quote"],
])("%s is answered with a JSON 404 that names %s", async (path, suggestion) => {
  for (const key of [keys.full, null]) {
    const reply = await send(path, { key });
    expectError(reply, 404, "NOT_FOUND");
    expect(reply.json).toMatchObject({ error: { suggestions: [suggestion] } });
  }
});

test.each([
  ["DELETE", "/v1/quote?symbol=EURUSD", "GET, HEAD"],
  ["POST", "/v1/quote?symbol=EURUSD", "GET, HEAD"],
  ["GET", "/v1/quotes", "POST"],
  ["PATCH", "/v1/quotes", "POST"],
  ["POST", "/v1/monitor/layout", "GET, HEAD, PUT"],
  ["PUT", "/v1/monitor/account", "GET, HEAD"],
])("%s %s is refused with the allowed methods", async (method, path, allow) => {
  const reply = await send(path, { method });
  expectError(reply, 405, "METHOD_NOT_ALLOWED");
  expect(reply.headers.get("allow")).toBe(allow);
});

test("The OpenAPI document describes every endpoint, needs no key and has an ETag", async () => {
  const reply = await send("/v1/openapi.json", { key: null });
  expect(reply.status).toBe(200);
  const document = reply.json as {
    openapi: string;
    servers: { url: string }[];
    paths: Record<string, Record<string, { responses: object }>>;
  };
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url }]);
  for (const { path, method } of endpoints) {
    const statuses = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
    expect([path, statuses.some((status) => status.startsWith("20"))]).toEqual([path, true]);
  }
  const etag = reply.headers.get("etag") ?? "";
  expect(await send("/v1/openapi.json", { key: null, headers: { "If-None-Match": etag } })).toMatchObject({
    status: 304,
    text: "",
  });
});

test.each(["/health", "/ready"])("%s is answered without a key", async (path) => {
  await vi.waitFor(async () => {
    const reply = await send(path, { key: null });
    expect(reply.status).toBe(200);
    expect(healthReply.parse(reply.json)).toMatchObject({
      status: "ok",
      components: { recording: { status: "ok" } },
    });
  }, 20_000);
});

test("Answers that no limit counts have no headers of limits", async () => {
  for (const path of ["/health", "/ready", "/quote", "/v2/quote", "/v1/openapi.json"]) {
    const names = [...(await send(path, { key: null })).headers.keys()];
    expect([path, names.filter((name) => name.includes("ratelimit"))]).toEqual([path, []]);
  }
});

test("A URL of a megabyte and one just above the limit are refused with 414", async () => {
  expectError(await send(`/v1/quote?symbol=${"x".repeat(9_000)}`), 414, "URI_TOO_LONG");
  const raw = await sendBytes(url, `GET /v1/quote?symbol=${"x".repeat(1_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(raw).toMatch(/^HTTP\/1\.1 414 /);
  expect(raw).toContain('"code":"URI_TOO_LONG"');
});

test("Headers above the limit and bytes that are not HTTP are refused with a documented error", async () => {
  const huge = await sendBytes(url, `GET /v1/quote HTTP/1.1\r\nHost: a\r\nX-API-Key: ${"x".repeat(100_000)}\r\n\r\n`);
  expect(huge).toMatch(/^HTTP\/1\.1 431 /);
  expect(huge).toContain('"success":false');
  const garbage = await sendBytes(url, "\u0000\u0001\u0002 nonsense\r\n\r\n");
  expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
  expect(garbage).toContain('"code":"VALIDATION_ERROR"');
});

test("The body of a GET is ignored", async () => {
  const head = `GET /v1/quote?symbol=EURUSD HTTP/1.1\r\nHost: a\r\nX-API-Key: ${keys.full}\r\nConnection: close\r\n`;
  expect(await sendBytes(url, `${head}Content-Length: 5\r\n\r\nhello`)).toMatch(/^HTTP\/1\.1 200 /);
});
