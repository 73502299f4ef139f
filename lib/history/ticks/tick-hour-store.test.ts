import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHourColumns, HOUR_MS, writeSecond, type HourColumns } from "@/lib/history/hour-columns";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { readHour, tickHourStore } from "@/lib/history/ticks/tick-hour-store";
import { ticksOf } from "@/lib/history/ticks/hour-block";

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
  let test: TestDatabase;
  beforeAll(async () => void (test = await openTestDatabase(kind)));
  afterAll(() => test.cleanup());

  const write = async (...hours: HourColumns[]) => {
    const client = await test.db.pool.connect();
    try {
      await client.query("begin");
      await tickHourStore.writeHour(client, hours);
      await client.query("commit");
    } finally {
      client.release();
    }
  };
  const versions = async () =>
    (await test.db.pool.query("select symbol, hour, ticks, xmin::text from tick_hour order by symbol, hour")).rows as {
      symbol: string;
    }[];

  it("are read as they were written, a hundred symbols at once", async () => {
    const hours = Array.from({ length: 100 }, (_, index) => hourOf(`SYM${index}`, START, [index, 3_599]));
    await write(...hours);
    for (const hour of hours) expect(await readHour(test.db.pool, hour.symbol, START)).toEqual(ticksOf(hour));
    expect(await versions()).toHaveLength(100);
  });

  it("are told from what was never written, and without a row for an hour without ticks", async () => {
    await write(hourOf("QUIET", START, []));
    expect(await readHour(test.db.pool, "QUIET", START)).toBeNull();
    expect(await readHour(test.db.pool, "SYM1", START + HOUR_MS)).toBeNull();
    await write();
  });

  it("do not change when they are written again, and follow when there is more", async () => {
    const hour = hourOf("EURUSD", START, [1, 2, 3]);
    await write(hour);
    const before = await versions();
    await write(hour);
    expect(await versions()).toEqual(before);
    const more = hourOf("EURUSD", START, [1, 2, 3, 4]);
    await write(more);
    expect(await readHour(test.db.pool, "EURUSD", START)).toEqual(ticksOf(more));
  });

  it("are refused by name when their block is damaged", async () => {
    await test.db.pool.query("update tick_hour set block = 'nonsense' where symbol = 'EURUSD'");
    await expect(readHour(test.db.pool, "EURUSD", START)).rejects.toThrow(
      "The ticks of EURUSD from 2026-11-20T13:00:00.000Z cannot be read",
    );
  });
});
