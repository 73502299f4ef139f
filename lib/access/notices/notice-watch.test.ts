import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { reserve } from "@/lib/access/admission/day-window";
import { createDirectory, type Directory, type KeyEntry } from "@/lib/access/admission/directory";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { createKeyUses } from "@/lib/access/notices/key-uses";
import { createNoticeWatch, createUnusedKeys } from "@/lib/access/notices/notice-watch";
import { createNotices, formatNoticeText, formatNoticeTitle, type Notices } from "@/lib/access/notices/notices";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const noon = Date.UTC(2026, 0, 15, 12);

describe("notices", () => {
  let testDatabase: TestDatabase;
  let directory: Directory;
  let notices: Notices;
  let nowMs = noon;
  const now = () => nowMs;
  let mails: { to: string; subject: string; text: string; id: string }[] = [];
  let isServerThere = true;
  const mailer: Mailer = {
    async send(mail) {
      if (!isServerThere) throw new Error("connection refused");
      mails.push(mail);
    },
  };

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    directory = createDirectory(testDatabase.db, { now, log: silentLog });
    notices = createNotices(testDatabase.db.pool, { now });
  });
  afterAll(() => testDatabase.cleanup());

  const createWatch = (watched = directory, mailer: Mailer | null = null) =>
    createNoticeWatch({
      pool: testDatabase.db.pool,
      keyUses: createKeyUses(),
      directory: watched,
      notices,
      mailer,
      publicUrl: "https://prices.example",
      now,
      log: silentLog,
    });

  async function someEntry(lifeMs: number | null = null) {
    const account = await someAccount(testDatabase.db, "free", now);
    const input = { accountId: account.id, label: "desk", scopes: ["all"], expiresAtMs: lifeMs && nowMs + lifeMs };
    const { id } = await createKeys(testDatabase.db, { now }).create(input);
    await testDatabase.db.prisma.apiKey.update({ where: { id }, data: { createdAt: new Date(nowMs) } });
    await directory.refresh();
    // These tests are not about the notice that the key was created.
    await createWatch().check();
    await testDatabase.db.prisma.notice.deleteMany({ where: { accountId: account.id } });
    return { account, key: directory.key(id) as KeyEntry };
  }

  const call = ({ day, perDay }: KeyEntry, times: number) => {
    for (let i = 0; i < times; i++) reserve(day, perDay, nowMs);
  };
  const listNotices = async (accountId: string) =>
    (await notices.list(accountId))
      .flatMap(({ facts }): (string | number)[] => {
        if (facts.kind === "expiry") return [`${facts.days} d`];
        return facts.kind === "quota" ? [facts.percent] : [];
      })
      .toReversed();

  test("Notices at 50, 80 and 100 % of the quota are written once a day each", async () => {
    const { account, key } = await someEntry();
    const watch = createWatch();
    const checkAndList = async () => {
      await watch.check();
      await watch.check();
      nowMs += 1_000;
      return listNotices(account.id);
    };
    call(key, 499);
    expect(await checkAndList()).toEqual([]);
    call(key, 1);
    expect(await checkAndList()).toEqual([50]);
    call(key, 300);
    expect(await checkAndList()).toEqual([50, 80]);
    call(key, 200);
    expect(await checkAndList()).toEqual([50, 80, 100]);
    expect((await notices.list(account.id))[0]?.facts).toEqual({
      kind: "quota",
      keys: "account",
      day: "2026-01-15",
      percent: 100,
      used: 1_000,
      limit: 1_000,
    });
    nowMs = noon + DAY_MS;
    expect(await checkAndList()).toEqual([50, 80, 100]);
    call(key, 900);
    // If several percentages are passed at once, only the highest gets a notice.
    expect(await checkAndList()).toEqual([50, 80, 100, 80]);
    nowMs = noon;
  });

  test("A notice is written once over restarts and by two processes", async () => {
    const { account, key } = await someEntry();
    const twin = createDirectory(testDatabase.db, { now, log: silentLog });
    await twin.refresh();
    call(key, 850);
    call(twin.key(key.id) as KeyEntry, 850);
    await Promise.all([...Array(5)].flatMap(() => [createWatch().check(), createWatch(twin).check()]));
    expect(await listNotices(account.id)).toEqual([80]);
    // After the quota was raised, the lower percentage is not written again.
    await createAccounts(testDatabase.db, { now, directory, passwords: cheapPasswords }).setLimits(account.id, {
      perDay: 1_500,
    });
    await createWatch().check();
    expect(await listNotices(account.id)).toEqual([80]);
  });

  test("An account without a limit, or suspended, gets no notice", async () => {
    const { account, key } = await someEntry();
    const accounts = createAccounts(testDatabase.db, { now, directory, passwords: cheapPasswords });
    const accountStatus = createAccountStatus(testDatabase.db, { now, directory });
    await accounts.setPlan(account.id, "payg");
    call(key, 2_000);
    await createWatch().check();
    await accounts.setPlan(account.id, "free");
    await accountStatus.setSuspended(account.id, true);
    await createWatch().check();
    expect(await listNotices(account.id)).toEqual([]);
  });

  test("Reminders come seven days and one day before a key ends, and again after its end moved", async () => {
    const { account, key } = await someEntry(30 * DAY_MS);
    const watch = createWatch();
    const at = async (atMs: number) => {
      nowMs = atMs;
      await watch.check();
      return listNotices(account.id);
    };
    expect(await at(noon + 22 * DAY_MS)).toEqual([]);
    expect(await at(noon + 23 * DAY_MS)).toEqual(["7 d"]);
    expect(await at(noon + 29 * DAY_MS)).toEqual(["7 d", "1 d"]);
    const keys = createKeys(testDatabase.db, { now, directory });
    await keys.update(key.id, { expiresAtMs: nowMs + 5 * DAY_MS }, OPERATOR_CLI);
    expect(await at(noon + 29 * DAY_MS + 1_000)).toEqual(["7 d", "1 d", "7 d"]);
    await keys.revoke(key.id, OPERATOR_CLI);
    expect(await at(noon + 33.5 * DAY_MS)).toEqual(["7 d", "1 d", "7 d"]);
    nowMs = noon;
  });

  test("A short-lived or rotated key gets no reminder", async () => {
    const short = await someEntry(5 * DAY_MS);
    const rotated = await someEntry();
    await createKeys(testDatabase.db, { now, directory }).rotate(rotated.key.id, "24h", OPERATOR_CLI);
    await createWatch().check();
    expect(await listNotices(short.account.id)).toEqual([]);
    expect(await listNotices(rotated.account.id)).toEqual([]);
    nowMs = noon + 4.5 * DAY_MS;
    await createWatch().check();
    expect(await listNotices(short.account.id), "but a life of five days has a last one").toEqual(["1 d"]);
    nowMs = noon;
  });

  test("Each notice is mailed once, and a failed mail is retried", async () => {
    mails = [];
    const { account, key } = await someEntry();
    call(key, 500);
    isServerThere = false;
    await createWatch(directory, mailer).check();
    isServerThere = true;
    await createWatch(directory, mailer).check();
    expect(mails.filter(({ to }) => to === account.email)).toEqual([]);
    nowMs = noon + 60_000;
    await Promise.all([...Array(4)].map(() => createWatch(directory, mailer).check()));
    const mine = mails.filter(({ to }) => to === account.email);
    expect(mine).toHaveLength(1);
    expect(mine[0]).toMatchObject({ subject: "50 % of the calls of the day are used" });
    expect(mine[0]?.text).toContain("500 of 1,000 calls on 2026-01-15.");
    expect(mine[0]?.text).toContain("https://prices.example/plan");
    nowMs = noon;
  });

  test("An account dismisses only its own notices", async () => {
    const [mine, theirs] = [await someEntry(), await someEntry()];
    for (const { key } of [mine, theirs]) call(key, 1_000);
    await createWatch().check();
    const [first] = await notices.list(mine.account.id);
    expect(await notices.countNew(mine.account.id)).toBe(1);
    for (const id of [first?.id ?? "", "all", "not an id"]) await notices.dismiss(theirs.account.id, id);
    expect(await notices.countNew(mine.account.id)).toBe(1);
    expect(await notices.countNew(theirs.account.id)).toBe(0);
    await notices.dismiss(mine.account.id, first?.id ?? "");
    expect(await notices.countNew(mine.account.id)).toBe(0);
    expect(await notices.list(mine.account.id)).toHaveLength(1);
  });

  test("Notices older than three months are deleted", async () => {
    const { account, key } = await someEntry();
    call(key, 1_000);
    await createWatch().check();
    nowMs = noon + 91 * DAY_MS;
    await notices.deleteOld();
    expect(await notices.list(account.id)).toEqual([]);
    nowMs = noon;
  });
});

const start = Date.UTC(2026, 0, 15);

describe("notices of unused keys", () => {
  let testDatabase: TestDatabase;
  let keys: Keys;
  let accountId = "";
  let nowMs = start;
  const now = () => nowMs;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    keys = createKeys(testDatabase.db, { now });
  });
  beforeEach(async () => {
    nowMs = start;
    accountId = (await someAccount(testDatabase.db, "free", now)).id;
  });
  afterAll(() => testDatabase.cleanup());

  async function createKey(): Promise<string> {
    const { id } = await keys.create({ accountId, label: "Desk", scopes: ["all"] });
    await setUse(id, { createdAt: new Date(start) });
    return id;
  }
  const setUse = (id: string, data: { createdAt?: Date; lastUsedAt?: Date }) =>
    testDatabase.db.prisma.apiKey.update({ where: { id }, data });

  /** The notices of the account after a look by a process that has just started. */
  async function look(): Promise<string[]> {
    const notices = createNotices(testDatabase.db.pool, { now });
    await createUnusedKeys(testDatabase.db.pool).flush((due) => notices.add(due, true), nowMs);
    return (await notices.list(accountId)).map(
      ({ facts }) => `${formatNoticeTitle(facts)}. ${formatNoticeText(facts)}`,
    );
  }

  test("A key that was never used is reported once, on the page and by mail, sixty days after its creation", async () => {
    await createKey();
    nowMs = start + 60 * DAY_MS - 1;
    expect(await look()).toEqual([]);
    nowMs = start + 60 * DAY_MS;
    const notice =
      "The key “Desk” has not been used for 60 days. It was created on 2026-01-15 and never used. " +
      "If no program needs it, revoke it: nobody would notice if others used it.";
    expect(await look()).toEqual([notice]);
    expect(await testDatabase.db.prisma.notice.count({ where: { accountId, mailDueAt: { not: null } } })).toBe(1);
    // Notices are deleted after three months.
    await testDatabase.db.prisma.notice.deleteMany({ where: { accountId } });
    nowMs = start + 300 * DAY_MS;
    expect(await look()).toEqual([]);
  });

  test("A key is reported again only if it was used in between", async () => {
    const id = await createKey();
    nowMs = start + 59 * DAY_MS;
    await setUse(id, { lastUsedAt: new Date(nowMs) });
    nowMs += 59 * DAY_MS;
    expect(await look()).toEqual([]);
    nowMs += DAY_MS;
    expect(await look()).toHaveLength(1);
    expect((await look())[0]).toContain("Its last use was on 2026-03-15.");
    await setUse(id, { lastUsedAt: new Date(nowMs + DAY_MS) });
    nowMs += 61 * DAY_MS;
    expect(await look()).toHaveLength(2);
  });

  test("Keys that cannot be used are not reported", async () => {
    const [revoked, disabled] = [await createKey(), await createKey()];
    await keys.revoke(revoked, OPERATOR_CLI);
    await keys.disable(disabled, OPERATOR_CLI);
    await keys.create({ accountId, label: "ended", scopes: ["all"], expiresAtMs: start + DAY_MS });
    nowMs = start + 100 * DAY_MS;
    await testDatabase.db.prisma.apiKey.updateMany({ where: { accountId }, data: { createdAt: new Date(start) } });
    expect(await look()).toEqual([]);
  });

  test("The database is queried once an hour", async () => {
    await createKey();
    let looks = 0;
    const unused = createUnusedKeys(testDatabase.db.pool);
    const flush = () => unused.flush(async () => void (looks += 1), nowMs);
    await flush();
    nowMs += HOUR_MS - 1;
    await flush();
    expect(looks).toBe(1);
    nowMs += 1;
    await flush();
    expect(looks).toBe(2);
  });
});
