import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SecondRow } from "@/lib/history/hour-columns";
import {
  appendSeconds,
  closeJournalHour,
  type JournalRow,
  openJournalHour,
  readClosedHours,
  readJournal,
  unpackRows,
} from "@/lib/history/journal";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const START_MS = Date.parse("2026-03-04T10:00:00Z");

function row(offset: number, updates: number, bid = 100, symbol = "EURUSD"): SecondRow {
  const price = { digits: 5, bid, ask: bid + 9, open: 90, high: 2_147_483_647, low: -1 };
  return { symbol, second: START_MS / 1000 + offset, ...price, updates };
}

describe("the journal", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    for (const hourMs of [START_MS, START_MS + HOUR_MS, START_MS]) await openJournalHour(testDatabase.db.pool, hourMs);
  });
  afterAll(() => testDatabase.cleanup());

  async function read(): Promise<SecondRow[]> {
    const rows = await readJournal(testDatabase.db.pool);
    return rows.sort((a, b) => a.second - b.second || (a.symbol < b.symbol ? -1 : 1));
  }

  test("The journal returns each second once, even if it was written several times", async () => {
    const rows = [row(0, 1), row(0, 2, 7, "XAUUSD"), row(1, 1), row(3_600, 4)];
    await appendSeconds(testDatabase.db.pool, FIRST_FENCE, rows);
    await appendSeconds(testDatabase.db.pool, FIRST_FENCE, rows);
    expect(await read()).toEqual(rows.map((each) => ({ ...each, cause: 0 })));
  });

  test("A second is replaced by one with more updates, and never by an older version that arrives late", async () => {
    await appendSeconds(testDatabase.db.pool, FIRST_FENCE, [row(1, 3, 102)]);
    await appendSeconds(testDatabase.db.pool, FIRST_FENCE, [row(1, 2, 101)]);
    expect((await read())[2]).toMatchObject(row(1, 3, 102));
  });

  test("A second that was filled is replaced by the recorder's, and replaces nothing", async () => {
    const [rows, append] = [
      [row(1, 9, 105), row(9, 9, 105)],
      appendSeconds.bind(null, testDatabase.db.pool, FIRST_FENCE),
    ];
    await append(rows, 7);
    const readCauses = async () =>
      (await read()).map((each) => [each.second % 3_600, each.bid, (each as JournalRow).cause]);
    expect(await readCauses()).toEqual(
      expect.arrayContaining([
        [1, 102, 0],
        [9, 105, 7],
      ]),
    );
    await append([row(9, 1, 104)]);
    expect(await readCauses()).toEqual(expect.arrayContaining([[9, 104, 0]]));
  });

  test("A batch with rows of an hour that was not opened is refused as a whole", async () => {
    const before = await read();
    await expect(appendSeconds(testDatabase.db.pool, FIRST_FENCE, [row(2, 1), row(7_200, 1)])).rejects.toMatchObject({
      code: "23514",
    });
    expect(await read()).toEqual(before);
  });

  test("Closing an hour passes its rows on once and removes them, and a rollback restores them", async () => {
    // More symbols than are read at once.
    const others = Array.from({ length: 45 }, (_, nth) => row(2, 1, nth, `OTHER${nth}`));
    await appendSeconds(testDatabase.db.pool, FIRST_FENCE, others);
    const client = await testDatabase.db.pool.connect();
    const before = await read();
    const passed: SecondRow[] = [];
    const close = () =>
      closeJournalHour(client, START_MS, async (packed) => {
        expect(packed.length).toBeLessThan(25);
        passed.push(...packed.flatMap(unpackRows));
      });
    try {
      await client.query("BEGIN");
      expect(await close()).toBe(true);
      await client.query("ROLLBACK");
      expect(await read()).toEqual(before);
      passed.length = 0;
      for (const isFirst of [true, false]) {
        await client.query("BEGIN");
        expect(await close()).toBe(isFirst);
        await client.query("COMMIT");
      }
    } finally {
      client.release();
    }
    expect(passed).toHaveLength(before.length - 1);
    expect(before).toEqual(expect.arrayContaining(passed));
    expect(await read()).toMatchObject([row(3_600, 4)]);
    expect(await readClosedHours(testDatabase.db.pool)).toEqual([START_MS]);
  });

  test("A statement that arrives after its hour was closed does not bring the hour back", async () => {
    await openJournalHour(testDatabase.db.pool, START_MS);
    await appendSeconds(testDatabase.db.pool, FIRST_FENCE, [row(5, 1)]);
    expect(await read()).toMatchObject([row(3_600, 4)]);
  });
});
