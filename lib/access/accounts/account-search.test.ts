import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountQuery, createOverview } from "@/lib/access/accounts/account-search";
import { type AccountStatus, createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Account, type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory } from "@/lib/access/admission/directory";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { type CreatedKey, createKeys } from "@/lib/access/keys/keys";
import { cheapPasswords, someKey } from "@/lib/access/testing/test-accounts";
import { createUsage } from "@/lib/access/usage/usage";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

describe("the operator's overview", () => {
  let accounts: Accounts;
  let accountStatus: AccountStatus;
  let overview: ReturnType<typeof createOverview>;
  let nowMs = Date.now();
  const now = () => nowMs;
  const people: Account[] = [];
  let key: CreatedKey;

  beforeAll(async () => {
    accounts = createAccounts(testDatabase.db, { now, passwords: cheapPasswords });
    accountStatus = createAccountStatus(testDatabase.db, { now });
    overview = createOverview(testDatabase.db, { now });
    for (const name of ["root", "ann", "bob_1", "bobx1", "carol"]) {
      people.push(await accounts.create({ email: `${name}@example.com`, password: "correct horse battery" }));
    }
    key = await someKey(testDatabase.db, getId("ann"));
  });

  const getId = (name: string) => people.find(({ email }) => email === `${name}@example.com`)?.id ?? "";
  const found = async (query: Partial<AccountQuery>) => {
    const { lines, total } = await overview.accounts({ limit: 10, ...query });
    return { names: lines.map(({ email }) => email.split("@")[0]), total };
  };

  test("A search finds accounts by part of the address, in any case, with every character literal", async () => {
    expect(await found({})).toEqual({ names: ["carol", "bobx1", "bob_1", "ann", "root"], total: 5 });
    expect(await found({ search: " BOB" })).toEqual({ names: ["bobx1", "bob_1"], total: 2 });
    expect(await found({ search: "b_1" })).toEqual({ names: ["bob_1"], total: 1 });
    for (const search of ["%", "\\", "' OR 1=1 --", "nobody"]) expect((await found({ search })).total).toBe(0);
  });

  test("A search finds an account by the start of its id or of a key", async () => {
    expect(await found({ search: getId("bobx1") })).toEqual({ names: ["bobx1"], total: 1 });
    expect(await found({ search: key.start })).toEqual({ names: ["ann"], total: 1 });
  });

  test("A search filters by state and by active plan", async () => {
    await accounts.setPlan(getId("carol"), "trial");
    await accountStatus.setSuspended(getId("bob_1"), true);
    expect(await found({ state: "suspended" })).toEqual({ names: ["bob_1"], total: 1 });
    expect((await found({ state: "active" })).total).toBe(4);
    expect(await found({ plan: "trial" })).toEqual({ names: ["carol"], total: 1 });
    expect(await found({ plan: "free", state: "active", search: "@example" })).toMatchObject({ total: 3 });
    nowMs += 14 * DAY_MS;
    expect((await found({ plan: "trial" })).total).toBe(0);
    expect((await found({ plan: "free" })).names).toContain("carol");
    nowMs -= 14 * DAY_MS;
  });

  test("A search returns every account once over its pages", async () => {
    const pages = await Promise.all([0, 2, 4, 6].map((offset) => found({ offset, limit: 2 })));
    expect(pages.map(({ names }) => names)).toEqual([["carol", "bobx1"], ["bob_1", "ann"], ["root"], []]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  test("A search counts keys, and calls since midnight", async () => {
    const keys = createKeys(testDatabase.db, { now });
    const second = await someKey(testDatabase.db, getId("ann"));
    await keys.disable(second.id, OPERATOR_CLI);
    const directory = createDirectory(testDatabase.db, { now, log: silentLog });
    await directory.refresh();
    const entry = directory.key(key.id);
    if (entry === undefined) throw new Error("the directory does not have the key");
    const usage = createUsage(testDatabase.db, { now, log: silentLog, directory });
    const count = async (atMs: number, status: number, endpoint = "/v1/quote") => {
      const before = nowMs;
      nowMs = atMs;
      usage.count(entry, endpoint, status, status === 200 ? 2 : 0);
      await usage.flush();
      nowMs = before;
    };
    await count(nowMs - DAY_MS, 200);
    for (const status of [200, 200, 429]) await count(nowMs, status);
    await count(nowMs, 200, "/v1/ticks");
    const { lines } = await overview.accounts({ search: "ann@", limit: 1 });
    expect(lines).toMatchObject([{ keys: 2, activeKeys: 1, callsToday: 3, plan: "free", suspendedAtMs: null }]);
    expect(await overview.today(getId("ann"))).toEqual([
      { endpoint: "/v1/quote", calls: 2, refused: 1, credits: 4 },
      { endpoint: "/v1/ticks", calls: 1, refused: 0, credits: 2 },
    ]);
    expect(await overview.today(getId("carol"))).toEqual([]);
  });

  test("A key is found by its visible characters", async () => {
    const { start, last4, secret } = key;
    const shown = [
      start,
      start.slice(9),
      `${start}…${last4}`,
      `${start}...${last4}`,
      ` ${secret} `,
      secret.slice(0, 20),
    ];
    for (const text of shown) {
      expect(
        (await overview.keys(text, 10)).map(({ id, ownerEmail }) => [id, ownerEmail]),
        text,
      ).toContainEqual([key.id, "ann@example.com"]);
    }
    const others = ["", "fxk_test_", `${start}…zz!`, `${start}…${last4 === "0000" ? "1111" : "0000"}`, "%", "_____x"];
    for (const text of others) expect(await overview.keys(text, 10), text).toEqual([]);
    expect(await overview.keys("fxk_live_", 1)).toHaveLength(1);
    expect(await overview.key(key.id)).toMatchObject({ id: key.id, ownerEmail: "ann@example.com" });
    expect(await overview.key("1")).toBeNull();
  });

  test("Only an operator may stop another account's key", async () => {
    const keys = createKeys(testDatabase.db, { now });
    const operator = { kind: "operator", accountId: getId("root"), confirmed: true } as const;
    expect(await keys.disable(key.id, operator)).toMatchObject({ state: "disabled" });
    const stranger = { kind: "owner", accountId: getId("bobx1"), confirmed: true } as const;
    await expect(keys.enable(key.id, stranger)).rejects.toMatchObject({ code: "key_not_found" });
    await expect(keys.revoke(key.id, { ...operator, confirmed: false })).rejects.toMatchObject({
      code: "confirmation_required",
    });
    expect(await keys.revoke(key.id, operator)).toMatchObject({ state: "revoked" });
    const events = await createAuditLog(testDatabase.db).list({ keyId: key.id, limit: 10 });
    expect(events[0]).toMatchObject({ event: "key.revoke", actor: getId("root"), accountId: getId("ann") });
    expect([...(await overview.findEmails(events)).values()].sort()).toEqual(["ann@example.com", "root@example.com"]);
    expect((await overview.findKeys(events)).map(({ id }) => id)).toEqual([key.id]);
  });
});
