import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createAlertScene } from "@/lib/alerts/alert-scene.fixture";
import type { HourGap } from "@/lib/history/quality/judge-hour";
import { type QualityHour, writeJudgedUntil, writeQuality } from "@/lib/history/quality/quality-rows";
import { openScene, recordFaults } from "@/lib/history/quality/quality-scene.fixture";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

/** A Wednesday: the market of EURUSD is open all day. */
const DAY = Date.UTC(2026, 6, 15);
const EMPTY = {
  ...{ updated: 1_000, verdicts: new Uint8Array(60).fill(7), spikes: [], distances: new Map(), longest: 0, bars: 0 },
  ...{ differingBars: 0, digits: 5, refused: new Map(), offsetMs: null },
};

/** Gaps, and the seconds that are served from a source, by when their hour began. */
type Sources = Readonly<
  Record<
    string,
    { readonly gaps: Readonly<Record<number, readonly HourGap[]>>; readonly served?: Readonly<Record<number, number>> }
  >
>;

describe("alerts on completeness", () => {
  let scene: Awaited<ReturnType<typeof createAlertScene>>;
  beforeEach(async () => {
    await testDatabase.db.pool.query("TRUNCATE book_log, quality_hour, quality_progress, source_gap, alert CASCADE");
    scene = await createAlertScene(testDatabase.db);
    return () => scene.stop();
  });

  /** Writes judged hours of EURUSD as the upkeep does, and lets the engine see them. */
  async function judge(fromMs: number, untilMs: number, sources: Sources = { first: { gaps: {} } }): Promise<void> {
    const hours: QualityHour[] = [];
    for (const [source, { gaps, served }] of Object.entries(sources)) {
      for (let hourMs = fromMs; hourMs < untilMs; hourMs += HOUR_MS) {
        const own = gaps[hourMs] ?? [];
        const covered = 3_600 - own.reduce((sum, { from, to }) => sum + to - from, 0);
        const figures = { expected: 3_600, covered, served: served?.[hourMs] ?? (source === "first" ? covered : 0) };
        hours.push({ ...EMPTY, ...figures, gaps: own, symbol: "EURUSD", source, hourMs });
      }
    }
    const client = await testDatabase.db.pool.connect();
    await writeQuality(client, hours);
    await writeJudgedUntil(client, untilMs);
    client.release();
    await scene.pass(0);
  }

  const create = (condition: object, cooldownS: number | null = 0) =>
    scene.create({ type: "completeness", symbol: "EURUSD", source: "first", percent: 98, ...condition }, { cooldownS });
  /** Half an hour is 2.08 percent of a day. */
  const HOLE = { [DAY + 10 * HOUR_MS]: [{ from: 600, to: 2_400, isStopped: false }] };

  test("An hour with a hole that was received, logged and judged fires once, with its figure and its reason", async () => {
    const prices = openScene(testDatabase.db.pool);
    scene.setUp.push({ name: "alpha", mode: "simulated" }, { name: "beta", mode: "live" });
    await create({ source: null, percent: 93.5 });
    await create({ source: "*", percent: 93.5 });
    await recordFaults(prices);
    await prices.judge();
    await scene.pass(0);
    await scene.restart();
    // The first hour of the log begins five minutes before its end. Only alpha has a hole besides.
    expect(await scene.readMessages()).toEqual([
      expect.stringMatching(
        /^EURUSD from alpha is 49\.\d\d % complete on 2026-03-04 until 11:00 UTC and can reach 93\.\d\d %, below 93\.5 %\. /,
      ),
    ]);
    const { rows } = await testDatabase.db.pool.query<{ body: string }>("SELECT body FROM alert_firing");
    const { data } = JSON.parse(rows[0]?.body ?? "{}") as { data: { quality: { longest_gap: object } } };
    expect(data.quality.longest_gap).toMatchObject({ from: "2026-03-04T09:00:00+00:00", reasons: ["stopped"] });
    expect(data).toMatchObject({ message: expect.stringMatching(/no server recorded \(simulated prices\)\.$/) });
  });

  test("A day fires when it can no longer reach the percentage, and once, also after a restart", async () => {
    await create({});
    await judge(DAY, DAY + 10 * HOUR_MS);
    await judge(DAY + 10 * HOUR_MS, DAY + 11 * HOUR_MS, { first: { gaps: HOLE } });
    const message =
      "EURUSD from first is 95.45 % complete on 2026-07-15 until 11:00 UTC and can reach 97.91 %, below 98 %. " +
      "Longest gap: 30m from 10:10 UTC, connected, but sent nothing.";
    expect(await scene.readMessages()).toEqual([message]);
    await scene.restart();
    await judge(DAY + 11 * HOUR_MS, DAY + DAY_MS);
    await scene.restart();
    expect(await scene.readMessages()).toEqual([message]);
    const next = { [DAY + DAY_MS + 23 * HOUR_MS]: [{ from: 0, to: 3_600, isStopped: true }] };
    await judge(DAY + DAY_MS, DAY + 2 * DAY_MS, { first: { gaps: next } });
    expect((await scene.readMessages())[1]).toBe(
      "EURUSD from first was 95.83 % complete on 2026-07-16, below 98 %. " +
        "Longest gap: 1h from 23:00 UTC, no server recorded.",
    );
  });

  test("Two servers write one firing, and its message has the figures", async () => {
    await create({});
    const engines = [scene.createEngine(), scene.createEngine()];
    for (const engine of engines) await engine.check();
    await judge(DAY, DAY + DAY_MS, { first: { gaps: HOLE } });
    await Promise.all(engines.map((engine) => engine.check()));
    const { rows } = await testDatabase.db.pool.query<{ body: string }>("SELECT body FROM alert_firing");
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]?.body ?? "{}")).toMatchObject({
      type: "alert.fired",
      data: {
        quality: {
          ...{
            symbol: "EURUSD",
            source: "first",
            date: "2026-07-15",
            completeness: 97.91,
            possible_completeness: 97.91,
          },
          ...{ expected_seconds: 86_400, covered_seconds: 84_600, judged_until: "2026-07-16T00:00:00+00:00" },
          longest_gap: { from: "2026-07-15T10:10:00+00:00", seconds: 1_800, reasons: ["silent"] },
        },
      },
    });
  });

  test("A complete day, a closed market and a hole within the percentage fire nothing", async () => {
    await create({});
    await create({ source: null });
    await create({ source: "*" });
    const small = { [DAY + 10 * HOUR_MS]: [{ from: 0, to: 1_700, isStopped: false }] };
    await judge(DAY, DAY + DAY_MS, { first: { gaps: small } });
    // The market closes on Friday at 21:00. Nothing is judged at the weekend.
    const friday = DAY + 2 * DAY_MS;
    await judge(DAY + DAY_MS, friday + 21 * HOUR_MS);
    await judge(friday + 2 * DAY_MS, friday + 2 * DAY_MS);
    expect(await scene.readMessages()).toEqual([]);
  });

  test("Each source fires by itself with *, and the served prices only where no source had one", async () => {
    await create({ source: "*" });
    await create({ source: null, percent: 99 });
    const hourMs = DAY + 10 * HOUR_MS;
    const second = { [hourMs]: [{ from: 1_200, to: 3_600, isStopped: false }] };
    await judge(DAY, DAY + DAY_MS, { first: { gaps: HOLE }, second: { gaps: second, served: { [hourMs]: 600 } } });
    expect((await scene.readMessages()).toSorted()).toEqual([
      "EURUSD from first was 97.91 % complete on 2026-07-15, below 98 %. " +
        "Longest gap: 30m from 10:10 UTC, connected, but sent nothing.",
      "EURUSD from second was 97.22 % complete on 2026-07-15, below 98 %. " +
        "Longest gap: 40m from 10:20 UTC, connected, but sent nothing.",
      "EURUSD was 98.61 % complete on 2026-07-15, below 99 %. " +
        "Longest gap: 20m from 10:20 UTC, connected, but sent nothing.",
    ]);
  });

  test("A day that is below the percentage before the alert begins does not fire it", async () => {
    await judge(DAY, DAY + 11 * HOUR_MS, { first: { gaps: HOLE } });
    const { id } = await create({});
    await judge(DAY + 11 * HOUR_MS, DAY + DAY_MS);
    await scene.alerts.update(id, { name: "renamed" }, scene.caller);
    await scene.pass(0);
    expect(await scene.readMessages()).toEqual([]);
  });

  test("A source that is not set up is refused, but not while its alert is renamed", async () => {
    await expect(create({ source: "nobody" })).rejects.toMatchObject({
      code: "invalid_source",
      message: "There is no source “nobody”.",
    });
    const { id, name } = await create({ source: "*", symbol: "eur/usd" });
    expect(name).toBe("EURUSD from any source is less than 98 % complete");
    await testDatabase.db.pool.query(
      `UPDATE alert SET condition = jsonb_set(condition, '{source}', '"former"') WHERE id = $1`,
      [id],
    );
    expect((await scene.alerts.update(id, { name: "former" }, scene.caller)).condition).toMatchObject({
      source: "former",
    });
  });
});
