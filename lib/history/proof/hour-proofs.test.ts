import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GapFiller } from "@/lib/history/gaps/gap-filler";
import { writeGaps } from "@/lib/history/gaps/gap-rows";
import { createHourColumns, writeSecond } from "@/lib/history/hour-columns";
import { importText } from "@/lib/history/import/import.fixture";
import { removeImports } from "@/lib/history/import/imported-hours";
import { moveMerged } from "@/lib/history/import/merge-history";
import { clearHistory, recordHour, START, verify } from "@/lib/history/proof/history.fixture";
import { hashHour } from "@/lib/history/proof/hour-hash";
import { proveStored } from "@/lib/history/proof/prove-stored";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { removeExpired } from "@/lib/history/retention";
import { addMissingHours } from "@/lib/history/ticks/tick-history";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

const HOUR = START / HOUR_MS;

describe("the proofs of hours", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());
  beforeEach(async () => {
    await clearHistory(getPool());
    await getPool().query("DELETE FROM source_gap");
  });
  const getPool = () => testDatabase.db.pool;

  /** What wrote the parts of an hour: the first second and the cause of each. */
  const readOrigins = async (hour: number, symbol = "EURUSD") => {
    const { rows: causes } = await getPool().query<{ id: number; text: string }>("SELECT * FROM hour_cause");
    const texts = new Map(causes.map(({ id, text }) => [id, JSON.parse(text) as { kind: string }]));
    const { rows } = await getPool().query<{ seq: number; ticks: number; cause: number; origins: number[] | null }>(
      "SELECT seq, ticks, cause, origins FROM hour_proof WHERE symbol = $2 AND hour = $1 ORDER BY seq",
      [hour, symbol],
    );
    return rows.map(({ ticks, cause, origins }) => ({
      ticks,
      cause: texts.get(cause),
      origins: origins?.map((each, at) => (at % 2 === 0 ? each : texts.get(each)?.kind)) ?? null,
    }));
  };
  const importTicks = (seconds: readonly number[], options = {}) => {
    const rows = seconds.map((at) => `${START + at * SECOND_MS},1.07,1.0702`);
    return importText(getPool(), "eurusd.csv", ["time,bid,ask", ...rows].join("\n"), {
      untilMs: START + 2 * HOUR_MS,
      ...options,
    });
  };

  test("The hash does not depend on the digits of the prices, only on the prices", () => {
    const seconds = Uint16Array.of(0, 61, 3_599);
    const of = (digits: number, scale: number) =>
      hashHour("EURUSD", START, {
        digits,
        seconds,
        bid: Float64Array.of(1.05 * scale, scale, 3e7 * scale),
        ask: Float64Array.of(1.06 * scale, 2 * scale, 3e7 * scale),
      });
    expect(of(5, 1e5)).toEqual(of(2, 100));
    expect(of(8, 1e8)).toEqual(of(2, 100));
    expect(of(3, 100).content).not.toEqual(of(2, 100).content);
  });

  test("Prices from the least to the greatest are written as plain decimals", () => {
    const cases = [
      [1, 10, "0.0000000001"],
      [123_456_789_012, 10, "12.3456789012"],
      [10, 1, "1"],
      [105, 2, "1.05"],
      [9_007_199_254_740_991, 5, "90071992547.40991"],
      [9_007_199_254_740_991, 0, "9007199254740991"],
      [100, 0, "100"],
      [7, 3, "0.007"],
    ] as const;
    for (const [points, digits, text] of cases) {
      const price = Float64Array.of(points);
      const { content } = hashHour("X", START, { digits, seconds: Uint16Array.of(3_599), bid: price, ask: price });
      const expected = createHash("sha256").update(`X 2026-11-20T13\n3599 ${text} ${text}\n`).digest();
      expect(content.equals(expected), text).toBe(true);
    }
  });

  test("An imported minute has the file as its origin, and recorded ones keep theirs", async () => {
    await recordHour(getPool(), START, ["EURUSD"]);
    await importTicks([60, 70, 200, 240]);
    const [recorded, imported, ...more] = await readOrigins(HOUR);
    expect(recorded).toEqual({ ticks: 1_770, cause: { kind: "recorded" }, origins: null });
    expect(imported).toMatchObject({
      ticks: 1_773,
      cause: { kind: "imported", file: "eurusd.csv", source: "csv", run: null },
      origins: [0, "recorded", 60, "imported", 120, "recorded", 200, "imported", 240, "recorded"],
    });
    expect(more).toEqual([]);
    await importTicks([60, 70, 200, 240]);
    expect(await readOrigins(HOUR)).toHaveLength(2);
    expect(await verify(getPool())).toMatchObject({ found: 0 });
  });

  test("An hour from which an import is removed has its first origins again", async () => {
    await recordHour(getPool(), START, ["EURUSD"]);
    await importTicks([60, 70]);
    await removeImports(getPool(), { symbol: "EURUSD", source: "csv", priority: [], spreadsFromMs: 0 });
    expect((await readOrigins(HOUR)).at(-1)).toEqual({
      ticks: 1_770,
      cause: { kind: "removed", source: "csv" },
      origins: [0, "recorded"],
    });
    expect(await verify(getPool())).toMatchObject({ found: 0 });
  });

  test("A filled gap has the source as the origin of its seconds", async () => {
    await recordHour(getPool(), START, ["EURUSD"]);
    const gap = { source: "oanda", fromMs: START + 178_500, toMs: START + 241_000, reason: "disconnected" as const };
    const options = { seen: [], keptFromMs: 0, gaps: [{ ...gap, symbols: ["EURUSD"], lostUntilMs: Infinity }] };
    await writeGaps(getPool(), FIRST_FENCE, options as never);
    const filler = new GapFiller({
      pool: getPool(),
      listPriority: () => [],
      spreadsFromMs: () => 0,
      now: () => START + 2 * HOUR_MS,
      log: silentLog,
      findPast: () =>
        async function* () {
          for (const at of [179, 185, 200]) {
            yield { timeMs: START + at * SECOND_MS, bid: 1.08, ask: 1.0801, updates: 1 };
          }
        },
    });
    await filler.run(FIRST_FENCE);
    expect((await readOrigins(HOUR)).at(-1)).toEqual({
      ticks: 1_773,
      cause: { kind: "filled", source: "oanda", from: "2026-11-20T13:02:58.500Z", to: "2026-11-20T13:04:01.000Z" },
      origins: [0, "recorded", 179, "filled", 240, "recorded"],
    });
    expect(await verify(getPool())).toMatchObject({ found: 0 });
  });

  test("The hours of a merged instrument are proven under both names", async () => {
    await recordHour(getPool(), START, ["EURUSD", "USDJPY"]);
    await recordHour(getPool(), START + HOUR_MS, ["USDJPY"]);
    await getPool().query(
      `INSERT INTO instrument (symbol, fields, source, revision, merged_into) VALUES ('USDJPY', NULL, NULL, 1, 'EURUSD')`,
    );
    try {
      expect(await moveMerged(getPool(), { spreadsFromMs: 0 })).toBe(2);
    } finally {
      await getPool().query("DELETE FROM instrument");
    }
    expect((await readOrigins(HOUR + 1)).map(({ cause }) => cause)).toEqual([{ kind: "merged", symbol: "USDJPY" }]);
    expect((await readOrigins(HOUR + 1, "USDJPY")).map(({ ticks, cause }) => ({ ticks, cause }))).toEqual([
      { ticks: 1_770, cause: { kind: "recorded" } },
      { ticks: 0, cause: { kind: "moved", symbol: "EURUSD" } },
    ]);
    expect(await verify(getPool())).toMatchObject({ found: 0, hours: 2 });
  });

  test("A generated past is proven once, and what is stored stays", async () => {
    await recordHour(getPool(), START, ["EURUSD"]);
    const hours = [START - HOUR_MS, START].map((hourMs) => {
      const hour = createHourColumns("EURUSD", 5, hourMs);
      const range = { open: 108_000, high: 108_000, low: 108_000 };
      writeSecond(hour, {
        symbol: "EURUSD",
        digits: 5,
        second: hourMs / 1000,
        bid: 108_000,
        ask: 108_001,
        ...range,
        updates: 1,
      });
      return hour;
    });
    const client = await getPool().connect();
    const generated = { kind: "generated" } as const;
    await addMissingHours(client, hours, () => generated);
    await addMissingHours(client, hours, () => generated);
    client.release();
    expect((await readOrigins(HOUR - 1)).map(({ cause }) => cause)).toEqual([{ kind: "generated" }]);
    expect(await readOrigins(HOUR)).toHaveLength(1);
    expect(await verify(getPool())).toMatchObject({ found: 0, hours: 2 });
  });

  test("Hours of an earlier version get their hashes later, and are marked so", async () => {
    await recordHour(getPool(), START, ["EURUSD", "USDJPY"]);
    await recordHour(getPool(), START + HOUR_MS, ["EURUSD"]);
    await getPool().query("DELETE FROM hour_proof WHERE hour = $1", [HOUR]);
    await getPool().query("DELETE FROM hour_proof");
    await getPool().query("UPDATE proof_state SET complete = FALSE");
    expect(await verify(getPool())).toMatchObject({ found: 0, hours: 0, unhashed: 3 });
    let place = await proveStored(getPool(), FIRST_FENCE);
    for (let rounds = 0; place !== null; rounds++) {
      expect(rounds).toBeLessThan(10);
      place = await proveStored(getPool(), FIRST_FENCE, place);
    }
    expect(await verify(getPool())).toMatchObject({
      ...{ found: 0, hours: 3, unhashed: 0 },
      causes: [{ cause: { kind: "stored" }, hours: 3 }],
    });
    await importTicks([60]);
    expect((await readOrigins(HOUR)).at(-1)?.origins).toEqual([0, "stored", 60, "imported", 120, "stored"]);
  });

  test("Of days that retention has removed the end of each chain is left", async () => {
    await recordHour(getPool(), START, ["EURUSD"]);
    await recordHour(getPool(), START + HOUR_MS, ["EURUSD"]);
    const keepDays = { ticks: 1, m1: 9_000, m5: 9_000, spreads: 9_000 };
    const nowMs = START + 2 * DAY_MS;
    await removeExpired({ pool: getPool(), instruments: [{ symbol: "EURUSD" }] as never, keepDays, nowMs });
    const { rows } = await getPool().query("SELECT seq FROM hour_proof");
    expect(rows).toEqual([{ seq: 2 }]);
    expect(await verify(getPool(), [], nowMs - DAY_MS)).toMatchObject({ found: 0, removed: 1 });
    await getPool().query("DELETE FROM retention_mark");
  });
});
