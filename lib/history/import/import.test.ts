import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toTickColumns, writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { joinBars, readBars, toBar } from "@/lib/history/bars/bar-rows";
import {
  clearImports,
  createTicks,
  formatTicks,
  importPath,
  importText,
  readTables,
  type Tick,
} from "@/lib/history/import/import.fixture";
import { removeImports } from "@/lib/history/import/imported-hours";
import { readHour } from "@/lib/history/ticks/tick-history";
import { toPrice } from "@/lib/market/price";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const START = Date.UTC(2024, 4, 14, 6);
const ROW_GROUPS = { rowGroupSize: [7, 1_200], pageSize: 3_000 };
/** The M1 bars of ticks, computed in the simplest way. */
function computeBars(ticks: readonly Tick[]) {
  const minutes = new Map<number, Tick[]>();
  for (const tick of ticks) {
    const startMs = Math.floor(tick[0] / MINUTE_MS) * MINUTE_MS;
    minutes.set(startMs, [...(minutes.get(startMs) ?? []), tick]);
  }
  return Array.from(minutes, ([timeMs, all]) => {
    const bids = all.map(([, bid]) => bid);
    const [open = 0, close = 0] = [bids[0], bids.at(-1)];
    return { timeMs, digits: 5, open, high: Math.max(...bids), low: Math.min(...bids), close, volume: all.length };
  });
}

describe("importing into the database", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  const getPool = () => testDatabase.db.pool;
  const readTimeframe = async (timeframe: StoredTimeframe, symbol = "EURUSD") =>
    (await readBars(getPool(), { symbols: [symbol], timeframe, limit: 1e6, pick: "first" })).get(symbol) ?? [];
  const clear = () => clearImports(getPool());

  test("ticks become seconds and bars of every timeframe, as a straight computation has them", async () => {
    const ticks = createTicks(START, 5_000);
    const { report } = await importText(getPool(), "eurusd.csv", formatTicks(ticks));
    expect(report).toMatchObject({ rows: 5_000, accepted: 5_000, added: 5_000, refused: {} });
    const m1 = computeBars(ticks);
    expect(await readTimeframe("M1")).toEqual(m1);
    for (const timeframe of ["M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const) {
      expect(await readTimeframe(timeframe)).toEqual(joinBars(m1, timeframe));
    }
    const last = new Map(ticks.map(([timeMs, bid, ask]) => [Math.floor(timeMs / 1000), [bid, ask]]));
    const stored = new Map<number, number[]>();
    for (let hourMs = START; hourMs < START + 12 * HOUR_MS; hourMs += HOUR_MS) {
      const hour = await readHour(getPool(), "EURUSD", hourMs);
      hour?.seconds.forEach((second, i) =>
        stored.set(hourMs / 1000 + second, [hour.bid[i] as number, hour.ask[i] as number]),
      );
    }
    expect(stored).toEqual(last);
  });

  test("a second import changes nothing, of the same file, a part of it or its rows in another order", async () => {
    const before = await readTables(getPool());
    const ticks = createTicks(START, 5_000);
    expect(await importText(getPool(), "eurusd.csv", formatTicks(ticks))).toMatchObject({ isKnown: true });
    const part = await importText(getPool(), "eurusd.csv", formatTicks(ticks.slice(1_000, 3_333)));
    expect(part.report).toMatchObject({ accepted: 2_333, added: 0 });
    const descending = await importText(getPool(), "eurusd.csv", formatTicks([...ticks].reverse()));
    expect(descending.report).toMatchObject({ accepted: 5_000, added: 0 });
    expect(await readTables(getPool())).toEqual(before);
  });

  test("ticks of whole seconds that come newest first are in the order of time, also within their second", async () => {
    await clear();
    const ticks = Array.from(
      { length: 40 },
      (_, i) => [START + Math.floor(i / 4) * 1_000, 110_000 + i, 110_003 + i] as Tick,
    );
    await importText(getPool(), "eurusd.csv", formatTicks([...ticks].reverse()));
    const [bar] = await readTimeframe("M1");
    expect(bar).toMatchObject({ open: 110_000, high: 110_039, low: 110_000, close: 110_039, volume: 40 });
    const hour = await readHour(getPool(), "EURUSD", START);
    expect([...(hour?.bid ?? [])].slice(0, 3)).toEqual([110_003, 110_007, 110_011]);
    await clear();
  });

  test("prices keep their digits, also where those of the file and of what is stored differ", async () => {
    await clear();
    const write = (...rows: readonly (readonly [second: number, bid: string, ask: string])[]) =>
      ["time,bid,ask", ...rows.map(([second, ...prices]) => [START + second * 1000, ...prices].join())].join("\n");
    const readPrices = async () => {
      const hour = await readHour(getPool(), "EURUSD", START);
      const toPrices = (points: Iterable<number> = []) =>
        Array.from(points, (each) => toPrice(each, hour?.digits ?? 0));
      return [toPrices(hour?.bid), toPrices(hour?.ask)];
    };
    await importText(getPool(), "eurusd.csv", write([0, "1.08521", "1.08523"]));
    const fine = write([1, "1.0852145", "1.0852199"], [2, "1.08", "1.0999999999"]);
    const { report } = await importText(null, "eurusd.csv", fine);
    expect([report.accepted, report.refused.too_precise?.count]).toEqual([1, 1]);
    await importText(getPool(), "eurusd.csv", fine, { asIs: true });
    expect(await readPrices()).toEqual([
      [1.08521, 1.0852145, 1.08],
      [1.08523, 1.0852199, 1.0999999999],
    ]);
    expect((await readTimeframe("W1")).map(toBar)).toMatchObject([{ open: 1.08521, high: 1.0852145, close: 1.08 }]);
    const { rows } = await getPool().query("SELECT digits FROM price_digits WHERE symbol = 'EURUSD'");
    expect(rows).toEqual([{ digits: 10 }]);
    const before = await readTables(getPool());
    const again = await importText(
      getPool(),
      "eurusd.csv",
      write([0, "1.085210", "1.08523"], [1, "1.0852145", "1.0852199"]),
    );
    expect(again.report).toMatchObject({ accepted: 2, added: 0 });
    expect(await readTables(getPool())).toEqual(before);
    await getPool().query("DELETE FROM price_digits");
  });

  test("a Parquet file stores what a csv of its rows stores, and both change nothing after each other", async () => {
    await clear();
    const ticks = createTicks(START, 5_000, 3);
    const source = { source: "mine" };
    await importText(getPool(), "eurusd.csv", formatTicks(ticks), source);
    const csv = await readTables(getPool());
    await clear();
    const path = join(
      writeFiles({ "eurusd.parquet": writeParquet(toTickColumns(ticks), ROW_GROUPS) }),
      "eurusd.parquet",
    );
    const { report } = await importPath(getPool(), path, source);
    expect(report).toMatchObject({ rows: 5_000, accepted: 5_000, added: 5_000, refused: {} });
    expect(await readTables(getPool())).toEqual(csv);
    expect(await importPath(getPool(), path, source)).toMatchObject({ isKnown: true });
    const again = await importText(getPool(), "eurusd.csv", formatTicks(ticks), source);
    expect(again.report).toMatchObject({ accepted: 5_000, added: 0 });
    expect(await readTables(getPool())).toEqual(csv);
  });

  test("rows of a Parquet file without a price are refused and counted, and bars are stored as those of a csv", async () => {
    await clear();
    const bars = Array.from({ length: 300 }, (_, i) => [
      START + i * MINUTE_MS,
      1.08,
      1.0801 + (i % 9) / 1e5,
      1.07,
      1.08,
      i % 50,
    ]);
    const names = ["time", "open", "high", "low", "close", "volume"];
    const text = [names.join(","), ...bars.map((bar) => bar.join(","))].join("\n");
    await importText(getPool(), "eurusd.csv", text, { source: "mine" });
    const csv = await readTables(getPool());
    await clear();
    const nulls = [START - MINUTE_MS, 1.08, null, 1.07, 1.08, 5];
    const columns = names.map((name, at) => {
      const data = [nulls, ...bars].map((bar) => (at === 0 ? new Date(bar[0] as number) : bar[at]));
      return { name, data, type: at === 0 ? ("TIMESTAMP" as const) : ("DOUBLE" as const) };
    });
    const content = writeParquet(columns, ROW_GROUPS);
    const path = join(writeFiles({ "eurusd.parquet": content }), "eurusd.parquet");
    const { report } = await importPath(getPool(), path, { source: "mine" });
    expect(report).toMatchObject({ rows: 301, accepted: 300, added: 300 });
    expect(report.refused).toEqual({
      malformed: {
        count: 1,
        samples: [
          { line: 1, row: "2024-05-14T05:59:00.000Z,1.08,null,1.07,1.08,5", expected: "open, high, low and close" },
        ],
      },
    });
    expect(await readTables(getPool())).toEqual(csv);
  });

  test("files of one source that overlap are stored as their union", async () => {
    const ticks = createTicks(START, 4_000, 7);
    await clear();
    await importText(getPool(), "eurusd.csv", formatTicks(ticks));
    const whole = await readTables(getPool());
    await clear();
    const pieces = [ticks.slice(2_000, 4_000), ticks.slice(0, 2_500), ticks.filter((_, index) => index % 3 === 0)];
    let added = 0;
    for (const piece of pieces) added += (await importText(getPool(), "eurusd.csv", formatTicks(piece))).report.added;
    expect(added).toBe(4_000);
    expect(await readTables(getPool())).toEqual(whole);
  });

  test("refused rows are counted by reason, and the rest is stored", async () => {
    await clear();
    const good = createTicks(START, 50).map(([timeMs, bid, ask]) => `${timeMs},${bid / 1e5},${ask / 1e5}`);
    const bad = [
      "x,1,2",
      `${START},1.1,1.0`,
      `${START},0,1.0`,
      `${START},2.2,2.2001`,
      `${Date.UTC(2026, 0)},1.08,1.09`,
    ];
    const text = ["time,bid,ask", ...good, ...bad, ""].join("\n");
    const { report } = await importText(getPool(), "eurusd.csv", text);
    const counts = Object.entries(report.refused).map(([reason, { count, samples }]) => [
      reason,
      count,
      samples[0]?.line,
    ]);
    expect(counts).toEqual([
      ["malformed", 1, 52],
      ["crossed", 1, 53],
      ["non_positive", 1, 54],
      ["far_off", 1, 55],
      ["too_recent", 1, 56],
    ]);
    expect(report).toMatchObject({ rows: 55, accepted: 50, added: 50 });
  });

  test("zeros at the end of a file, as a loss of power leaves them, are told and do not stop the import", async () => {
    const text = formatTicks(createTicks(Date.UTC(2024, 1, 5), 400));
    for (const rows of [text, text.split("\n").slice(0, 12).join("\n")]) {
      const { report } = await importText(getPool(), "eurusd.csv", `${rows}\n${"\0".repeat(4_000)}`);
      expect(report.refused.malformed).toMatchObject({ count: 1, samples: [{ expected: expect.any(String) }] });
      expect(report.accepted).toBe(rows.split("\n").length - 1);
    }
  });

  test("a minute is of one source: by priority, then by name; bars fill minutes without ticks", async () => {
    await clear();
    const minute = (index: number) => START + index * MINUTE_MS;
    const at = (index: number, bid: number): Tick => [minute(index) + 500, bid, bid + 5];
    await importText(getPool(), "eurusd.csv", formatTicks([at(0, 108_000), at(1, 108_001)]), { source: "beta" });
    await importText(getPool(), "eurusd.csv", formatTicks([at(1, 108_011), at(2, 108_012)]), { source: "alpha" });
    const bar = (index: number) => `${minute(index)},1.0805,1.0809,1.0801,1.0804,12`;
    const bars = ["time,open,high,low,close,volume", ...[0, 1, 2, 3, 4].map(bar)].join("\n");
    await importText(getPool(), "eurusd.csv", bars, { source: "gamma" });
    const opens = async () => (await readTimeframe("M1")).map(({ open }) => open);
    expect(await opens()).toEqual([108_000, 108_011, 108_012, 108_050, 108_050]);
    const origins = await getPool().query("SELECT origin FROM bar WHERE timeframe = 1 ORDER BY time");
    expect(origins.rows.map((row: { origin: string }) => row.origin)).toEqual([
      "beta",
      "alpha",
      "alpha",
      "gamma",
      "gamma",
    ]);
    expect(await readTimeframe("H1")).toMatchObject([
      { open: 108_000, high: 108_090, low: 108_000, close: 108_040, volume: 27 },
    ]);
    await importText(getPool(), "eurusd.csv", formatTicks([at(5, 108_005)]), { source: "beta", priority: ["beta"] });
    expect((await opens())[1]).toBe(108_001);
    await removeImports(getPool(), { symbol: "EURUSD", source: "beta", priority: [], spreadsFromMs: 0 });
    expect(await opens()).toEqual([108_050, 108_011, 108_012, 108_050, 108_050]);
    for (const source of ["alpha", "gamma"]) {
      await removeImports(getPool(), { symbol: "EURUSD", source, priority: [], spreadsFromMs: 0 });
    }
    const { rows } = await getPool().query(
      "SELECT (SELECT count(*) FROM bar) + (SELECT count(*) FROM tick_hour) + (SELECT count(*) FROM import_hour) AS left",
    );
    expect(rows).toEqual([{ left: "0" }]);
  });
});
