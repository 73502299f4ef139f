import { afterAll, describe, expect, test } from "vitest";
import { readStoredUntil } from "@/lib/history/hour-store";
import { importText } from "@/lib/history/import/import.fixture";
import { journalRows } from "@/lib/history/recording/lease.fixture";
import { row } from "@/lib/history/recording/recorder.fixture";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const HOUR = Date.parse("2026-03-04T10:00:00Z") / 1000;

describe("the newest stored second", () => {
  test("It is the newest of the journal, or the end of the newest closed hour", async () => {
    const { pool } = testDatabase.db;
    expect(await readStoredUntil(pool)).toBeNull();
    await pool.query("INSERT INTO tick_hour VALUES ('EURUSD', $1, 1, '')", [HOUR / 3_600 - 1]);
    expect(await readStoredUntil(pool)).toBe(HOUR * 1000);
    await journalRows(pool, [row(HOUR + 90, 1, 1, 1, 1, 1), row(HOUR + 7, 1, 1, 1, 1, 1)]);
    expect(await readStoredUntil(pool)).toBe((HOUR + 90) * 1000);
  });

  test("It is the end of the newest hour of imported bars, of any symbol", async () => {
    const { pool } = testDatabase.db;
    const untilMs = (HOUR + 40 * 3_600) * 1000;
    for (const [symbol, hours] of Object.entries({ gbpusd: [29, 30], eurusd: [1, 2], audusd: [3, 4] })) {
      const bars = hours.map((hour) => `${(HOUR + hour * 3_600) * 1000},1.1,1.2,1.0,1.1,5`);
      const text = ["time,open,high,low,close,volume", ...bars].join("\n");
      await importText(pool, `${symbol}.csv`, text, { untilMs, asIs: true });
    }
    expect((await pool.query("SELECT max(hour) AS hour FROM tick_hour")).rows).toEqual([{ hour: HOUR / 3_600 - 1 }]);
    expect(await readStoredUntil(pool)).toBe((HOUR + 31 * 3_600) * 1000);
  });
});
