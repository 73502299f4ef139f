import { describe, expect, test } from "vitest";
import { ALLOWED_ORIGIN } from "@/e2e/api/global-setup";
import { expectError, onEveryServer } from "@/e2e/api/servers";
import { endpoints } from "@/lib/api/registry";

/** Calls by pages of other sites, and the ids that callers send along. */

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

onEveryServer(({ url, keys }, send) => {
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
        expect.arrayContaining([
          "X-Request-Id",
          "X-RateLimit-Remaining",
          "X-Quote-State",
          "ETag",
          "Link",
          "Retry-After",
        ]),
      );
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary")).toMatch(/\bOrigin\b/);
      const other = await send(path, { key, headers: { Origin: "https://evil.example" } });
      expect(other.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("HEAD is answered like GET by every endpoint of GET", async () => {
    const paths = endpoints
      .filter(({ method, access }) => method === "GET" && access === "open")
      .map(({ path }) => path);
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
      expect(reply.headers.get("www-authenticate")).toBe('ApiKey realm="Spotline", header="X-API-Key"');
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
});
