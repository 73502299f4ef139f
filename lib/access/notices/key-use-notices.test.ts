import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Account } from "@/lib/access/accounts/account";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory, type Directory, type KeyEntry } from "@/lib/access/admission/directory";
import { createKeys } from "@/lib/access/keys/keys";
import { createKeyUses, type KeyUses } from "@/lib/access/notices/key-uses";
import { createNoticeScene, type NoticeScene } from "@/lib/access/testing/notice-scene";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

describe("notices about the uses of keys", () => {
  let directory: Directory;
  let scene: NoticeScene;
  let account: Account;
  let nowMs = Date.UTC(2026, 0, 15, 13);
  const now = () => nowMs;

  beforeAll(async () => {
    directory = createDirectory(testDatabase.db, { now, log: silentLog });
    scene = createNoticeScene(testDatabase.db, { directory, now });
    await scene.watch().check();
  });
  beforeEach(async () => {
    account = await someAccount(testDatabase.db, "free", now);
  });

  const takeNotices = (keyUses: KeyUses) => scene.take(account.id, keyUses);

  async function createEntry(): Promise<KeyEntry> {
    const keys = createKeys(testDatabase.db, { now, directory });
    const { id } = await keys.create({ accountId: account.id, label: "Desk", scopes: ["quotes"] }, OPERATOR_CLI);
    await scene.take(account.id);
    return directory.key(id) as KeyEntry;
  }

  test("The first uses of a key from other networks share the notice of a day", async () => {
    const key = await createEntry();
    const use = async (...addresses: string[]) => {
      const keyUses = createKeyUses();
      for (const address of addresses) keyUses.accepted(key, address, nowMs);
      return takeNotices(keyUses);
    };
    expect(await use("203.0.113.7")).toEqual([]);
    expect(await use("203.0.113.7", "203.0.113.7")).toEqual([]);
    const [text = "", ...others] = await use("203.0.113.7", "2001:db8::1", "203.0.113.7");
    expect(others).toEqual([]);
    expect(text).toMatch(/^A new address uses the key “Desk”\. The first call from 2001:db8::1 came at /);
    // Another address of the same IPv6 network is not new.
    expect(await use("2001:db8::2", "198.51.100.1")).toEqual([
      expect.stringMatching(
        /The first call from 2001:db8::1 came at .* Since then: 198\.51\.100\.1 at 2026-01-15 13:00 UTC\.$/,
      ),
    ]);
    nowMs += DAY_MS;
    expect(await use("198.51.100.1", "2001:db8::3")).toEqual([]);
    expect(await use("198.51.100.2")).toEqual([expect.stringMatching(/The first call from 198\.51\.100\.2 came/)]);
  });

  test("Of a key that is used from many networks, the newest hundred are stored", async () => {
    const key = await createEntry();
    const keyUses = createKeyUses();
    for (let at = 0; at < 250; at++) keyUses.accepted(key, `198.51.100.${at}`, nowMs + at);
    await takeNotices(keyUses);
    const places = await testDatabase.db.prisma.keyPlace.findMany({ where: { keyId: key.id } });
    expect(places).toHaveLength(100);
    expect(places.map(({ place }) => place)).toContain("198.51.100.249/32");
  });

  test("Calls that the allow-list refuses share the notice of a day, with each address once, over restarts", async () => {
    const key = await createEntry();
    for (let restart = 0; restart < 2; restart++) {
      const keyUses = createKeyUses();
      for (let call = 0; call < 5; call++) keyUses.refused(key, "198.51.100.9", nowMs);
      const rows = await takeNotices(keyUses);
      expect(rows).toHaveLength(restart === 0 ? 1 : 0);
      if (restart === 0)
        expect(rows[0]).toMatch(/^A call with the key “Desk” was refused\. The call from 198\.51\.100\.9/);
    }
    const keyUses = createKeyUses();
    for (const address of ["198.51.100.9", "198.51.100.10", "198.51.100.10"]) keyUses.refused(key, address, nowMs);
    expect(await takeNotices(keyUses)).toEqual([
      expect.stringMatching(/The call from 198\.51\.100\.9 .* Since then: 198\.51\.100\.10 at [\d-]+ [\d:]+ UTC\.$/),
    ]);
    nowMs += DAY_MS;
    keyUses.refused(key, null, nowMs);
    expect(await takeNotices(keyUses)).toHaveLength(1);
    expect(await scene.notices.list(account.id)).toHaveLength(3);
  });

  test("What was noted is kept while the database cannot be written", async () => {
    const key = await createEntry();
    const keyUses = createKeyUses();
    keyUses.refused(key, "198.51.100.9", nowMs);
    const failing = keyUses.flush(testDatabase.db.pool, () => Promise.reject(new Error("unreachable")));
    await expect(failing).rejects.toThrow("unreachable");
    expect(await takeNotices(keyUses)).toHaveLength(1);
  });

  test("What is added to a notice makes it new on the page at once, and is mailed together when its day is over", async () => {
    const key = await createEntry();
    const mails: Parameters<Mailer["send"]>[0][] = [];
    const refuse = async (...addresses: string[]) => {
      const keyUses = createKeyUses();
      for (const address of addresses) keyUses.refused(key, address, nowMs);
      await scene.watch(keyUses, { send: async (mail) => void mails.push(mail) }).check();
    };
    const countNew = () => scene.notices.countNew(account.id);
    await scene.notices.dismiss(account.id, "all");
    await refuse("198.51.100.0");
    expect([await countNew(), mails.length]).toEqual([1, 1]);
    await scene.notices.dismiss(account.id, "all");
    for (let host = 1; host <= 40; host++) {
      nowMs += SECOND_MS;
      await refuse(`198.51.100.${host % 30}`);
    }
    expect([await countNew(), mails.length]).toEqual([1, 1]);
    nowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    await refuse();
    expect(mails).toHaveLength(2);
    expect(new Set(mails.map(({ id }) => id)).size).toBe(2);
    const [text = ""] = (mails[1]?.text ?? "").split("\n");
    const listed = [...text.matchAll(/198\.51\.100\.(\d+)/g)].map(([, host]) => Number(host));
    expect(listed).toEqual(Array.from({ length: 21 }, (_, host) => host));
    expect(text).toMatch(/ UTC\. More followed, which is not listed\.$/);
    await refuse();
    expect(mails).toHaveLength(2);
  });
});
