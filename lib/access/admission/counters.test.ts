import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { readCounters } from "@/lib/access/admission/counters";
import { reserve } from "@/lib/access/admission/day-window";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { admit } from "@/lib/access/admission/minute-window";
import { localWindows } from "@/lib/access/admission/windows";
import { cheapPasswords, someAccount, someEntry } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const noon = Date.UTC(2026, 0, 15, 12);

describe("the counters of an account", () => {
  let testDatabase: TestDatabase;
  let directory: Directory;
  let nowMs = noon;
  const now = () => nowMs;

  beforeAll(async () => {
    testDatabase = await openTestDatabase("embedded");
    directory = createDirectory(testDatabase.db, { now, log: silentLog });
  });
  afterAll(() => testDatabase.cleanup());

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
