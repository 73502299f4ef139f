import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkRecording } from "@/cli/recording-check";
import { appendSeconds, openJournalHour } from "@/lib/history/journal";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const noonMs = Date.UTC(2026, 0, 15, 12);

describe.each(databaseKinds)("the examination of recording in %s", (kind) => {
  let place: TestDatabase;

  beforeAll(async () => {
    place = await openTestDatabase(kind);
  });
  afterAll(() => place.cleanup());

  const closedHours = async (...hours: number[]) => {
    for (const atMs of hours) {
      await place.db.pool.query("INSERT INTO tick_hour (symbol, hour, ticks, block) VALUES ('EURUSD', $1, 0, '')", [
        atMs / HOUR_MS,
      ]);
    }
  };
  const look = (nowMs = noonMs) => checkRecording(place.db.pool, tmpdir(), nowMs);

  test("finds nothing before the first second", async () => {
    expect(await look()).toEqual({ state: "note", detail: "nothing is recorded yet" });
  });

  test("tells the newest second, the hours, what is missing, and the room there is", async () => {
    const price = { bid: 1, ask: 2, open: 1, high: 1, low: 1, updates: 1 };
    await openJournalHour(place.db.pool, noonMs);
    await appendSeconds(place.db.pool, [{ symbol: "EURUSD", second: noonMs / 1000 + 30, ...price }]);
    const before = Array.from({ length: 23 }, (_, at) => noonMs - (at + 1) * HOUR_MS);
    await closedHours(...before.slice(0, 20), noonMs - 40 * HOUR_MS);
    const gaps = await look(noonMs + 90_000);
    expect(gaps.state).toBe("note");
    expect(gaps.detail).toMatch(
      /^newest second 2026-01-15T12:00:30Z, 1 min 0 s ago; hours with ticks: 1 open, 21 closed; 3 of the last 24 have no tick at all; database [\d.]+ [MG]B, [\d.]+ [MGT]B free/,
    );
    await closedHours(...before.slice(20));
    expect(await look()).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("the last 24 have no gap") as string,
    });
  });
});
