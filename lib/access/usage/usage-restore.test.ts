import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { reserve } from "@/lib/access/admission/day-window";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { admit, countRemaining, createMinuteWindow } from "@/lib/access/admission/minute-window";
import { cheapPasswords, someEntry } from "@/lib/access/testing/test-accounts";
import { createUsage } from "@/lib/access/usage/usage";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noon = Date.UTC(2026, 0, 15, 12);

describe("the restart of a process", () => {
  let directory: Directory;
  let nowMs = noon;
  const now = () => nowMs;

  beforeAll(async () => {
    directory = createDirectory(testDatabase.db, { now, log: silentLog });
  });

  const createTestUsage = () => createUsage(testDatabase.db, { now, log: silentLog, directory });

  test("A restart restores the answered calls of the day", async () => {
    const standard = await someEntry(testDatabase.db, directory);
    const tool = await someEntry(testDatabase.db, directory, { kind: "tool", owner: standard.accountId });
    const before = createTestUsage();
    nowMs = Date.UTC(2026, 0, 14, 23);
    before.count(standard, "/v1/quote", 200, 1);
    nowMs = noon;
    for (let i = 0; i < 4; i++) before.count(standard, "/v1/quote", 200, 1);
    before.count(standard, "/v1/quote", 429, 0);
    before.count(standard, "/v1/heatmap", 304, 0);
    before.count(tool, "/v1/calendar", 200, 2);
    await before.stop();

    directory = createDirectory(testDatabase.db, { now, log: silentLog });
    await directory.refresh();
    const after = createTestUsage();
    await after.start();
    expect(directory.key(standard.id)?.day).toMatchObject({ dayMs: Date.UTC(2026, 0, 15), used: 4, credits: 4 });
    expect(directory.key(tool.id)?.day).toMatchObject({ dayMs: Date.UTC(2026, 0, 15), used: 1, credits: 2 });
    const day = directory.key(standard.id)?.day;
    expect(day && reserve(day, 4, noon)).toBe(false);
    await after.stop();
  });

  test("A restart restores the open minute windows", async () => {
    const [busy, idle] = [await someEntry(testDatabase.db, directory), await someEntry(testDatabase.db, directory)];
    const before = createTestUsage();
    nowMs = noon;
    for (let call = 0; call < 25; call++) {
      expect(admit(busy.minute, 30, nowMs)).toBe(true);
      before.count(busy, "/v1/quote", call % 2 === 0 ? 200 : 404, 1);
    }
    expect(admit(idle.minute, 30, nowMs)).toBe(true);
    before.count(idle, "/v1/quote", 200, 1);
    nowMs = noon + 30_000;
    await before.flush();
    admit(busy.minute, 30, nowMs);
    before.count(busy, "/v1/quote", 200, 1);
    await before.stop();

    const restart = async () => {
      directory = createDirectory(testDatabase.db, { now, log: silentLog });
      await directory.refresh();
      const after = createTestUsage();
      await after.start();
      await after.stop();
      return [busy, idle].map(({ id }) => directory.key(id)?.minute ?? createMinuteWindow());
    };
    nowMs = noon + 59_999;
    const [restored = createMinuteWindow(), other = createMinuteWindow()] = await restart();
    expect([countRemaining(restored, 30, nowMs), countRemaining(other, 30, nowMs)]).toEqual([4, 29]);
    const admitted = Array.from({ length: 200 }, () => admit(restored, 30, nowMs)).filter(Boolean);
    expect(admitted).toHaveLength(4);
    nowMs = noon + 60_000;
    const [over = createMinuteWindow()] = await restart();
    expect(countRemaining(over, 30, nowMs)).toBe(30);
    expect(await testDatabase.db.prisma.minuteWindow.count({ where: { keyId: busy.id } })).toBe(0);
  });

  test("Of two processes' windows of one key the fuller one is restored", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    nowMs = noon;
    for (const calls of [7, 3]) {
      const usage = createTestUsage();
      Object.assign(entry.minute, createMinuteWindow());
      for (let call = 0; call < calls; call++) admit(entry.minute, 30, nowMs);
      usage.count(entry, "/v1/quote", 200, 1);
      await usage.stop();
    }
    Object.assign(entry.minute, createMinuteWindow());
    const next = createTestUsage();
    await next.start();
    expect(countRemaining(entry.minute, 30, nowMs)).toBe(23);
    await next.stop();
  });

  test("A restart restores an operator's quota as one for all keys", async () => {
    const standard = await someEntry(testDatabase.db, directory);
    const tool = await someEntry(testDatabase.db, directory, { kind: "tool", owner: standard.accountId });
    const accounts = createAccounts(testDatabase.db, { now, directory, passwords: cheapPasswords });
    await accounts.setLimits(standard.accountId, { perDay: 10 });
    const before = createTestUsage();
    before.count(standard, "/v1/quote", 200, 1);
    before.count(tool, "/v1/quote", 200, 1);
    await before.stop();

    directory = createDirectory(testDatabase.db, { now, log: silentLog });
    await directory.refresh();
    const after = createTestUsage();
    await after.start();
    expect(directory.key(tool.id)?.day.used).toBe(2);
    await after.stop();
  });
});
