import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createKeys, type Keys, type NewKey } from "@/lib/access/keys/keys";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const start = Date.UTC(2026, 0, 15);
const restricted = {
  endpoints: ["/v1/quote"],
  symbols: ["gold", "forex", "EUR/USD"],
  perMinute: 10,
  perDay: 500,
  origins: ["HTTPS://App.example.com:443/", "http://localhost:5173"],
};

describe("the restrictions of keys", () => {
  let keys: Keys;
  let accountId = "";
  let nowMs = start;
  const now = () => nowMs;
  const owner = () => ({ kind: "owner", accountId, address: "192.0.2.1" }) as const;
  const confirmed = () => ({ ...owner(), confirmed: true });
  const create = (input: Partial<NewKey> = {}, service = keys) =>
    service.create({ accountId, label: "bot", scopes: ["all"], ...input }, OPERATOR_CLI);
  const readLastEvent = async (keyId: string) => (await createAuditLog(testDatabase.db).list({ keyId, limit: 1 }))[0];

  beforeAll(async () => {
    keys = createKeys(testDatabase.db, { now, listPaths: () => ["/v1/quote", "/v1/ticks"] });
    accountId = (await someAccount(testDatabase.db, "free", now)).id;
  });

  test("Restrictions are stored in one spelling, recorded in the audit log, and kept by a rotation", async () => {
    const stored = {
      allowedEndpoints: ["/v1/quote"],
      allowedSymbols: ["forex", "XAUUSD"],
      allowedOrigins: ["https://app.example.com", "http://localhost:5173"],
      perMinuteLimit: 10,
      perDayLimit: 500,
    };
    const { id, ...key } = await create(restricted);
    expect(key).toMatchObject(stored);
    expect(await readLastEvent(id)).toMatchObject({
      after: { endpoints: ["/v1/quote"], symbols: ["forex", "XAUUSD"], per_minute: 10, per_day: 500 },
    });
    expect((await keys.rotate(id, "now", OPERATOR_CLI)).key).toMatchObject(stored);
  });

  test.each([
    [{ endpoints: ["/v1/nothing"] }, "invalid_endpoints"],
    [{ endpoints: ["/v1/openapi.json"] }, "invalid_endpoints"],
    [{ symbols: ["forex", "NOSUCH"] }, "invalid_symbols"],
    [{ symbols: Array<string>(101).fill("EURUSD") }, "invalid_symbols"],
    [{ origins: ["app.example.com"] }, "invalid_origins"],
    [{ origins: ["https://app.example.com/page"] }, "invalid_origins"],
    [{ origins: ["https://*.example.com"] }, "invalid_origins"],
    [{ origins: ["null"] }, "invalid_origins"],
    [{ origins: Array.from({ length: 21 }, (_, at) => `https://a${at}.example`) }, "invalid_origins"],
    [{ perMinute: 31 }, "invalid_minute_limit"],
    [{ perMinute: 0 }, "invalid_minute_limit"],
    [{ perMinute: 1.5 }, "invalid_minute_limit"],
    [{ perDay: 1_001 }, "invalid_day_limit"],
    [{ perDay: -1 }, "invalid_day_limit"],
    [{ perDay: NaN }, "invalid_day_limit"],
  ])("%j is refused with %s", async (input, code) => {
    await expect(create(input)).rejects.toMatchObject({ code });
    const { id } = await create();
    await expect(keys.update(id, input, OPERATOR_CLI)).rejects.toMatchObject({ code });
    await keys.revoke(id, OPERATOR_CLI);
  });

  test("A key may have the limits of its account, but none above, even if the operator raised the plan's", async () => {
    await testDatabase.db.prisma.account.update({ where: { id: accountId }, data: { perMinuteLimit: 50 } });
    const { id } = await create({ perMinute: 50 });
    await expect(keys.update(id, { perMinute: 51 }, OPERATOR_CLI)).rejects.toMatchObject({
      message: "Calls a minute must be a whole number from 1 to 50, the account’s own limit.",
    });
    await testDatabase.db.prisma.account.update({ where: { id: accountId }, data: { perMinuteLimit: null } });
    // The limit is above the account's now. A change of something else does not have to lower it.
    expect(await keys.update(id, { label: "desk", perMinute: 50 }, owner())).toMatchObject({ perMinuteLimit: 50 });
  });

  test.each([
    { endpoints: ["/v1/quote", "/v1/ticks"] },
    { endpoints: [] },
    { symbols: ["forex", "metals"] },
    { symbols: [] },
    { perMinute: 11 },
    { perMinute: null },
    { perDay: 501 },
    { perDay: null },
  ])("The change %j allows more, so it needs the password", async (changes) => {
    const { id } = await create(restricted);
    await expect(keys.update(id, changes, owner())).rejects.toMatchObject({ code: "confirmation_required" });
    await keys.update(id, changes, confirmed());
    expect(await readLastEvent(id)).toMatchObject({ event: "key.update", actor: accountId });
  });

  test("A change that allows less needs no password", async () => {
    const { id } = await create();
    const key = await keys.update(id, restricted, owner());
    expect(key).toMatchObject({ allowedSymbols: ["forex", "XAUUSD"], perMinuteLimit: 10, perDayLimit: 500 });
    expect(await keys.update(id, { symbols: ["EURUSD"], perDay: 5 }, owner())).toMatchObject({ perDayLimit: 5 });
  });

  test("With a longest life every new key must end within it", async () => {
    const bounded = createKeys(testDatabase.db, { now, maxLifetimeDays: 90 });
    await expect(create({}, bounded)).rejects.toMatchObject({ code: "invalid_expiry" });
    const tooLong = { expiresAtMs: nowMs + 90 * DAY_MS + 1 };
    await expect(create(tooLong, bounded)).rejects.toMatchObject({
      message: "A key must expire in the future, within 90 days, which the operator set.",
    });
    expect(await create({ expiresAtMs: nowMs + 90 * DAY_MS }, bounded)).toMatchObject({ state: "active" });
  });

  test("A key is extended to the end of its longest life, and not beyond", async () => {
    const bounded = createKeys(testDatabase.db, { now, maxLifetimeDays: 90 });
    const { id, createdAtMs } = await create({ expiresAtMs: nowMs + DAY_MS }, bounded);
    const latestMs = createdAtMs + 90 * DAY_MS;
    expect(await bounded.update(id, { expiresAtMs: latestMs }, confirmed())).toMatchObject({ expiresAtMs: latestMs });
    for (const expiresAtMs of [latestMs + 1, null]) {
      await expect(bounded.update(id, { expiresAtMs }, confirmed())).rejects.toMatchObject({ code: "invalid_expiry" });
    }
  });

  test("A key that lives too long is not ended, can be brought closer, and ends in time once it is rotated", async () => {
    const bounded = createKeys(testDatabase.db, { now, maxLifetimeDays: 90 });
    const { id } = await create();
    expect(await bounded.update(id, { label: "old" }, owner())).toMatchObject({ state: "active", expiresAtMs: null });
    const yearMs = nowMs + 365 * DAY_MS;
    expect(await bounded.update(id, { expiresAtMs: yearMs }, owner())).toMatchObject({ expiresAtMs: yearMs });
    const { key } = await bounded.rotate(id, "1h", OPERATOR_CLI);
    expect(key.expiresAtMs).toBe(nowMs + 90 * DAY_MS);
    nowMs += DAY_MS;
  });
});
