import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { addMissingHours, readHour, tickHourStore } from "@/lib/history/ticks/tick-history";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 10, 20, 13);

function createHour(symbol: string, hourMs: number, seconds: readonly number[]): HourColumns {
  const hour = createHourColumns(symbol, 5, hourMs);
  for (const second of seconds) {
    const bid = 110_000 + second;
    const row = { symbol, second: hourMs / 1000 + second, bid, ask: bid + 12, open: bid, high: bid, low: bid };
    writeSecond(hour, { ...row, digits: 5, updates: 1 });
  }
  return hour;
}

describe("tick hours", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  const write = async (...hours: HourColumns[]) => {
    const client = await testDatabase.db.pool.connect();
    try {
      await client.query("BEGIN");
      await tickHourStore.writeHour(client, hours);
      await client.query("COMMIT");
    } finally {
      client.release();
    }
  };
  const versions = async () =>
    (await testDatabase.db.pool.query("SELECT symbol, hour, ticks, xmin::text FROM tick_hour ORDER BY symbol, hour"))
      .rows as {
      symbol: string;
    }[];

  test("The hours of a hundred symbols are read as they were written", async () => {
    const hours = Array.from({ length: 100 }, (_, index) => createHour(`SYM${index}`, START, [index, 3_599]));
    await write(...hours);
    for (const hour of hours) expect(await readHour(testDatabase.db.pool, hour.symbol, START)).toEqual(toTicks(hour));
    expect(await versions()).toHaveLength(100);
  });

  test("An hour without ticks has no row, and reads as null like one that was never written", async () => {
    await write(createHour("QUIET", START, []));
    expect(await readHour(testDatabase.db.pool, "QUIET", START)).toBeNull();
    expect(await readHour(testDatabase.db.pool, "SYM1", START + HOUR_MS)).toBeNull();
    await write();
  });

  test("Filling the past adds missing hours and leaves stored ones as they are", async () => {
    const [stored, missing] = [createHour("FILLED", START, [1, 2]), createHour("FILLED", START + HOUR_MS, [5])];
    await write(stored);
    const client = await testDatabase.db.pool.connect();
    await addMissingHours(client, [createHour("FILLED", START, [7, 8, 9]), missing], () => ({ kind: "generated" }));
    client.release();
    expect(await readHour(testDatabase.db.pool, "FILLED", START)).toEqual(toTicks(stored));
    expect(await readHour(testDatabase.db.pool, "FILLED", START + HOUR_MS)).toEqual(toTicks(missing));
  });

  test("An hour does not change when it is written again, and grows when it has more ticks", async () => {
    const hour = createHour("EURUSD", START, [1, 2, 3]);
    await write(hour);
    const before = await versions();
    await write(hour);
    expect(await versions()).toEqual(before);
    const more = createHour("EURUSD", START, [1, 2, 3, 4]);
    await write(more);
    expect(await readHour(testDatabase.db.pool, "EURUSD", START)).toEqual(toTicks(more));
  });

  test("A damaged block is refused with its symbol and hour", async () => {
    await testDatabase.db.pool.query("UPDATE tick_hour SET block = 'nonsense' WHERE symbol = 'EURUSD'");
    await expect(readHour(testDatabase.db.pool, "EURUSD", START)).rejects.toThrow(
      "The ticks of EURUSD from 2026-11-20T13:00:00.000Z cannot be read",
    );
  });
});
