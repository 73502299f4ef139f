import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Operator, OPERATOR_CLI, type Owner } from "@/lib/access/actor";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import type { Grace } from "@/lib/access/keys/key";
import { createKeys, type Keys, type NewKey } from "@/lib/access/keys/keys";
import { hashSecret } from "@/lib/access/secret";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const start = Date.UTC(2026, 0, 15);

describe("the lifecycle of a key", () => {
  let keys: Keys;
  /** The directory of another process. */
  let otherDirectory: Directory;
  let accountId = "";
  let operator: Operator;
  let nowMs = start;
  const now = () => nowMs;
  const owner = () => ({ kind: "owner", accountId, address: "192.0.2.1" }) as const;
  const confirmed = () => ({ ...owner(), confirmed: true });
  const create = (input: Partial<NewKey> = {}) => keys.create({ accountId, label: "bot", scopes: ["all"], ...input });
  const listEvents = async (keyId: string) =>
    (await createAuditLog(testDatabase.db).list({ keyId, limit: 100 })).map(({ event }) => event).reverse();
  const findServed = async (secret: string) => {
    await otherDirectory.refresh();
    return otherDirectory.find(hashSecret(secret));
  };

  beforeAll(async () => {
    const directory = createDirectory(testDatabase.db, { now, log: silentLog });
    otherDirectory = createDirectory(testDatabase.db, { now, log: silentLog });
    keys = createKeys(testDatabase.db, { now, directory });
    operator = { kind: "operator", accountId: (await someAccount(testDatabase.db)).id, confirmed: true };
    accountId = (await someAccount(testDatabase.db)).id;
  });

  test("Narrowing a key is effective immediately, and the audit log has the old settings", async () => {
    const { id, secret } = await create({ expiresAtMs: nowMs + 48 * HOUR_MS });
    const changes = { label: " desk ", scopes: ["quotes"], addresses: ["10.1.2.3/8"], expiresAtMs: nowMs + HOUR_MS };
    const key = await keys.update(id, changes, owner());
    expect(key).toMatchObject({ label: "desk", scopes: ["quotes"], allowedCidrs: ["10.0.0.0/8"] });
    const entry = await findServed(secret);
    expect(entry).toMatchObject({ label: "desk", expiresAtMs: nowMs + HOUR_MS });
    expect([...(entry?.scopes ?? [])]).toEqual(["quotes"]);
    expect(entry?.allowList?.admits("192.0.2.1")).toBe(false);
    const [event] = await createAuditLog(testDatabase.db).list({ keyId: id, limit: 1 });
    expect(event).toMatchObject({
      event: "key.update",
      actor: accountId,
      address: "192.0.2.1",
      before: { label: "bot", scopes: ["all"], ips: [] },
      after: { label: "desk", scopes: ["quotes"], ips: ["10.0.0.0/8"] },
    });
    expect(JSON.stringify(event)).not.toContain(hashSecret(secret));
  });

  test("A change that changes nothing is not recorded", async () => {
    const { id } = await create();
    await keys.update(id, { label: "bot", scopes: ["all"] }, owner());
    expect(await listEvents(id)).toEqual(["key.create"]);
  });

  test.each([{ scopes: ["quotes", "premium"] }, { addresses: [] }, { expiresAtMs: null }])(
    "widens by %j only for an owner who gave the password",
    async (changes) => {
      const { id } = await create({ scopes: ["quotes"], addresses: ["10.0.0.0/8"], expiresAtMs: nowMs + HOUR_MS });
      await expect(keys.update(id, changes, owner())).rejects.toMatchObject({ code: "confirmation_required" });
      expect(await listEvents(id)).toEqual(["key.create"]);
      await keys.update(id, changes, confirmed());
      expect(await listEvents(id)).toEqual(["key.create", "key.update"]);
    },
  );

  test("A key can be disabled and enabled repeatedly", async () => {
    const { id, secret } = await create();
    for (let i = 0; i < 2; i++) expect(await keys.disable(id, owner())).toMatchObject({ state: "disabled" });
    expect(await findServed(secret)).toMatchObject({ disabled: true, revoked: false });
    await expect(keys.enable(id, owner())).rejects.toMatchObject({ code: "confirmation_required" });
    expect(await keys.enable(id, confirmed())).toMatchObject({ state: "active", disabledAtMs: null });
    expect(await findServed(secret)).toMatchObject({ disabled: false });
    expect(await listEvents(id)).toEqual(["key.create", "key.disable", "key.enable"]);
  });

  test.each<[Grace, number]>([
    ["now", 0],
    ["1h", HOUR_MS],
    ["24h", 24 * HOUR_MS],
    ["7d", 48 * HOUR_MS],
  ])("A rotation with the grace %s never extends the key", async (grace, lastsMs) => {
    const endsAtMs = nowMs + 48 * HOUR_MS;
    const before = await create({ scopes: ["quotes"], addresses: ["10.0.0.0/8"], expiresAtMs: endsAtMs, kind: "tool" });
    const { old, key, secret } = await keys.rotate(before.id, grace, confirmed());
    expect(old).toMatchObject({ id: before.id, replacedById: key.id, expiresAtMs: nowMs + lastsMs });
    expect(old.state).toBe(grace === "now" ? "expired" : "active");
    const settings = { label: "bot", kind: "tool", scopes: ["quotes"], allowedCidrs: ["10.0.0.0/8"] };
    expect(key).toMatchObject({ ...settings, replacesId: before.id, expiresAtMs: endsAtMs, state: "active" });
    expect(secret).not.toBe(before.secret);
    expect(await findServed(before.secret)).toMatchObject({ expiresAtMs: nowMs + lastsMs });
    expect(await findServed(secret)).toMatchObject({ id: key.id, expiresAtMs: endsAtMs });
    expect(await listEvents(before.id)).toEqual(["key.create", "key.rotate"]);
    expect(await listEvents(key.id)).toEqual(["key.create"]);
  });

  test("A key is rotated once, and a rotated key cannot be extended", async () => {
    const { id } = await create();
    await expect(keys.rotate(id, "1h", owner())).rejects.toMatchObject({ code: "confirmation_required" });
    await expect(keys.rotate(id, "2h" as "1h", confirmed())).rejects.toMatchObject({ code: "invalid_grace" });
    const both = await Promise.allSettled([keys.rotate(id, "1h", confirmed()), keys.rotate(id, "1h", confirmed())]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const longer = keys.update(id, { expiresAtMs: nowMs + 2 * HOUR_MS }, confirmed());
    await expect(longer).rejects.toMatchObject({ code: "invalid_expiry" });
    await expect(keys.update(id, { label: "old", expiresAtMs: nowMs + 60_000 }, owner())).resolves.toBeDefined();
  });

  test("An ended key cannot be changed", async () => {
    const expired = await create({ expiresAtMs: nowMs + 1_000 });
    const revoked = await create();
    await keys.revoke(revoked.id, confirmed());
    nowMs += 1_000;
    for (const { id } of [expired, revoked]) {
      const refused = { code: "key_state" };
      await expect(keys.rotate(id, "1h", confirmed())).rejects.toMatchObject(refused);
      await expect(keys.update(id, { label: "x" }, confirmed())).rejects.toMatchObject(refused);
      await expect(keys.disable(id, confirmed())).rejects.toMatchObject(refused);
      await expect(keys.enable(id, confirmed())).rejects.toMatchObject(refused);
    }
  });

  test("A revoked key can be restored for exactly fifteen minutes", async () => {
    const { id, secret } = await create();
    await expect(keys.revoke(id, owner())).rejects.toMatchObject({ code: "confirmation_required" });
    const { revokedAtMs, restorableUntilMs } = await keys.revoke(id, confirmed());
    expect([revokedAtMs, restorableUntilMs]).toEqual([nowMs, nowMs + 900_000]);
    expect(await findServed(secret)).toMatchObject({ revoked: true });
    nowMs += 899_999;
    await expect(keys.restore(id, owner())).rejects.toMatchObject({ code: "confirmation_required" });
    expect(await keys.restore(id, confirmed())).toMatchObject({ state: "active", revokedAtMs: null });
    expect(await findServed(secret)).toMatchObject({ revoked: false });
    await keys.revoke(id, confirmed());
    nowMs += 900_000;
    await expect(keys.restore(id, confirmed())).rejects.toMatchObject({ code: "key_state" });
    expect((await keys.list(accountId)).find((key) => key.id === id)).toMatchObject({ restorableUntilMs: null });
    expect(await listEvents(id)).toEqual(["key.create", "key.revoke", "key.restore", "key.revoke"]);
  });

  test("A disabled key is still disabled after it is restored", async () => {
    const { id } = await create();
    await keys.disable(id, owner());
    await keys.revoke(id, confirmed());
    expect(await keys.restore(id, confirmed())).toMatchObject({ state: "disabled" });
  });

  describe.each([
    ["the command line", () => OPERATOR_CLI],
    ["an operator on the dashboard", () => operator],
  ] as const)("after %s ended a key", (_, getOperator) => {
    test("Its owner cannot restore it, but an operator can", async () => {
      const { id, secret } = await create();
      await keys.revoke(id, getOperator());
      await expect(keys.restore(id, confirmed())).rejects.toMatchObject({ code: "key_state" });
      expect(await findServed(secret)).toMatchObject({ revoked: true });
      expect(await keys.restore(id, getOperator())).toMatchObject({ state: "active", revokedByOperator: false });
    });

    test("Its owner cannot enable or replace it, but an operator can enable it", async () => {
      const { id } = await create();
      expect(await keys.disable(id, getOperator())).toMatchObject({ disabledByOperator: true });
      await expect(keys.enable(id, confirmed())).rejects.toMatchObject({ code: "key_state" });
      await expect(keys.rotate(id, "now", confirmed())).rejects.toMatchObject({ code: "key_state" });
      await keys.disable(id, owner());
      await keys.revoke(id, confirmed());
      await keys.restore(id, confirmed());
      await expect(keys.enable(id, confirmed())).rejects.toMatchObject({ code: "key_state" });
      expect(await keys.enable(id, getOperator())).toMatchObject({ state: "active", disabledByOperator: false });
    });

    test("An owner who ended the key first cannot bring it back either", async () => {
      const { id } = await create();
      await keys.disable(id, owner());
      await keys.disable(id, getOperator());
      await keys.revoke(id, confirmed());
      await keys.revoke(id, getOperator());
      await expect(keys.restore(id, confirmed())).rejects.toMatchObject({ code: "key_state" });
      await keys.restore(id, getOperator());
      await expect(keys.enable(id, confirmed())).rejects.toMatchObject({ code: "key_state" });
    });
  });

  test("An operator who ends a key of their own restores it as its owner", async () => {
    const { id } = await create();
    await keys.revoke(id, { kind: "operator", accountId, confirmed: true });
    expect(await keys.restore(id, confirmed())).toMatchObject({ state: "active" });
  });

  test("An owner cannot change another account's key", async () => {
    const { id } = await create();
    const stranger: Owner = { kind: "owner", accountId: (await someAccount(testDatabase.db)).id, confirmed: true };
    const refused = { code: "key_not_found" };
    await expect(keys.update(id, { label: "x" }, stranger)).rejects.toMatchObject(refused);
    await expect(keys.rotate(id, "now", stranger)).rejects.toMatchObject(refused);
    await expect(keys.disable(id, stranger)).rejects.toMatchObject(refused);
    await expect(keys.enable(id, stranger)).rejects.toMatchObject(refused);
    await expect(keys.revoke(id, stranger)).rejects.toMatchObject(refused);
    await expect(keys.restore(id, stranger)).rejects.toMatchObject(refused);
    expect(await listEvents(id)).toEqual(["key.create"]);
    await keys.disable(id, OPERATOR_CLI);
    expect((await createAuditLog(testDatabase.db).list({ keyId: id, limit: 1 }))[0]).toMatchObject({
      actor: "operator CLI",
    });
  });
});
