import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { reserve } from "@/lib/access/admission/day-window";
import { createDirectory } from "@/lib/access/admission/directory";
import { admit, computeResetSeconds, countRemaining, createMinuteWindow } from "@/lib/access/admission/minute-window";
import { LEAST_GRANTED, localWindows, readCounters, resizeGrant } from "@/lib/access/admission/windows";
import { NO_LIMIT } from "@/lib/access/plans";
import { cheapPasswords, someAccount, someEntry } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const start = Date.UTC(2026, 0, 15, 12, 0, 30);

test("A window opens with the first request and admits exactly the limit", () => {
  const window = createMinuteWindow();
  const admitted = Array.from({ length: 100 }, (_, i) => admit(window, 30, start + i)).filter(Boolean);
  expect(admitted).toHaveLength(30);
  expect(admit(window, 30, start + 59_999)).toBe(false);
  expect(admit(window, 30, start + 60_000)).toBe(true);
});

test("The remaining requests and the end of the window are right", () => {
  const window = createMinuteWindow();
  expect(countRemaining(window, 30, start)).toBe(30);
  expect(computeResetSeconds(window, start)).toBe(60);
  admit(window, 30, start);
  expect(countRemaining(window, 30, start)).toBe(29);
  expect(computeResetSeconds(window, start + 1)).toBe(60);
  expect(computeResetSeconds(window, start + 59_001)).toBe(1);
  expect(countRemaining(window, 30, start + 60_000)).toBe(30);
});

test("The remaining requests are never negative after the limit was lowered", () => {
  const window = createMinuteWindow();
  for (let i = 0; i < 20; i++) admit(window, 30, start);
  expect(countRemaining(window, 10, start)).toBe(0);
  expect(admit(window, 10, start)).toBe(false);
});

test("A clock set back keeps the count and blocks calls for a minute at most", () => {
  const window = createMinuteWindow();
  for (let i = 0; i < 30; i++) admit(window, 30, start);
  const back = start - HOUR_MS;
  expect(admit(window, 30, back)).toBe(false);
  expect(admit(window, 30, back + 59_999)).toBe(false);
  expect(admit(window, 30, back + 60_000)).toBe(true);
});

test("A window without a limit never refuses", () => {
  const window = createMinuteWindow();
  for (let i = 0; i < 10_000; i++) expect(admit(window, NO_LIMIT, start)).toBe(true);
});

test("No sixty seconds that begin with a window admit more than the limit", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), gaps, (limit, gapsMs) => {
      const window = createMinuteWindow();
      const perWindow = new Map<number, number>();
      let nowMs = start;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        const reset = computeResetSeconds(window, nowMs);
        expect(reset).toBeGreaterThanOrEqual(1);
        expect(reset).toBeLessThanOrEqual(60);
        const passed = admit(window, limit, nowMs);
        if (!passed) expect(admit({ ...window }, limit, nowMs + computeResetSeconds(window, nowMs) * 1000)).toBe(true);
        if (passed) perWindow.set(window.startedAtMs, (perWindow.get(window.startedAtMs) ?? 0) + 1);
      }
      for (const admitted of perWindow.values()) expect(admitted).toBeLessThanOrEqual(limit);
    }),
  );
});

const noon = Date.UTC(2026, 0, 15, 12);

describe("the counters of an account", () => {
  let nowMs = noon;
  const now = () => nowMs;

  const directory = createDirectory(testDatabase.db, { now, log: silentLog });

  const read = (accountId: string) => readCounters({ directory, windows: localWindows, now }, accountId);
  const createEntry = (owner: string, kind: "standard" | "tool" = "standard") =>
    someEntry(testDatabase.db, directory, { owner, kind });

  test("The counters are those of the limits: days by kind of key, minutes by key", async () => {
    const { id } = await someAccount(testDatabase.db, "pro");
    const [busy, quiet, tool] = [await createEntry(id), await createEntry(id), await createEntry(id, "tool")];
    const stranger = await someEntry(testDatabase.db, directory);
    nowMs = noon;
    for (let call = 0; call < 3; call++) admit(busy.minute, busy.perMinute, nowMs);
    admit(stranger.minute, stranger.perMinute, nowMs);
    reserve(busy.day, busy.perDay, nowMs, 3);
    reserve(stranger.day, stranger.perDay, nowMs, 3);
    nowMs = noon + 20_500;
    for (let call = 0; call < 5; call++) admit(tool.minute, tool.perMinute, nowMs);
    reserve(tool.day, tool.perDay, nowMs, 2);
    expect(await read(id)).toEqual({
      days: { standard: { calls: 1, credits: 3 }, tool: { calls: 1, credits: 2 } },
      minutes: [
        { keyId: tool.id, used: 5, limit: 60, resetSeconds: 60 },
        { keyId: busy.id, used: 3, limit: 600, resetSeconds: 40 },
      ],
    });
    admit(quiet.minute, quiet.perMinute, nowMs);
    nowMs = noon + 60_000;
    expect((await read(id)).minutes.map(({ keyId }) => keyId)).toEqual([tool.id, quiet.id]);
    nowMs = noon + DAY_MS;
    expect(await read(id)).toEqual({
      days: { standard: { calls: 0, credits: 0 }, tool: { calls: 0, credits: 0 } },
      minutes: [],
    });
  });

  test("The counters stay below a lowered limit, and an operator's quota has one counter", async () => {
    nowMs = noon;
    const { id } = await someAccount(testDatabase.db, "pro");
    const [standard, tool] = [await createEntry(id), await createEntry(id, "tool")];
    const accounts = createAccounts(testDatabase.db, { now, directory, passwords: cheapPasswords });
    for (let call = 0; call < 9; call++) admit(standard.minute, standard.perMinute, nowMs);
    await accounts.setLimits(id, { perMinute: 5, perDay: 10 });
    for (const key of [standard, tool]) reserve(key.day, key.perDay, nowMs);
    expect(await read(id)).toEqual({
      days: { standard: { calls: 2, credits: 2 }, tool: { calls: 0, credits: 0 } },
      minutes: [{ keyId: standard.id, used: 5, limit: 5, resetSeconds: 60 }],
    });
  });

  test("An unknown account has no counters", async () => {
    const nothing = { calls: 0, credits: 0 };
    expect(await read("nobody")).toEqual({ days: { standard: nothing, tool: nothing }, minutes: [] });
  });
});

test("A grant grows while all of it is made, shrinks while less than half is, and stays within bounds", () => {
  expect(resizeGrant(64, 0)).toBe(128);
  expect(resizeGrant(64, 32)).toBe(64);
  expect(resizeGrant(64, 33)).toBe(32);
  expect(resizeGrant(1_024, 0)).toBe(1_024);
  expect(resizeGrant(LEAST_GRANTED, LEAST_GRANTED)).toBe(LEAST_GRANTED);
});
