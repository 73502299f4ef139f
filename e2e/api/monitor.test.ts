import { afterAll, beforeAll, expect, test } from "vitest";
import { type DataOf, expectError, keys, place, readData, type Reply, send } from "@/e2e/api/server";
import { joinServer } from "@/e2e/support/access";
import { createAccounts } from "@/lib/access/accounts/accounts";
import type { KeyKind, PlanName } from "@/lib/access/plans";
import { cheapPasswords, someAccount, someKey } from "@/lib/access/testing/test-accounts";
import type { monitorAccountReply } from "@/lib/api/service/monitor";
import type { Database } from "@/lib/platform/database/database";
import { systemClock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";

type AccountData = DataOf<typeof monitorAccountReply>;

const now = systemClock;
let database: Database;
beforeAll(async () => {
  database = await joinServer(place);
});
afterAll(() => database.close());

/** Creates an account and its key, so that no other test calls with the same key. */
async function createOwnKey(plan: PlanName, kind: KeyKind = "standard") {
  const { id, email } = await someAccount(database, plan);
  const { secret: key } = await someKey(database, id, { kind });
  return { id, email, key };
}

async function readAccount(key: string): Promise<AccountData> {
  const reply = await send("/v1/monitor/account", { key });
  return readData<AccountData>(reply);
}

const putText = (body: string, key = keys.full): Promise<Reply> =>
  send("/v1/monitor/layout", { method: "PUT", key, body, headers: { "Content-Type": "application/json" } });
const put = (layout: unknown, key?: string) => putText(JSON.stringify({ layout }), key);

test("/v1/monitor/account answers the counters of the quota, this call included", async () => {
  const { email, key } = await createOwnKey("starter");
  expect(await readAccount(key)).toMatchObject({
    name: email,
    plan: "starter",
    prepaid_credits: 0,
    daily_quota: 10_000,
    daily_used: 1,
    credits_used: 1,
  });
  await send("/v1/quote?symbol=EURUSD", { key });
  await send("/v1/calendar", { key });
  expectError(await send("/v1/quote?symbol=NOPE", { key }), 404, "SYMBOL_NOT_FOUND");
  expectError(await send("/v1/ticks?symbol=EURUSD", { key }), 403, "PLAN_UPGRADE_REQUIRED");
  const after = await readAccount(key);
  // A quote costs one credit and the calendar two; refused calls cost nothing.
  expect(after).toMatchObject({ daily_used: 4, credits_used: 5 });
  const midnight = new Date(Math.ceil((Date.now() + 1) / DAY_MS) * DAY_MS).toISOString();
  expect(after.resets_at).toBe(midnight);
});

test("/v1/monitor/account tells the owner's address only to keys of all scopes", async () => {
  const { id, email } = await someAccount(database, "starter");
  const { secret: key } = await someKey(database, id, { scopes: ["quotes", "indicators", "historical", "premium"] });
  const { name, plan } = await readAccount(key);
  expect({ name, plan }).toEqual({ name: `${email.slice(0, 1)}***@***`, plan: "starter" });
});

test("/v1/monitor/account is refused when the quota is used up", async () => {
  const { id, key } = await createOwnKey("free");
  await createAccounts(database, { now, passwords: cheapPasswords }).setLimits(id, { perDay: 3 });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await send("/v1/quote?symbol=EURUSD", { key });
  await send("/v1/quote?symbol=EURUSD", { key });
  expect(await readAccount(key)).toMatchObject({ daily_quota: 3, daily_used: 3 });
  expectError(await send("/v1/monitor/account", { key }), 429, "QUOTA_EXCEEDED");
});

test("prepaid_credits is the balance of an account on pay as you go", async () => {
  const { id, key } = await createOwnKey("payg");
  await createAccounts(database, { now, passwords: cheapPasswords }).setPrepaidCredits(id, 100);
  expect(await readAccount(key)).toMatchObject({ plan: "payg", prepaid_credits: 100, daily_quota: null });
  await send("/v1/calendar", { key });
  await expect.poll(async () => (await readAccount(key)).prepaid_credits, { timeout: 5_000 }).toBeLessThanOrEqual(97);
});

test("A tool key has its own terms and daily quota", async () => {
  const { key } = await createOwnKey("pro", "tool");
  expect(await readAccount(key)).toMatchObject({ plan: "tool", daily_quota: 5_000, daily_used: 1, credits_used: 1 });
});

test("Each key has a layout, which is the last one saved", async () => {
  const [one, other] = [await createOwnKey("free"), await createOwnKey("free")];
  const empty = await send("/v1/monitor/layout", { key: one.key });
  expect(readData(empty)).toEqual({ layout: null });
  const layout = [{ symbol: "EURUSD", at: [0, 1], deep: { a: [{ b: "\u0000 \ud800 £ 💹" }] } }, "GBPUSD"];
  await put(layout, one.key);
  const read = await send("/v1/monitor/layout", { key: one.key });
  expect(readData(read)).toEqual({ layout });
  await put([], one.key);
  expect(readData(await send("/v1/monitor/layout", { key: one.key }))).toEqual({ layout: [] });
  expect(readData(await send("/v1/monitor/layout", { key: other.key }))).toEqual({ layout: null });
  expect((await send("/v1/monitor/layout", { key: one.key, method: "HEAD" })).status).toBe(200);
});

test("A layout has at most sixty items, each an object or a string", async () => {
  const items = (count: number) => Array.from({ length: count }, (_, i) => ({ i }));
  expect((await put(items(60))).status).toBe(200);
  for (const layout of [items(61), "EURUSD", {}, null, undefined, [1], [null], [[]], ["x".repeat(32_768)]]) {
    expectError(await put(layout), 400, "VALIDATION_ERROR");
  }
  const nested = `${'{"n":'.repeat(8_000)}1${"}".repeat(8_000)}`;
  expectError(await putText(`{"layout":[${nested}]}`), 400, "VALIDATION_ERROR");
  expectError(await put(["x".repeat(65_536)]), 413, "PAYLOAD_TOO_LARGE");
  expect(readData<{ layout: unknown[] }>(await send("/v1/monitor/layout")).layout).toHaveLength(60);
});

test("The monitor endpoints need a key and JSON", async () => {
  expectError(await send("/v1/monitor/account", { key: null }), 401, "MISSING_API_KEY");
  expectError(await send("/v1/monitor/layout", { key: keys.revoked }), 401, "API_KEY_DISABLED");
  expectError(await send("/v1/monitor/layout", { method: "PUT", body: "{}" }), 415, "UNSUPPORTED_MEDIA_TYPE");
});
