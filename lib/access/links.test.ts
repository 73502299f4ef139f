import { afterAll, describe, expect, test } from "vitest";
import { createDirectory } from "@/lib/access/admission/directory";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createKeys } from "@/lib/access/keys/keys";
import { createLinks, createLinkUses } from "@/lib/access/links";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const TARGET = { path: "/v1/ohlc", query: "symbol=EURUSD" };
const start = Date.UTC(2026, 0, 15);

describe("the links of keys", () => {
  let nowMs = start;
  const now = () => nowMs;

  const other = createDirectory(testDatabase.db, { now, log: silentLog });
  const keys = createKeys(testDatabase.db, { now });
  const links = createLinks(testDatabase.db, { now });

  async function openKey() {
    const { id: accountId } = await someAccount(testDatabase.db, "pro", now);
    const { id } = await keys.create({ accountId, label: "sheet", scopes: ["all"] });
    return { keyId: id, owner: { kind: "owner", accountId, address: "192.0.2.1", confirmed: true } as const };
  }

  test("A link is known to other processes until it is revoked, and recorded in the audit log", async () => {
    const { keyId, owner } = await openKey();
    const { id } = await links.create(keyId, TARGET, owner);
    await other.refresh();
    expect(other.link(id)).toMatchObject({ keyId, ...TARGET, revoked: false });
    expect(await links.list(keyId)).toMatchObject([{ id, ...TARGET, createdAtMs: nowMs, lastUsedAtMs: null }]);
    await links.revoke(id, owner);
    await other.refresh();
    expect(other.link(id)?.revoked).toBe(true);
    expect(await links.list(keyId)).toEqual([]);
    await expect(links.revoke(id, owner)).rejects.toMatchObject({ code: "link_not_found" });
    const events = await createAuditLog(testDatabase.db).list({ keyId, limit: 2 });
    expect(events.map(({ event, before, after }) => [event, (before ?? after)?.link])).toEqual([
      ["key.revoke_link", id],
      ["key.create_link", id],
    ]);
  });

  test("Only the owner of a key creates and revokes its links, and only while it is usable", async () => {
    const { keyId, owner } = await openKey();
    const stranger = (await openKey()).owner;
    await expect(links.create(keyId, TARGET, stranger)).rejects.toMatchObject({ code: "key_not_found" });
    await expect(links.create("nothing", TARGET, owner)).rejects.toMatchObject({ code: "key_not_found" });
    const { id } = await links.create(keyId, TARGET, owner);
    for (const by of [stranger, { ...stranger, accountId: "nothing" }])
      await expect(links.revoke(id, by)).rejects.toMatchObject({ code: "link_not_found" });
    await expect(links.revoke("nothing", owner)).rejects.toMatchObject({ code: "link_not_found" });
    await keys.revoke(keyId, owner);
    await expect(links.create(keyId, TARGET, owner)).rejects.toMatchObject({ code: "key_state" });
  });

  test("An owner creates a link only with the password, and revokes it without", async () => {
    const { keyId, owner } = await openKey();
    const unconfirmed = { ...owner, confirmed: false };
    await expect(links.create(keyId, TARGET, unconfirmed)).rejects.toMatchObject({ code: "confirmation_required" });
    expect(await links.list(keyId)).toEqual([]);
    const { id } = await links.create(keyId, TARGET, owner);
    await links.revoke(id, unconfirmed);
  });

  test("A key has 50 links at most, and revoked ones are forgotten after a month", async () => {
    const { keyId, owner } = await openKey();
    const made = [];
    for (let index = 0; index < 50; index++) made.push(await links.create(keyId, TARGET, owner));
    await expect(links.create(keyId, TARGET, owner)).rejects.toMatchObject({ code: "too_many_links" });
    await links.revoke(made[0]?.id ?? "", owner);
    nowMs += 31 * DAY_MS;
    await links.create(keyId, TARGET, owner);
    expect(await testDatabase.db.prisma.keyLink.count({ where: { keyId } })).toBe(50);
    await expect(links.create(keyId, { ...TARGET, query: "x".repeat(5_000) }, owner)).rejects.toMatchObject({
      code: "invalid_link",
    });
  });

  test("The last use is stored at most once a minute", async () => {
    const { keyId, owner } = await openKey();
    const { id } = await links.create(keyId, TARGET, owner);
    await other.refresh();
    const link = other.link(id);
    if (link === undefined) throw new Error("The link is not known.");
    const uses = createLinkUses();
    const readUse = async () => (await links.list(keyId))[0]?.lastUsedAtMs;
    for (const [atMs, stored] of [
      [start, start],
      [start + 1_000, start],
      [start + MINUTE_MS, start + MINUTE_MS],
    ] as const) {
      uses.note(link, atMs);
      await uses.flush(testDatabase.db.pool);
      expect(await readUse()).toBe(stored);
    }
  });
});
