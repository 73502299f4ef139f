import { describe, expect, test } from "vitest";
import { ALLOWED_ORIGIN } from "@/e2e/api/global-setup";
import { expectError, keys, place, send, url } from "@/e2e/api/server";
import { withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { endpoints } from "@/lib/api/registry";

/** Calls by pages of other sites, and the ids that callers send along. */

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

const preflight = (path: string, origin: string, method = "GET") =>
  fetch(url + path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "x-api-key",
    },
  });

describe("OPTIONS", () => {
  test.each([
    ["/v1/symbols", "GET, HEAD, OPTIONS"],
    ["/v1/symbols/EURUSD", "GET, HEAD, OPTIONS"],
    ["/v1/quotes", "POST, OPTIONS"],
    ["/v1/monitor/layout", "GET, HEAD, PUT, OPTIONS"],
  ])("of %s is answered without a key with the methods %s", async (path, methods) => {
    const reply = await send(path, { method: "OPTIONS", key: null });
    expect([reply.status, reply.text, reply.headers.get("allow")]).toEqual([204, "", methods]);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    expect(reply.headers.get("content-length")).toBeNull();
  });

  test("of an unknown path is 404", async () => {
    expectError(await send("/v1/nope", { method: "OPTIONS", key: null }), 404, "NOT_FOUND");
  });

  test("of a browser that announces a call has the permission for configured origins only", async () => {
    for (const [path, method] of [
      ["/v1/quote?symbol=EURUSD", "GET"],
      ["/v1/quotes", "POST"],
    ] as const) {
      const { status, headers } = await preflight(path, ALLOWED_ORIGIN, method);
      expect([status, headers.get("access-control-allow-origin")]).toEqual([204, ALLOWED_ORIGIN]);
      expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
      expect(headers.get("access-control-allow-headers")?.toLowerCase().split(", ")).toContain("x-api-key");
      expect(headers.get("access-control-max-age")).toBe("86400");
      expect(headers.get("vary")).toMatch(/\bOrigin\b/);
      for (const origin of ["https://evil.example", `${ALLOWED_ORIGIN}.evil.example`, "null"]) {
        const refused = await preflight(path, origin, method);
        expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([204, null]);
        expect(refused.headers.get("access-control-allow-headers")).toBeNull();
      }
    }
  });
});

test("Pages of configured origins may read answers, errors and their headers; no cookies are allowed", async () => {
  for (const [path, key] of [
    ["/v1/quote?symbol=EURUSD", keys.full],
    ["/v1/quote?symbol=EURUSD", null],
    ["/v1/symbols", keys.full],
  ] as const) {
    const { headers } = await send(path, { key, headers: { Origin: ALLOWED_ORIGIN } });
    expect(headers.get("access-control-allow-origin")).toBe(ALLOWED_ORIGIN);
    expect(headers.get("access-control-expose-headers")?.split(", ")).toEqual(
      expect.arrayContaining(["X-Request-Id", "X-RateLimit-Remaining", "X-Quote-State", "ETag", "Link", "Retry-After"]),
    );
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("vary")).toMatch(/\bOrigin\b/);
    const other = await send(path, { key, headers: { Origin: "https://evil.example" } });
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("HEAD is answered like GET by every endpoint of GET", async () => {
  const paths = endpoints.filter(({ method, access }) => method === "GET" && access === "open").map(({ path }) => path);
  for (const path of [...paths, "/v1/symbols", "/v1/sessions", "/v1/indicators/list"]) {
    const [head, get] = [await send(path, { method: "HEAD" }), await send(path)];
    expect([path, head.status, head.text]).toEqual([path, get.status, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  }
});

test("A refused key comes with the way to authenticate", async () => {
  for (const key of [null, "nonsense", keys.revoked]) {
    const reply = await send("/v1/quote?symbol=EURUSD", { key });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toBe(
      'Bearer realm="Spotline", ApiKey realm="Spotline", header="X-API-Key"',
    );
  }
  expect((await send("/v1/quote?symbol=EURUSD")).headers.get("www-authenticate")).toBeNull();
});

test("The ids of a caller are repeated, unless they could do harm", async () => {
  const call = (headers: Record<string, string>) => send("/v1/quote?symbol=EURUSD", { headers });
  const named = await call({ "X-Request-Id": "order-17.3", traceparent: TRACE });
  expect(named.headers.get("x-request-id")).toBe("order-17.3");
  expect(named.headers.get("traceparent")).toBe(TRACE);
  for (const id of ["x".repeat(65), "a b", 'a"b', "<b>", "-a"]) {
    const reply = await call({ "X-Request-Id": id, traceparent: "00-nonsense" });
    expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f]{32}$/);
    expect(reply.headers.get("traceparent")).toBeNull();
  }
  const refused = await send("/v1/nope", { key: null, headers: { "X-Request-Id": "order-18" } });
  expect(refused.headers.get("x-request-id")).toBe("order-18");
});

test("A key with origins is for their pages in browsers, whose answers they may read without a setting", async () => {
  const own = "https://shop.example.com";
  const { secret, id } = await withAccess(place, async ({ accounts, keys: service }) => {
    const input = { email: "pages@example.com", password: "long enough to do", plan: "pro" } as const;
    const { id: accountId } = await accounts.create(input, OPERATOR_CLI);
    return service.create({ accountId, label: "page", scopes: ["all"], origins: [`${own}/`, own] });
  });
  const path = "/v1/quote?symbol=EURUSD";
  const callFrom = (origin: string | null, key = secret) =>
    send(path, { key, ...(origin === null ? {} : { headers: { Origin: origin } }) });
  const allowed = await callFrom(own);
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([200, own]);
  expect(allowed.headers.get("vary")).toMatch(/\bOrigin\b/);
  // Programs outside browsers send no origin.
  expect((await callFrom(null)).status).toBe(200);
  const others = [ALLOWED_ORIGIN, "https://evil.example", "null", `${own}:8443`, "http://shop.example.com", `${own}/`];
  for (const origin of others) {
    const refused = await callFrom(origin);
    expectError(refused, 403, "ORIGIN_NOT_ALLOWED");
    const readable = origin === ALLOWED_ORIGIN ? origin : null;
    expect([origin, refused.headers.get("access-control-allow-origin")]).toEqual([origin, readable]);
  }
  const announced = await preflight(path, own);
  expect([announced.status, announced.headers.get("access-control-allow-origin")]).toEqual([204, own]);
  expect(announced.headers.get("access-control-allow-headers")).toContain("X-API-Key");
  expect((await preflight(path, "https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
  // Other keys get nothing from this list, but their errors without a key can be read.
  expect((await callFrom(own, keys.full)).headers.get("access-control-allow-origin")).toBeNull();
  expect((await callFrom(own, "nonsense")).headers.get("access-control-allow-origin")).toBe(own);
  await withAccess(place, ({ keys: service }) => service.update(id, { origins: [] }, OPERATOR_CLI));
  await expect.poll(async () => (await callFrom("https://evil.example")).status).toBe(200);
  expect((await preflight(path, own)).headers.get("access-control-allow-origin")).toBeNull();
});
