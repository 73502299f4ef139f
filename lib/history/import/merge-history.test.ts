import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packBars } from "@/lib/history/bars/bar-packs";
import { readBars } from "@/lib/history/bars/bar-rows";
import { inTransaction } from "@/lib/history/hour-store";
import { createTicks, formatTicks, importText } from "@/lib/history/import/import.fixture";
import { moveMerged } from "@/lib/history/import/merge-history";
import { lockClosedHours } from "@/lib/history/import/write-hours";
import { readHour } from "@/lib/history/ticks/tick-history";
import { dropInstruments, instrumentBySymbol, putInstruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart, type StoredTimeframe } from "@/lib/market/timeframe";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const database = await openTestDatabase();

const START = Date.UTC(2024, 4, 14, 6);
const MERGED = "OLDEURO";

describe("a merged instrument", () => {
  beforeAll(async () => {
    putInstruments([{ ...(instrumentBySymbol.get("EURUSD") as Instrument), symbol: MERGED, aliases: [] }]);
  });
  afterAll(async () => {
    dropInstruments([MERGED]);
    await database.cleanup();
  });

  const read = async (symbol: string, timeframe: StoredTimeframe) => {
    const range = { symbols: [symbol], timeframe, limit: 1e6, pick: "first" } as const;
    return (await readBars(database.db.pool, range)).get(symbol) ?? [];
  };
  const count = async () => {
    const tables = [
      "tick_hour",
      "tape_hour",
      "bar",
      "bar_pack",
      "spread_hour",
      "import_hour",
      "imported_span",
      "bar_memory",
    ];
    const text = tables.map((table) => `SELECT count(*) AS n FROM ${table} WHERE symbol = '${MERGED}'`);
    const { rows } = await database.db.pool.query<{ n: string }>(text.join(" UNION ALL "));
    return rows.reduce((sum, { n }) => sum + Number(n), 0);
  };

  test("keeps its history under the other one, whose own prices come first", async () => {
    const { pool } = database.db;
    // The last of its hours has prices of both.
    await importText(pool, "old.csv", formatTicks(createTicks(START, 2_400)), { symbol: MERGED, source: "icm" });
    await importText(pool, "eurusd.csv", formatTicks(createTicks(START + 2 * HOUR_MS, 900, 2)), { source: "oanda" });
    const [old, own] = [await read(MERGED, "M1"), await read("EURUSD", "M1")];
    const before = (bars: typeof old) => bars.filter(({ timeMs }) => timeMs < START + 2 * HOUR_MS);
    expect(before(old).length).toBeGreaterThan(100);
    expect(before(own)).toEqual([]);
    const ticks = await readHour(pool, MERGED, START);
    const packed = [{ symbol: MERGED }];
    expect(await packBars(pool, packed, { nowMs: START + 30 * DAY_MS, limit: 100 })).toBeGreaterThan(0);

    const tapes = "INSERT INTO tape_hour SELECT unnest($1::text[]), 7, 'alpha', 0, 1, ''";
    await pool.query(tapes, [[MERGED, "EURUSD"]]);

    expect(await moveMerged(pool, { spreadsFromMs: 0 })).toBe(0);
    await pool.query("INSERT INTO instrument (symbol, merged_into, revision) VALUES ($1, 'ALSOOLD', 1)", [MERGED]);
    await pool.query("INSERT INTO instrument (symbol, merged_into, revision) VALUES ('ALSOOLD', 'EURUSD', 1)");
    expect(await moveMerged(pool, { spreadsFromMs: 0 })).toBeGreaterThan(2);
    expect(await count()).toBe(0);
    expect(await readHour(pool, "EURUSD", START)).toEqual(ticks);
    expect(before(await read("EURUSD", "M1"))).toEqual(before(old));
    const parts = "SELECT part > 0 AS is_part FROM tape_hour WHERE symbol = 'EURUSD' ORDER BY part";
    expect((await pool.query(parts)).rows).toEqual([{ is_part: false }, { is_part: true }]);
    const ownMinutes = new Set(own.map(({ timeMs }) => timeMs));
    expect((await read("EURUSD", "M1")).filter(({ timeMs }) => ownMinutes.has(timeMs))).toEqual(own);
    const day = { timeMs: getBarStart("D1", START), open: old[0]?.open };
    expect((await read("EURUSD", "D1"))[0]).toMatchObject(day);
    expect(await moveMerged(pool, { spreadsFromMs: 0 })).toBe(0);
  });

  test("of which nothing is left takes no lock when it is looked at again", async () => {
    const { pool } = database.db;
    await pool.query(
      `INSERT INTO instrument (symbol, merged_into, revision) VALUES ($1, 'EURUSD', 1)
       ON CONFLICT (symbol) DO NOTHING`,
      [MERGED],
    );
    await inTransaction(pool, async (client) => {
      await lockClosedHours(client);
      await client.query("LOCK TABLE closed_hour");
      expect(await moveMerged(pool, { spreadsFromMs: 0 })).toBe(0);
    });
  });
});
