import { afterAll, describe, expect, test } from "vitest";
import { workThrough } from "@/lib/history/backfill/fill-symbol";
import { joinDatabase } from "@/lib/platform/database/database";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

describe("back-filling", () => {
  test("continues with the same symbol after its connection was ended", async () => {
    const begun: string[] = [];
    const interruptions: unknown[] = [];
    await workThrough(["EURUSD", "USDJPY", "GBPUSD"], {
      open: () => joinDatabase({ ...testDatabase, log: silentLog }),
      work: async (client, symbol) => {
        begun.push(symbol);
        if (begun.length === 2) {
          const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
          await testDatabase.db.pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
        }
        await client.query("SELECT 1");
      },
      onInterrupted: (error) => interruptions.push(error),
      retryMs: 1,
    });
    expect(begun).toEqual(["EURUSD", "USDJPY", "USDJPY", "GBPUSD"]);
    expect(interruptions.map(isDatabaseUnavailable)).toEqual([true]);
  });

  test("waits for a database that is unavailable when it begins, and reports it once", async () => {
    let attempts = 0;
    const interruptions: unknown[] = [];
    const done: string[] = [];
    await workThrough(["EURUSD"], {
      open: () => {
        attempts += 1;
        const unavailable = { databaseUrl: "postgres://127.0.0.1:1/none", dataDir: "", log: silentLog };
        return joinDatabase(attempts < 3 ? unavailable : { ...testDatabase, log: silentLog });
      },
      work: async (_client, symbol) => void done.push(symbol),
      onInterrupted: (error) => interruptions.push(error),
      retryMs: 1,
    });
    expect([attempts, interruptions.length, done]).toEqual([3, 1, ["EURUSD"]]);
  });

  test("ends at an error of the work itself", async () => {
    const running = workThrough(["EURUSD"], {
      open: () => joinDatabase({ ...testDatabase, log: silentLog }),
      work: async (client) => void (await client.query("SELECT nonsense")),
      onInterrupted: () => expect.unreachable(),
      retryMs: 1,
    });
    await expect(running).rejects.toMatchObject({ code: "42703" });
  });
});
