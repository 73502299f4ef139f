import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { judgeHour, LEAD, VERDICTS } from "@/lib/history/quality/judge-hour";
import { readJudgedUntil, readQuality } from "@/lib/history/quality/quality-rows";
import { HOUR, openScene, recordFaults } from "@/lib/history/quality/quality-scene.fixture";
import { createWindow } from "@/lib/history/quality/real-days.fixture";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

describe("the quality of an hour", () => {
  beforeEach(() => testDatabase.db.pool.query("TRUNCATE book_log, quality_hour, quality_progress"));
  const getPool = () => testDatabase.db.pool;

  const open = () => openScene(getPool());

  test("is the same from the log of the book as from the ticks themselves", async () => {
    const scene = open();
    await recordFaults(scene);
    await scene.judge();
    const stored = await readQuality(getPool(), "EURUSD", HOUR, HOUR + HOUR_MS);
    const straight = judgeHour(createWindow(HOUR, EURUSD.tradingHours, scene.accepted));
    expect(stored.map(({ source }) => source)).toEqual(["alpha", "beta"]);
    for (const { source, ...hour } of stored) {
      const expected = straight.find((each) => each.source === source);
      expect({ ...hour, source }).toMatchObject({
        ...expected,
        spikes: expected?.spikes.map((spike) => ({ ...spike, size: Math.round(spike.size) })),
      });
    }
    const [alpha, beta] = stored;
    const minutes = Array.from(alpha?.verdicts ?? [], (each, minute) => `${minute} ${VERDICTS[each]}`);
    const wrong = minutes.filter((text) => !text.endsWith("agrees"));
    expect(wrong).toEqual(["10 spike", "20 gap", "21 gap", "22 gap", "23 gap", "24 gap", "33 spike"]);
    expect([...(alpha?.refused ?? [])]).toEqual([
      ["crossed", 6],
      ["late", expect.any(Number) as number],
    ]);
    expect([alpha?.offsetMs, beta?.offsetMs]).toEqual([40, 40]);
    // Only while beta was stale would alpha be served.
    expect([alpha?.served, beta?.served]).toEqual([0, 3_600]);
    expect(alpha?.expected).toBe(3_600);
  });

  test("is judged once what follows it is recorded, and only by the server that records", async () => {
    const scene = open();
    await recordFaults(scene);
    scene.state.nowMs = HOUR + HOUR_MS + LEAD * SECOND_MS;
    await scene.judge();
    // The five minutes before the hour belong to another one.
    expect(await readJudgedUntil(getPool())).toBe(HOUR);
    expect(await readQuality(getPool(), "EURUSD", HOUR, HOUR + HOUR_MS)).toEqual([]);
    scene.state.nowMs += 60 * SECOND_MS;
    await expect(scene.judge(FIRST_FENCE + 1)).rejects.toThrow(LeaseLost);
    await scene.judge();
    expect(await readJudgedUntil(getPool())).toBe(HOUR + HOUR_MS);
    expect(await readQuality(getPool(), "EURUSD", HOUR, HOUR + HOUR_MS)).toHaveLength(2);
  });

  test("has gaps of all sources where no server recorded, and no counts after a restart", async () => {
    const scene = open();
    await recordFaults(scene);
    await getPool().query("DELETE FROM book_log WHERE since >= $1 AND since < $2", [
      HOUR / SECOND_MS + 1_800,
      HOUR / SECOND_MS + 2_400,
    ]);
    scene.tally.forget(Infinity);
    await scene.judge();
    const [alpha, beta] = await readQuality(getPool(), "EURUSD", HOUR, HOUR + HOUR_MS);
    expect(beta?.gaps.map(({ isStopped }) => isStopped)).toEqual([true]);
    expect(beta?.covered).toBeGreaterThan(2_900);
    expect(beta?.covered).toBeLessThan(3_100);
    expect([alpha?.offsetMs, alpha?.refused.size]).toEqual([null, 0]);
  });
});
