import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeBars, encodeBars, type PointBar } from "@/lib/history/bars/bar-block";
import { readRemembered, rememberBars } from "@/lib/history/bars/bar-memory";
import { openBlocks, packBars } from "@/lib/history/bars/bar-packs";
import { type BarRow, insertBars, readBars } from "@/lib/history/bars/bar-rows";
import { inTransaction } from "@/lib/history/hour-store";
import { removeExpired } from "@/lib/history/retention";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const database = await openTestDatabase();
afterAll(() => database.cleanup());

const START = Date.UTC(2026, 2, 2);
const DAYS = 9;
const NOW = START + DAYS * DAY_MS + 5 * MINUTE_MS;

const anyPoints = fc.integer({ min: 1, max: 5_000_000_000 });
const anyBar = fc.record({
  skipped: fc.nat({ max: 3_000 }),
  ...{ open: anyPoints, high: anyPoints, low: anyPoints, close: anyPoints },
  volume: fc.nat({ max: 2_147_483_647 }),
  digits: fc.integer({ min: 0, max: 4 }),
});

test("A block gives every bar back, of any prices and digits; a damaged one is refused.", () => {
  fc.assert(
    fc.property(fc.array(anyBar, { minLength: 1, maxLength: 40 }), fc.constantFrom(1, 5, 15, 30), (rows, minutes) => {
      let timeMs = START;
      const bars = rows.map(({ skipped, ...bar }): PointBar => {
        timeMs += (skipped + 1) * minutes * MINUTE_MS;
        return { timeMs, ...bar };
      });
      const block = encodeBars(bars, minutes);
      const price = (points: number, digits: number) => points / 10 ** digits;
      const show = (list: readonly PointBar[]) =>
        list.map(({ timeMs, volume, digits, open, high, low, close }) => [
          timeMs,
          volume,
          ...[open, high, low, close].map((points) => price(points, digits)),
        ]);
      expect(show(decodeBars(block))).toEqual(show(bars));
      block[block.length - 1] = (block.at(-1) ?? 0) ^ 1;
      expect(() => decodeBars(block)).toThrow("This block of bars is damaged");
    }),
    { numRuns: 60 },
  );
});

const showBar = ({ timeMs, digits, open, high, low, close, volume }: PointBar) =>
  [timeMs, digits, open, high, low, close, volume].join(" ");

/** Minutes of some days: none at weekends, and one in four is missing. */
function createMinutes(symbol: string, everyMs: number): BarRow[] {
  const rows: BarRow[] = [];
  for (let timeMs = START; timeMs < NOW; timeMs += everyMs) {
    const at = timeMs / MINUTE_MS;
    if (new Date(timeMs).getUTCDay() % 6 === 0 || at % 4 === 0) continue;
    const close = 110_000 + (at % 97) * 7;
    const prices = { open: close - 3, high: close + 9, low: close - 11, close };
    rows.push({ symbol, timeframe: "M1", timeMs, digits: 5, ...prices, volume: 1 + (at % 50) });
  }
  return rows;
}

describe("packed bars", () => {
  const instruments = ["EURUSD", "GBPUSD"].map((symbol) => instrumentBySymbol.get(symbol) as Instrument);
  const symbols = instruments.map(({ symbol }) => symbol);
  beforeAll(async () => {
    const rows = [...createMinutes("EURUSD", MINUTE_MS), ...createMinutes("GBPUSD", 37 * MINUTE_MS)];
    await inTransaction(database.db.pool, async (client) => {
      const withOrigins = rows.map((row, at) => ({ ...row, origin: at % 3_000 > 2_900 ? "histdata" : null }));
      for (let at = 0; at < rows.length; at += 2_000)
        await insertBars(client, withOrigins.slice(at, at + 2_000), "replace");
    });
  });

  const count = async (table: string) =>
    Number((await database.db.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);
  const pack = () => packBars(database.db.pool, instruments, { nowMs: NOW, limit: 1_000 });
  /** The same bars asked for in many ways. */
  const readAll = async () => {
    const { pool } = database.db;
    const read = (range: object) =>
      readBars(pool, { symbols, timeframe: "M1", limit: 100_000, pick: "first", ...range } as Parameters<
        typeof readBars
      >[1]);
    const middle = { fromMs: START + DAY_MS + 7 * MINUTE_MS, toMs: START + 4 * DAY_MS - 3 * MINUTE_MS };
    const ranges = [
      {},
      middle,
      { ...middle, limit: 50 },
      { ...middle, limit: 50, pick: "latest" },
      { limit: 1_700, pick: "latest" },
      { limit: 1_700 },
      { limit: 1, pick: "latest", toMs: START + 2 * DAY_MS },
    ];
    const answers = [];
    for (const range of ranges) answers.push([...(await read(range))]);
    for (const limit of [10, 900, 4_000]) {
      for (const toMs of [NOW, START + 3 * DAY_MS + 11 * MINUTE_MS]) {
        const remembered = await readRemembered(pool, { symbols, timeframe: "M1", toMs, limit });
        // Packed bars may be read from an earlier memory on.
        answers.push([...remembered].map(([symbol, { bars }]) => [symbol, bars.slice(-limit)]));
      }
    }
    return answers.map((answer) =>
      answer
        .map(([symbol, bars]) => [symbol, ...(bars as PointBar[]).map((bar) => showBar(bar))].join("\n"))
        .toSorted(),
    );
  };

  test("are read as before, in any range, and written again by who opens their blocks", async () => {
    const grown = new Map(TIMEFRAMES.map((timeframe) => [timeframe, NOW]));
    await rememberBars(database.db.pool, instruments, grown);
    const before = await readAll();
    const rows = await count("bar");
    expect(await pack()).toBeGreaterThan(8);
    expect(await pack()).toBe(0);
    const left = await count("bar");
    // Two days stay rows.
    expect(left).toBeLessThan(rows / 3);
    expect(left).toBeGreaterThan(0);
    expect(await readAll()).toEqual(before);
    const origins = "SELECT sum(count)::int AS bars, origin FROM bar_pack GROUP BY origin ORDER BY bars";
    expect((await database.db.pool.query(origins)).rows).toEqual([
      expect.objectContaining({ origin: "histdata" }),
      expect.objectContaining({ origin: null }),
    ]);

    // A failed transaction leaves the blocks as they were.
    const [fromMs, toMs] = [START + DAY_MS, START + DAY_MS + 3 * MINUTE_MS];
    const fail = inTransaction(database.db.pool, async (client) => {
      await openBlocks(client, ["EURUSD"], fromMs, toMs);
      throw new Error("given up");
    });
    await expect(fail).rejects.toThrow("given up");
    expect(await count("bar")).toBe(left);
    await inTransaction(database.db.pool, (client) => openBlocks(client, ["EURUSD"], fromMs, toMs));
    expect(await count("bar")).toBeGreaterThan(left + 1_000);
    expect(await readAll()).toEqual(before);
    expect(await pack()).toBeGreaterThan(0);
    expect(await count("bar")).toBe(left);
    expect(await readAll()).toEqual(before);
  });

  test("are packed a few at a time, and not while somebody writes them", async () => {
    await inTransaction(database.db.pool, (client) => openBlocks(client, symbols, START, NOW));
    const rows = await count("bar");
    expect(await packBars(database.db.pool, instruments, { nowMs: NOW, limit: 2 })).toBe(2);
    expect(await count("bar")).toBeLessThan(rows);
    await inTransaction(database.db.pool, async (client) => {
      await openBlocks(client, symbols, START, NOW);
      await pack();
    });
    expect(await count("bar")).toBe(rows);
  });

  test("are removed after their retention, except imported ones", async () => {
    await pack();
    const nowMs = START + 100 * DAY_MS;
    const keepDays = { ticks: 10, m1: 20, m5: 30, spreads: 40 };
    await removeExpired({ pool: database.db.pool, instruments, keepDays, nowMs });
    const { rows } = await database.db.pool.query("SELECT DISTINCT origin FROM bar_pack UNION SELECT origin FROM bar");
    expect(rows).toEqual([{ origin: "histdata" }]);
  });
});
