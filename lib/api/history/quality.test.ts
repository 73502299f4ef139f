import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "@/lib/api/engine/call";
import { parseQuery } from "@/lib/api/engine/input";
import type { Services } from "@/lib/api/engine/services";
import { quality, qualityDay } from "@/lib/api/history/quality";
import { QualityReader } from "@/lib/history/quality/quality-reader";
import { HOUR, openScene, recordFaults } from "@/lib/history/quality/quality-scene.fixture";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

interface Source {
  source: string;
  condition: string;
  minutes: Record<string, number>;
  gaps: { from: string; seconds: number; reason: string }[];
}
interface Answer {
  data: {
    judged_until: string | null;
    days: (Record<"date" | "condition", string | null> &
      Record<"expected_seconds" | "served_seconds", number> & {
        completeness: number | null;
        sources: Source[];
      })[];
  };
}

// The arithmetic and the rows are tested on both databases beside their code.
describe("/v1/quality", () => {
  const state = { nowMs: HOUR + 2 * HOUR_MS, sources: new Set(["alpha", "beta"]) };
  const getPool = () => testDatabase.db.pool;
  beforeAll(async () => {
    const scene = openScene(getPool());
    await recordFaults(scene);
    await scene.judge();
    await getPool().query(
      "INSERT INTO source_gap (source, from_ms, to_ms, reason, waiting) VALUES ($1, $2, $3, $4, '{}')",
      ["alpha", HOUR + 1_200_000, HOUR + 1_500_000, "disconnected"],
    );
    await getPool().query("INSERT INTO tick_hour (symbol, hour, ticks, block) VALUES ('EURUSD', $1, 3500, '')", [
      HOUR / HOUR_MS,
    ]);
  });

  async function read(search: string): Promise<Answer & { text: string }> {
    const services = {
      resolver: createResolver(instruments),
      marketNow: () => state.nowMs,
      database: testDatabase.db,
      book: { hasSource: (name: string) => state.sources.has(name) },
      origins: { findMode: () => "live" },
    } as unknown as Services;
    const { value: query } = parseQuery(search, quality.query);
    const call = { path: quality.path, search, header: () => undefined } as unknown as Call;
    const handled = await quality.handle({ query, body: null, segment: "", key: null, call, isTable: false, services });
    const text = String(handled.body);
    const answer = JSON.parse(text) as Answer;
    expect(quality.reply.safeParse(answer).error).toBeUndefined();
    return { ...answer, text };
  }

  test("A day that is not over is pending, with the figures of its judged hours", async () => {
    const { data } = await read("symbol=EURUSD&from=2026-03-04&include=detail");
    expect(data.judged_until).toBe("2026-03-04T11:00:00+00:00");
    const [day] = data.days;
    expect(day).toMatchObject({
      ...{ date: "2026-03-04", condition: "pending", served_seconds: 3_900, recorded_seconds: 3_500 },
      // From the hour on in which the first price came.
      ...{ expected_seconds: 7_200, completeness: expect.any(Number) as number },
    });
    const alpha = day?.sources.find(({ source }) => source === "alpha");
    expect(alpha).toMatchObject({ condition: "pending", spike_count: 2, refused: { crossed: 6 }, clock_offset_ms: 40 });
    expect(alpha?.gaps.map(({ reason }) => reason)).toEqual(["stopped", "disconnected"]);
    expect(alpha?.minutes).toMatchObject({ spike: 2, gap: 60 });
  });

  test("All symbols of a day are listed by pages, as far as the key may read them", async () => {
    const hasSource = (source: string) => state.sources.has(source);
    const services = {
      ...{ instruments, marketNow: () => state.nowMs },
      quality: new QualityReader({ pool: getPool(), instruments, hasSource }),
    } as unknown as Services;
    const list = async (search: string, key: unknown = null) => {
      const { value: query } = parseQuery(search, qualityDay.query);
      const call = { path: qualityDay.path, search, header: () => undefined } as unknown as Call;
      const request = { query, body: null, segment: "", key: key as null, call, isTable: false, services };
      const answer = JSON.parse(String((await qualityDay.handle(request)).body)) as unknown;
      expect(qualityDay.reply.safeParse(answer).error).toBeUndefined();
      return answer as { data: { results: object[]; pagination: object } };
    };
    const { data } = await list("date=2026-03-04T12:00:00Z&limit=1");
    expect(data).toEqual({
      date: "2026-03-04",
      judged_until: "2026-03-04T11:00:00+00:00",
      results: [
        {
          ...{ symbol: "EURUSD", source: "alpha", condition: "pending", completeness: 49.97 },
          ...{ expected_seconds: 7_200, covered_seconds: 3_598, compared_minutes: 60, faulty_minutes: 2 },
        },
      ],
      pagination: { offset: 0, limit: 1, total: 2, has_more: true },
    });
    expect((await list("date=2026-03-04&offset=1")).data.results).toMatchObject([{ source: "beta" }]);
    const restricted = { symbols: { names: ["GBPUSD"], has: (symbol: string) => symbol === "GBPUSD" } };
    expect((await list("date=2026-03-04", restricted)).data.results).toEqual([]);
    expect((await list("")).data).toMatchObject({ date: "2026-03-03", results: [] });
    expect(qualityDay.table?.toRows(data as never)).toMatchObject([{ date: "2026-03-04", symbol: "EURUSD" }]);
  });

  test("A day that is over is rated, and one of which nothing was recorded is missing", async () => {
    const later = Date.UTC(2026, 2, 7);
    await getPool().query("UPDATE quality_progress SET hour = $1", [later / HOUR_MS]);
    const { data } = await read("symbol=EURUSD&from=2026-03-03&to=2026-03-07&include=detail");
    expect(data.days.map(({ condition }) => condition)).toEqual([null, "degraded", "missing", "missing", "pending"]);
    const [, first, second] = data.days;
    expect(second).toMatchObject({ expected_seconds: DAY_MS / 1_000, completeness: 0 });
    expect(second?.sources.map(({ condition, gaps }) => [condition, gaps.map(({ reason }) => reason)])).toEqual([
      ["missing", ["stopped"]],
      ["missing", ["stopped"]],
    ]);
    expect(first?.sources[0]?.gaps.at(-1)).toMatchObject({ from: "2026-03-04T11:00:00+00:00", reason: "stopped" });
  });

  test("A table has a row for each day and source, with a column for each count", async () => {
    const { data } = await read("symbol=EURUSD&from=2026-03-04&to=2026-03-04&include=detail");
    const rows = quality.table?.toRows(data as never) ?? [];
    expect(rows.map(({ date, source }) => [date, source])).toEqual([
      ["2026-03-04", "alpha"],
      ["2026-03-04", "beta"],
    ]);
    expect(rows[0]).toMatchObject({ minutes_spike: 2, refused_crossed: 6, disagreement_longest_seconds: 4 });
    expect(rows[1]).toMatchObject({ minutes_spike: 0, refused_crossed: 0, disagreement_longest_seconds: 0 });
    expect(rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "object")).toEqual([]);
  });

  test("The prices of a source that was removed are not expected after its last hour", async () => {
    state.sources.delete("alpha");
    const { data } = await read("symbol=EURUSD&from=2026-03-04&to=2026-03-05");
    state.sources.add("alpha");
    expect(data.days.map(({ sources }) => sources.map(({ source }) => source))).toEqual([["alpha", "beta"], ["beta"]]);
    expect(data.days[0]?.sources[0]).toMatchObject({ source: "alpha", expected_seconds: 7_200 });
  });

  test("A symbol of which nothing is judged has days without sources", async () => {
    const { data } = await read("symbol=GBPUSD&from=2026-03-04&to=2026-03-04");
    expect(data.days).toMatchObject([{ condition: null, expected_seconds: 0, completeness: null, sources: [] }]);
  });

  test("Too many days, and an end before the beginning, are refused", async () => {
    await expect(read("symbol=EURUSD&from=2026-01-01&to=2026-02-01")).rejects.toMatchObject({
      code: "RANGE_TOO_LARGE",
    });
    await expect(read("symbol=EURUSD&from=2026-03-01&to=2026-03-08&include=detail")).rejects.toMatchObject({
      code: "RANGE_TOO_LARGE",
    });
    await expect(read("symbol=EURUSD&from=2025-01-01")).rejects.toMatchObject({ code: "RANGE_TOO_LARGE" });
    expect((await read("symbol=EURUSD&from=2026-01-01&to=2026-01-31")).data.days).toHaveLength(31);
  });
});
