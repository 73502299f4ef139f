import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QualityReader } from "@/lib/history/quality/quality-reader";
import { HOUR, openScene, recordFaults } from "@/lib/history/quality/quality-scene.fixture";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const DAY = Math.floor(HOUR / DAY_MS) * DAY_MS;
const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

describe("The quality of recorded prices", () => {
  let reader: QualityReader;
  const sources = new Set(["alpha", "beta"]);
  beforeAll(async () => {
    const { pool } = testDatabase.db;
    const scene = openScene(pool);
    await recordFaults(scene);
    await scene.judge();
    await pool.query("UPDATE quality_progress SET hour = $1", [(DAY + 2 * DAY_MS) / HOUR_MS]);
    reader = new QualityReader({ pool, instruments, hasSource: (source) => sources.has(source) });
  });

  test("The days of a month, and all symbols of a day, have the conditions of the days in full", async () => {
    const [fromMs, toMs] = [DAY - DAY_MS, DAY + 4 * DAY_MS];
    for (const removed of [null, "alpha"]) {
      if (removed !== null) sources.delete(removed);
      const { days } = await reader.readDays(EURUSD, fromMs, toMs);
      const month = await reader.readMonth(EURUSD, fromMs, toMs);
      const pick = (each: { source: string; condition: string; expected: number; covered: number }) => ({
        ...{ source: each.source, condition: each.condition, expected: each.expected, covered: each.covered },
      });
      expect(month.map((day) => [day.dayMs, day.condition, day.expected, day.served, day.sources.map(pick)])).toEqual(
        days.map((day) => [day.dayMs, day.condition, day.expected, day.served, day.sources.map(pick)]),
      );
      const ofDay = month[1]?.sources ?? [];
      const full = days[1]?.sources.find(({ source }) => source === "alpha")?.minutes;
      expect(ofDay.find(({ source }) => source === "alpha")).toMatchObject({
        faulty: full?.spike,
        compared: (full?.spike ?? 0) + (full?.agrees ?? 0),
      });
    }
    sources.add("alpha");
    const all = await reader.readDay(DAY);
    expect(all.map(({ symbol, source, condition }) => [symbol, source, condition])).toEqual([
      ["EURUSD", "alpha", "degraded"],
      ["EURUSD", "beta", "degraded"],
    ]);
    expect(await reader.readDay(DAY + DAY_MS)).toMatchObject([{ condition: "missing" }, { condition: "missing" }]);
    expect(await reader.readDay(DAY - DAY_MS)).toEqual([]);
  });

  test("The seconds around a spike have the prices of every source, with their digits", async () => {
    const fromMs = HOUR + 603 * SECOND_MS;
    const seconds = await reader.readSeconds("EURUSD", fromMs, fromMs + 8 * SECOND_MS);
    expect(seconds.map(({ timeMs }) => timeMs)).toEqual(Array.from({ length: 8 }, (_, i) => fromMs + i * SECOND_MS));
    const distances = seconds.map(({ sources: [alpha, beta] }) =>
      Math.round(1e5 * ((alpha?.bid ?? 0) - (beta?.bid ?? 0))),
    );
    expect(distances.map((points) => points > 100)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      expect.any(Boolean),
      false,
    ]);
    expect(seconds[2]?.sources).toMatchObject([
      { source: "alpha", digits: 5, isNew: expect.any(Boolean) as boolean },
      { source: "beta", digits: 5 },
    ]);
    expect(await reader.readSeconds("EURUSD", HOUR - HOUR_MS, HOUR - HOUR_MS + 5_000)).toEqual([]);
    expect(await reader.readSeconds("GBPUSD", fromMs, fromMs + 1_000)).toEqual([{ timeMs: fromMs, sources: [] }]);
  });

  test("At a moment of the past only what was judged then is known", async () => {
    const past = reader.at(HOUR);
    expect(await past.readJudgedUntil()).toBe(HOUR - HOUR_MS);
    expect((await past.readMonth(EURUSD, DAY, DAY + DAY_MS))[0]).toMatchObject({ condition: "pending", sources: [] });
    expect((await past.readDays(EURUSD, DAY, DAY + DAY_MS)).days[0]).toMatchObject({
      condition: "pending",
      sources: [],
    });
    expect(await past.readDay(DAY)).toEqual([]);
  });
});
