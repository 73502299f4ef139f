import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { readHour, tickHourStore } from "@/lib/history/ticks/tick-hour-store";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 10, 20, 13);

function hourOf(symbol: string, hourMs: number, seconds: readonly number[]): HourColumns {
  const hour = createHourColumns(symbol, 5, hourMs);
  for (const second of seconds) {
    const bid = 110_000 + second;
    const row = { symbol, second: hourMs / 1000 + second, bid, ask: bid + 12, open: bid, high: bid, low: bid };
    writeSecond(hour, { ...row, updates: 1 });
  }
  return hour;
}

describe.each(databaseKinds)("tick hours in the %s database", (kind) => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase(kind)));
  afterAll(() => testDatabase.cleanup());

  const write = async (...hours: HourColumns[]) => {
    const client = await testDatabase.db.pool.connect();
    try {
      await client.query("begin");
      await tickHourStore.writeHour(client, hours);
      await client.query("commit");
    } finally {
      client.release();
    }
  };
  const versions = async () =>
    (await testDatabase.db.pool.query("select symbol, hour, ticks, xmin::text from tick_hour order by symbol, hour"))
      .rows as {
      symbol: string;
    }[];

  test("are read as they were written, a hundred symbols at once", async () => {
    const hours = Array.from({ length: 100 }, (_, index) => hourOf(`SYM${index}`, START, [index, 3_599]));
    await write(...hours);
    for (const hour of hours) expect(await readHour(testDatabase.db.pool, hour.symbol, START)).toEqual(toTicks(hour));
    expect(await versions()).toHaveLength(100);
  });

  test("are told from what was never written, and without a row for an hour without ticks", async () => {
    await write(hourOf("QUIET", START, []));
    expect(await readHour(testDatabase.db.pool, "QUIET", START)).toBeNull();
    expect(await readHour(testDatabase.db.pool, "SYM1", START + HOUR_MS)).toBeNull();
    await write();
  });

  test("do not change when they are written again, and follow when there is more", async () => {
    const hour = hourOf("EURUSD", START, [1, 2, 3]);
    await write(hour);
    const before = await versions();
    await write(hour);
    expect(await versions()).toEqual(before);
    const more = hourOf("EURUSD", START, [1, 2, 3, 4]);
    await write(more);
    expect(await readHour(testDatabase.db.pool, "EURUSD", START)).toEqual(toTicks(more));
  });

  test("are refused by name when their block is damaged", async () => {
    await testDatabase.db.pool.query("update tick_hour set block = 'nonsense' where symbol = 'EURUSD'");
    await expect(readHour(testDatabase.db.pool, "EURUSD", START)).rejects.toThrow(
      "The ticks of EURUSD from 2026-11-20T13:00:00.000Z cannot be read",
    );
  });
});
