import { expect, test, vi } from "vitest";
import { expectError, keys, place, readData, send } from "@/e2e/api/server";
import { withAccess } from "@/e2e/support/access";
import { runCommand } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import { endpoints } from "@/lib/api/registry";

const quote = (key: string | null, headers?: Record<string, string>) =>
  send("/v1/quote?symbol=EURUSD", { key, headers });

const createKey = (settings: Partial<NewKey>) =>
  withAccess(place, async ({ accounts, keys: service }) => {
    const owner = await accounts.findByEmail("owner@example.com");
    const request = { accountId: owner?.id ?? "", label: "restricted", scopes: ["all"], ...settings };
    return service.create(request, OPERATOR_CLI);
  });
/** Waits until the server knows the key. It makes one call. */
const untilAnswered = async (secret: string) => expect((await quote(secret)).status).toBe(200);

test("Missing, invalid, mistyped and revoked keys are refused with different codes", async () => {
  expectError(await quote(null), 401, "MISSING_API_KEY");
  expectError(await quote("nonsense"), 401, "INVALID_API_KEY");
  expectError(await quote(keys.full.slice(0, -1) + (keys.full.endsWith("a") ? "b" : "a")), 401, "INVALID_API_KEY");
  expectError(await quote(`${keys.full}, ${keys.full}`), 401, "INVALID_API_KEY");
  expectError(await quote(keys.revoked), 401, "API_KEY_DISABLED");
});

test("Every change of a key by another process applies within a second", async () => {
  const expectAnswer = (secret: string, status: number, code?: string) =>
    vi.waitFor(
      async () => {
        const reply = await quote(secret);
        expect(reply.status).toBe(status);
        if (code !== undefined) expectError(reply, status, code);
      },
      { timeout: 1_000, interval: 50 },
    );
  await withAccess(place, async ({ accounts, keys: service }) => {
    const owner = await accounts.findByEmail("owner@example.com");
    const request = { accountId: owner?.id ?? "", label: "life", scopes: ["all"], addresses: ["127.0.0.1"] };
    const { id, secret } = await service.create(request, OPERATOR_CLI);
    await expectAnswer(secret, 200);
    await service.disable(id, OPERATOR_CLI);
    await expectAnswer(secret, 401, "API_KEY_DISABLED");
    await service.enable(id, OPERATOR_CLI);
    await expectAnswer(secret, 200);
    await service.update(id, { scopes: ["indicators"] }, OPERATOR_CLI);
    await expectAnswer(secret, 403, "PERMISSION_DENIED");
    await service.update(id, { scopes: ["all"], addresses: ["203.0.113.7"] }, OPERATOR_CLI);
    await expectAnswer(secret, 403, "IP_NOT_ALLOWED");
    await service.update(id, { addresses: ["::ffff:127.0.0.1"] }, OPERATOR_CLI);
    await expectAnswer(secret, 200);
    const rotated = await service.rotate(id, "1h", OPERATOR_CLI);
    await expectAnswer(rotated.secret, 200);
    await expectAnswer(secret, 200);
    await service.revoke(id, OPERATOR_CLI);
    await expectAnswer(secret, 401, "API_KEY_DISABLED");
    await service.restore(id, OPERATOR_CLI);
    await expectAnswer(secret, 200);
    const again = await service.rotate(rotated.key.id, "now", OPERATOR_CLI);
    await expectAnswer(rotated.secret, 401, "API_KEY_EXPIRED");
    await expectAnswer(again.secret, 200);
  });
  expect(await runCommand(place, "audit", "verify")).toMatchObject({ ok: true, problem: null });
}, 60_000);

test("A key that is restricted to symbols reads those only, also where a key that reads all was answered before", async () => {
  const { id, secret } = await createKey({ symbols: ["forex", "DE40"] });
  // A stream does not end. It refuses before it begins.
  const named = endpoints.filter(
    ({ path, query: { shape } }) => ("symbol" in shape || "symbols" in shape) && path !== "/v1/stream",
  );
  // Older ticks than the stored ones are refused.
  const nowSeconds = Math.floor(Date.now() / 1000);
  const paths = named.map(({ path, query: { shape } }) => {
    const symbols = "symbol" in shape ? "symbol=XAUUSD" : "symbols=EURUSD,GBPUSD,XAUUSD";
    const indicator = "indicators" in shape ? "&indicators=RSI_14" : "indicator" in shape ? "&indicator=RSI_14" : "";
    const range = /ticks|export/.test(path) ? `&from=${nowSeconds - 1_800}&to=${nowSeconds}` : "";
    const type = path === "/v1/heatmap" ? "&type=correlation&timeframe=H1" : "";
    const kind = path === "/v1/export" ? "&what=ticks" : "";
    return `${path}?${symbols}${indicator}${range}${type}${kind}`;
  });
  expect(paths.length).toBeGreaterThanOrEqual(10);
  await untilAnswered(secret);
  for (const path of [...paths, "/v1/symbols/gold"]) {
    expect((await send(path)).status).not.toBe(403);
    const reply = await send(path, { key: secret });
    expectError(reply, 403, "PERMISSION_DENIED");
    expect(reply.text).toContain("This API key may not read XAUUSD, only forex, GER40.");
    expect((await send(path.replaceAll("XAUUSD", "EURUSD").replace("gold", "dax"), { key: secret })).status).toBe(200);
  }
  expectError(await send("/v1/stream?symbols=EURUSD,XAUUSD", { key: secret }), 403, "PERMISSION_DENIED");
  const headers = { "Content-Type": "application/json" };
  const bulk = { method: "POST", body: JSON.stringify({ symbols: ["EURUSD", "XAUUSD"] }), headers };
  expect((await send("/v1/quotes", bulk)).status).toBe(200);
  expectError(await send("/v1/quotes", { ...bulk, key: secret }), 403, "PERMISSION_DENIED");

  type Listed = { symbols: { symbol: string; category: string }[]; total: number };
  const listed = readData<Listed>(await send("/v1/symbols?limit=500", { key: secret }));
  expect(listed.total).toBe(listed.symbols.length);
  expect(new Set(listed.symbols.map(({ category }) => category))).toEqual(new Set(["forex", "indices"]));
  expect(listed.symbols.filter(({ category }) => category === "indices")).toMatchObject([{ symbol: "GER40" }]);
  const screen = "/v1/screener?indicator=RSI_14&limit=200";
  type Screened = { results: { symbol: string }[]; total_matches: number };
  const [all, permitted] = [
    readData<Screened>(await send(screen)),
    readData<Screened>(await send(screen, { key: secret })),
  ];
  const symbols = new Set(listed.symbols.map(({ symbol }) => symbol));
  expect(permitted.results.filter(({ symbol }) => !symbols.has(symbol))).toEqual([]);
  expect(permitted.results.map(({ symbol }) => symbol)).toEqual(
    all.results.map(({ symbol }) => symbol).filter((symbol) => symbols.has(symbol)),
  );
  // Where the past has too few symbols, the heatmap is permitted and not found.
  expect([200, 404]).toContain((await send("/v1/heatmap", { key: secret })).status);
  await withAccess(place, ({ keys: service }) => service.update(id, { symbols: ["metals"] }, OPERATOR_CLI));
  await vi.waitFor(async () => expectError(await send("/v1/heatmap", { key: secret }), 403, "PERMISSION_DENIED"));
  expect((await send("/v1/sessions", { key: secret })).status).toBe(200);
}, 60_000);

test("A key that is restricted to endpoints calls those only, and the refusal names them", async () => {
  const { secret } = await createKey({ endpoints: ["/v1/quote", "/v1/monitor/account"], scopes: ["quotes"] });
  await untilAnswered(secret);
  const refused = await send("/v1/sessions", { key: secret });
  expectError(refused, 403, "PERMISSION_DENIED");
  expect(refused.text).toContain("may not call /v1/sessions, only /v1/quote, /v1/monitor/account.");
  expect(readData(await send("/v1/monitor/account", { key: secret }))).toMatchObject({
    key: { scopes: ["quotes"], endpoints: ["/v1/quote", "/v1/monitor/account"], symbols: null, per_day: null },
  });
});

test("A key is refused at its own limits, with headers that state them", async () => {
  const { secret } = await createKey({ perMinute: 5, perDay: 2, symbols: ["EURUSD"] });
  await untilAnswered(secret);
  expectError(await send("/v1/quote?symbol=NOSUCH", { key: secret }), 404, "SYMBOL_NOT_FOUND");
  expect(readData(await send("/v1/monitor/account", { key: secret }))).toMatchObject({
    key: { per_minute: 5, per_day: 2, used_today: 2, symbols: ["EURUSD"] },
  });
  const day = await quote(secret);
  expectError(day, 429, "QUOTA_EXCEEDED");
  expect(day.json).toMatchObject({ error: { limit: 2, remaining: 0 } });
  const seconds = String((day.json as { error: { reset_in_seconds: number } }).error.reset_in_seconds);
  expect(Object.fromEntries(day.headers)).toMatchObject({
    "retry-after": seconds,
    "x-ratelimit-limit": "2",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": seconds,
    ratelimit: `"day";r=0;t=${seconds}`,
    "ratelimit-policy": '"day";q=2;w=86400',
  });
  await quote(secret);
  const minute = await quote(secret);
  expectError(minute, 429, "RATE_LIMIT_EXCEEDED");
  expect(minute.json).toMatchObject({ error: { limit: 5, remaining: 0 } });
  expect(minute.headers.get("x-ratelimit-limit")).toBe("5");
});

test("A key may be a Bearer token, and a call with two different keys is refused", async () => {
  const call = (key: string | null, authorization: string) =>
    send("/v1/quote?symbol=EURUSD", { key, headers: { Authorization: authorization } });
  expect((await call(null, `Bearer ${keys.full}`)).status).toBe(200);
  expect((await call(keys.full, `bearer ${keys.full}`)).status).toBe(200);
  expect((await call(keys.full, "Basic eDp5")).status).toBe(200);
  expectError(await call(keys.full, `Bearer ${keys.revoked}`), 401, "INVALID_API_KEY");
  expectError(await call(null, `Bearer ${keys.revoked}`), 401, "API_KEY_DISABLED");
  const other = await call(null, "Basic eDp5");
  expectError(other, 401, "MISSING_API_KEY");
  expect(other.headers.get("x-ratelimit-limit")).toBeNull();
});

test("Forwarding headers do not change the address that the allow-list checks", async () => {
  expect((await quote(keys.hereOnly)).status).toBe(200);
  expectError(await quote(keys.elsewhereOnly), 403, "IP_NOT_ALLOWED");
  for (const name of [
    "X-Forwarded-For",
    "Forwarded",
    "X-Real-IP",
    "X-Client-IP",
    "CF-Connecting-IP",
    "True-Client-IP",
  ]) {
    const value = name === "Forwarded" ? "for=203.0.113.7" : "203.0.113.7";
    expectError(await quote(keys.elsewhereOnly, { [name]: value }), 403, "IP_NOT_ALLOWED");
    expect((await quote(keys.hereOnly, { [name]: value })).status).toBe(200);
  }
});

test("Key and scope are checked before the input", async () => {
  expectError(await send("/v1/quote", { key: null }), 401, "MISSING_API_KEY");
  expectError(await send("/v1/quote", { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
});

test("Of parallel calls exactly the plan's limit is admitted, and the others get Retry-After", async () => {
  const replies = await Promise.all(Array.from({ length: 150 }, () => quote(keys.rationed)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
  const refused = replies.filter(({ status }) => status !== 200);
  for (const reply of refused) {
    expectError(reply, 429, "RATE_LIMIT_EXCEEDED");
    expect(reply.json).toMatchObject({ error: { limit: 60, remaining: 0 } });
    const { reset_in_seconds: seconds } = (reply.json as { error: { reset_in_seconds: number } }).error;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(reply.headers.get("retry-after")).toBe(String(seconds));
    expect(reply.headers.get("x-ratelimit-reset")).toBe(String(seconds));
  }
});
