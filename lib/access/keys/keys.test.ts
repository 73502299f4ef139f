import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { isWellFormed } from "@/lib/access/keys/key-format";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { hashSecret } from "@/lib/access/secret";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const yearMs = 365 * DAY_MS;

describe("keys", () => {
  let keys: Keys;
  let accountId = "";
  let nowMs = Date.UTC(2026, 0, 15);

  beforeAll(async () => {
    keys = createKeys(testDatabase.db, { now: () => nowMs });
    accountId = (await someAccount(testDatabase.db)).id;
  });

  test("The secret is returned once, and only its hash is stored", async () => {
    const { secret, ...key } = await keys.create({ accountId, label: " My bot ", scopes: ["quotes"] });
    expect(isWellFormed(secret)).toBe(true);
    expect(key).toMatchObject({ label: "My bot", kind: "standard", scopes: ["quotes"], state: "active" });
    expect(key).toMatchObject({
      allowedCidrs: [],
      expiresAtMs: null,
      revokedAtMs: null,
      lastUsedAtMs: null,
      lastUse: null,
    });
    expect(secret.startsWith(key.start) && secret.endsWith(key.last4)).toBe(true);
    const stored = await testDatabase.db.prisma.apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(stored.secretHash).toBe(hashSecret(secret));
    expect(JSON.stringify({ ...stored, revision: 0 })).not.toContain(secret);
    expect(await keys.list(accountId)).toEqual([key]);
  });

  test('Scopes are stored in order, each once, and "all" alone', async () => {
    const storeScopes = async (scopes: string[]) => (await keys.create({ accountId, label: "scopes", scopes })).scopes;
    expect(await storeScopes(["premium", "quotes", "premium"])).toEqual(["quotes", "premium"]);
    expect(await storeScopes(["alerts", "quotes", "all"])).toEqual(["all", "alerts"]);
    expect(await storeScopes(["quotes", "all"])).toEqual(["all"]);
  });

  test.each([
    [{ label: "" }, "invalid_label"],
    [{ label: "   " }, "invalid_label"],
    [{ label: "x".repeat(81) }, "invalid_label"],
    [{ label: "a\u0000b" }, "invalid_label"],
    [{ label: "a\u200bb" }, "invalid_label"],
    [{ label: "two\nlines" }, "invalid_label"],
    [{ scopes: [] }, "invalid_scopes"],
    [{ scopes: ["quotes", "admin"] }, "invalid_scopes"],
    [{ kind: "admin" as "tool" }, "invalid_kind"],
    [{ addresses: ["10.0.0.0/8", "010.0.0.1"] }, "invalid_addresses"],
    [{ addresses: Array<string>(101).fill("10.0.0.1") }, "invalid_addresses"],
    [{ expiresAtMs: Date.UTC(2026, 0, 15) }, "invalid_expiry"],
    [{ expiresAtMs: Date.UTC(2026, 0, 15) + 11 * yearMs }, "invalid_expiry"],
    [{ expiresAtMs: NaN }, "invalid_expiry"],
    [{ accountId: "1" }, "account_not_found"],
    [{ accountId: "00000000-0000-7000-8000-000000000000" }, "account_not_found"],
  ])("%j is refused as %s", async (wrong, code) => {
    const before = (await keys.list()).length;
    const input = { accountId, label: "a key", scopes: ["all"], ...wrong };
    await expect(keys.create(input)).rejects.toMatchObject({ name: "AccessError", code });
    expect(await keys.list()).toHaveLength(before);
  });

  test("Each bad address has its problem reported", async () => {
    const created = keys.create({ accountId, label: "a key", scopes: ["all"], addresses: ["10.0.0.1", "host", ""] });
    await expect(created).rejects.toMatchObject({
      problems: [
        { line: 2, text: "host" },
        { line: 3, text: "" },
      ],
    });
  });

  test("Addresses are stored normalised", async () => {
    const addresses = ["10.1.2.3/8", "::ffff:192.0.2.1", "2001:DB8::1"];
    const { allowedCidrs } = await keys.create({ accountId, label: "home", scopes: ["all"], addresses });
    expect(allowedCidrs).toEqual(["10.0.0.0/8", "192.0.2.1/32", "2001:db8::1/128"]);
  });

  test("A key is expired from the moment of its expiry", async () => {
    const { id } = await keys.create({ accountId, label: "brief", scopes: ["all"], expiresAtMs: nowMs + 1_000 });
    const readState = async () => (await keys.list(accountId)).find((key) => key.id === id)?.state;
    expect(await readState()).toBe("active");
    nowMs += 1_000;
    expect(await readState()).toBe("expired");
  });

  test("Only the owner and the operator may revoke a key", async () => {
    const stranger = (await someAccount(testDatabase.db)).id;
    const { id } = await keys.create({ accountId, label: "mine", scopes: ["all"] });
    await expect(keys.revoke(id, { kind: "owner", accountId: stranger, confirmed: true })).rejects.toMatchObject({
      code: "key_not_found",
    });
    await expect(keys.revoke(id, { kind: "owner", accountId: "", confirmed: true })).rejects.toMatchObject({
      code: "key_not_found",
    });
    await expect(keys.revoke("1", OPERATOR_CLI)).rejects.toMatchObject({ code: "key_not_found" });
    const revoked = await keys.revoke(id, { kind: "owner", accountId, confirmed: true });
    expect(revoked).toMatchObject({ state: "revoked", revokedAtMs: nowMs });
    expect(await keys.revoke(id, { kind: "owner", accountId, confirmed: true })).toEqual(revoked);
  });

  test("An owner creates a key only with the password", async () => {
    const before = (await keys.list()).length;
    const input = { accountId, label: "mine", scopes: ["quotes"] };
    const created = keys.create(input, { kind: "owner", accountId });
    await expect(created).rejects.toMatchObject({ code: "confirmation_required" });
    expect(await keys.list()).toHaveLength(before);
    await expect(keys.create(input, { kind: "owner", accountId, confirmed: true })).resolves.toBeDefined();
  });

  test("An account has at most a hundred active keys, even if they are created at once", async () => {
    const owner = (await someAccount(testDatabase.db)).id;
    const create = () => keys.create({ accountId: owner, label: "many", scopes: ["all"] });
    const stored = { accountId: owner, label: "many", start: "fxk", last4: "0000" };
    const data = Array.from({ length: 97 }, (_, at) => ({ ...stored, secretHash: `${owner} ${at}` }));
    await testDatabase.db.prisma.apiKey.createMany({ data });
    await create();
    const results = await Promise.allSettled([create(), create(), create(), create()]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    await expect(create()).rejects.toMatchObject({ code: "too_many_keys" });
    const [newest] = await keys.list(owner);
    await keys.revoke(newest?.id ?? "", { kind: "owner", accountId: owner, confirmed: true });
    await expect(create()).resolves.toMatchObject({ state: "active" });
  });

  test("An account creates at most two hundred keys a day, ended ones included", async () => {
    const { id: owner } = await someAccount(testDatabase.db);
    const data = (name: string, createdAtMs: number, revokedAtMs: number) => ({
      ...{ accountId: owner, label: "ended", secretHash: `${owner} ${name}`, start: "fxk", last4: "0000" },
      ...{ createdAt: new Date(createdAtMs), revokedAt: new Date(revokedAtMs) },
    });
    const keysOfToday = Array.from({ length: 199 }, (_, at) => data(`today ${at}`, nowMs - DAY_MS + 1, nowMs));
    const longAgoMs = nowMs - 401 * DAY_MS;
    await testDatabase.db.prisma.apiKey.createMany({ data: [...keysOfToday, data("old", longAgoMs, longAgoMs)] });
    const create = () => keys.create({ accountId: owner, label: "last", scopes: ["all"] });
    const { id } = await create();
    await expect(create()).rejects.toMatchObject({ code: "too_many_keys" });
    await expect(keys.rotate(id, "now", OPERATOR_CLI)).rejects.toMatchObject({ code: "too_many_keys" });
    // The key that ended more than a year ago was removed.
    expect(await keys.list(owner)).toHaveLength(200);
    await testDatabase.db.prisma.apiKey.updateMany({
      where: { accountId: owner },
      data: { createdAt: new Date(nowMs - DAY_MS) },
    });
    await expect(create()).resolves.toMatchObject({ state: "active" });
  });

  test("A created key is returned even if the directory cannot be refreshed", async () => {
    const directory = { refresh: () => Promise.reject(new Error("unreachable")) };
    const failing = createKeys(testDatabase.db, { now: () => nowMs, directory });
    const { id } = await failing.create({ accountId, label: "created", scopes: ["all"] });
    await expect(failing.revoke(id, { kind: "owner", accountId, confirmed: true })).rejects.toThrow("unreachable");
  });
});
