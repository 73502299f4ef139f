import { tmpdir } from "node:os";
import { afterAll, describe, expect, test } from "vitest";
import { checkRecording, examine } from "@/cli/doctor";
import { journalRows } from "@/lib/history/recording/lease.fixture";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noonMs = Date.UTC(2026, 0, 15, 12);

describe("the check of the recording", () => {
  const addClosedHours = async (...hours: number[]) => {
    for (const atMs of hours) {
      await testDatabase.db.pool.query(
        "INSERT INTO tick_hour (symbol, hour, ticks, block) VALUES ('EURUSD', $1, 0, '')",
        [atMs / HOUR_MS],
      );
    }
  };
  const check = (nowMs = noonMs) => checkRecording(testDatabase.db.pool, tmpdir(), nowMs);

  test("returns a note if nothing was recorded", async () => {
    expect(await check()).toEqual({ state: "note", detail: "nothing is recorded yet" });
  });

  test("returns the newest second, the hours, the gaps and the free space", async () => {
    const price = { digits: 5, bid: 1, ask: 2, open: 1, high: 1, low: 1, updates: 1 };
    await journalRows(testDatabase.db.pool, [{ symbol: "EURUSD", second: noonMs / 1000 + 30, ...price }]);
    const before = Array.from({ length: 23 }, (_, at) => noonMs - (at + 1) * HOUR_MS);
    await addClosedHours(...before.slice(0, 20), noonMs - 40 * HOUR_MS);
    const gaps = await check(noonMs + 90_000);
    expect(gaps.state).toBe("note");
    expect(gaps.detail).toMatch(
      /^newest second 2026-01-15T12:00:30Z, 1 min 0 s ago; hours with ticks: 1 open, 21 closed; 3 of the last 24 have no tick at all; database [\d.]+ [MG]B, [\d.]+ [MGT]B free/,
    );
    await addClosedHours(...before.slice(20));
    expect(await check()).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("the last 24 have no gap") as string,
    });
    expect(await check(noonMs - HOUR_MS)).toMatchObject({
      state: "wrong",
      detail: expect.stringContaining("seconds after now are stored") as string,
    });
    await testDatabase.db.pool.query("INSERT INTO ahead_second SELECT * FROM tick_second");
    expect(await check()).toMatchObject({
      state: "note",
      detail: expect.stringContaining("1 seconds of a clock that was ahead are set aside") as string,
    });
  });
});

test("doctor shows of which symbols every tick is kept, and names that may be wrong", async () => {
  const find = async (kept: string) => {
    const findings = await examine({ SPOTLINE_KEEP_TICKS: kept, SPOTLINE_DATA_DIR: `${tmpdir()}/spotline-no-data` });
    return findings.find(({ check }) => check === "every tick");
  };
  expect(await find("")).toBeUndefined();
  expect(await find("eur/usd,crypto")).toMatchObject({ state: "ok", detail: "kept of EURUSD, crypto, for 90 days" });
  expect(await find("EURUSDD")).toMatchObject({ state: "note", detail: expect.stringContaining("EURUSDD") as string });
});

test("doctor says when links and contacts of messages are of this machine alone", async () => {
  const find = async (env: Record<string, string>) =>
    (await examine({ SPOTLINE_DATA_DIR: `${tmpdir()}/spotline-no-data`, ...env }))
      .filter(({ check }) => check === "address" || check === "push")
      .map(({ check, state }) => `${check} ${state}`);
  expect(await find({})).toEqual(["address note", "push note"]);
  expect(await find({ SPOTLINE_URL: "http://127.0.0.1:3000", SPOTLINE_PUSH_CONTACT: "mailto:a@example.com" })).toEqual([
    "address note",
  ]);
  expect(await find({ SPOTLINE_URL: "https://prices.example" })).toEqual([]);
});
