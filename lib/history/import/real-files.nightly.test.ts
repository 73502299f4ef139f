import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { readBars } from "@/lib/history/bars/bar-rows";
import { importPath } from "@/lib/history/import/import.fixture";
import { checkZone } from "@/lib/history/import/plan-import";
import { readHour } from "@/lib/history/ticks/tick-history";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

/** Real files of vendors: what is stored equals a straight computation from the file. */

const realData = findRealData();

describe.skipIf(realData === undefined)("imported files of vendors", () => {
  const data = realData ?? "";
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  const getPool = () => testDatabase.db.pool;
  const readTimeframe = async (symbol: string, timeframe: StoredTimeframe, source: string) => {
    const { rows } = await getPool().query<{ origin: string }>(
      "SELECT DISTINCT origin FROM bar WHERE symbol = $1 AND timeframe = 1",
      [symbol],
    );
    expect(rows.every(({ origin }) => origin === source)).toBe(true);
    return (await readBars(getPool(), { symbols: [symbol], timeframe, limit: 1e6, pick: "first" })).get(symbol) ?? [];
  };

  test("OANDA's ticks give the vendor's own minutes", async () => {
    const lean = join(data, "ticks/lean/Data/forex/oanda/tick/eurusd/20140502_quote.zip");
    const { report } = await importPath(getPool(), lean);
    expect(report).toMatchObject({ rows: 49_341, refused: {} });
    const minutes = join(data, "bars/lean/Data/forex/oanda/minute/eurusd/20140502_quote.zip");
    const [file] = openPriceFiles(minutes).files;
    if (file === undefined) throw new Error("The archive has a file of prices");
    const { rows } = file.open("UTC");
    const vendor: unknown[] = [];
    while (rows.next())
      vendor.push(
        [rows.timeMs, rows.open, rows.high, rows.low, rows.close].map((each, at) =>
          at === 0 ? each : Math.round(each * 1e5),
        ),
      );
    const own = await readTimeframe("EURUSD", "M1", "oanda");
    expect(own.map(({ timeMs, open, high, low, close }) => [timeMs, open, high, low, close])).toEqual(vendor);
  });

  test.each([
    [
      "TrueFX's csv",
      "ticks/nautilus/truefx/usdjpy-ticks.csv",
      "USDJPY",
      1e3,
      (stamp: string) => Date.parse(stamp.replace(" ", "T")),
    ],
    [
      "an ISO csv",
      "ticks/nautilus/quote_tick_usdjpy_2019_sim.csv",
      "USDJPY",
      1e3,
      (stamp: string) => Date.parse(stamp),
    ],
    [
      "HistData's ticks",
      "ticks/nautilus/quote_tick_data.csv",
      "EURUSD",
      1e5,
      // Winter: New York is five hours behind.
      (stamp: string) =>
        Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)(\d{3})$/, "$1-$2-$3T$4:$5:$6.$7-05:00")),
    ],
  ])("%s gives the last bid and ask of each second", async (_, file, symbol, scale, toMs) => {
    const path = join(data, file);
    const { report } = await importPath(getPool(), path, { symbol, source: "test" });
    const last = new Map<number, number[]>();
    for (const line of readFileSync(path, "utf8").split("\n")) {
      const [stamp = "", bid, ask] = line.split(",");
      const timeMs = toMs(stamp);
      if (Number.isNaN(timeMs) || Number(bid) > Number(ask)) continue;
      last.set(Math.floor(timeMs / 1000), [Math.round(Number(bid) * scale), Math.round(Number(ask) * scale)]);
    }
    expect(report.refused.malformed).toBeUndefined();
    const stored = new Map<number, number[]>();
    for (const hour of new Set(Array.from(last.keys(), (second) => Math.floor(second / 3_600)))) {
      const ticks = await readHour(getPool(), symbol, hour * HOUR_MS);
      ticks?.seconds.forEach((second, i) =>
        stored.set(hour * 3_600 + second, [ticks.bid[i] as number, ticks.ask[i] as number]),
      );
    }
    expect(stored).toEqual(last);
  });

  test("FXCM's ticks of Lean are of a clock five hours behind UTC, and its crossed ones are refused", async () => {
    const path = join(data, "ticks/lean/Data/forex/fxcm/tick/eurusd/20140502_quote.zip");
    const { report } = await importPath(getPool(), path, { zone: "Etc/GMT+5", symbol: "EURCHF", source: "fxcm" });
    const [text] = Object.values(unzipSync(readFileSync(path)));
    const rows = new TextDecoder().decode(text).trim().split("\n");
    const ticks = rows.map((row) => row.split(",").map(Number) as [number, number, number]);
    const good = ticks.filter(([, bid, ask]) => bid <= ask);
    expect(report).toMatchObject({ rows: rows.length, accepted: good.length });
    expect(report.refused.crossed?.count).toBe(ticks.length - good.length);
    const midnight = Date.UTC(2014, 4, 2, 5);
    const last = new Map(good.map(([ms, ...prices]) => [midnight / 1000 + Math.floor(ms / 1000), prices]));
    const stored = new Map<number, number[]>();
    for (let hourMs = midnight; hourMs < midnight + 24 * HOUR_MS; hourMs += HOUR_MS) {
      const hour = await readHour(getPool(), "EURCHF", hourMs);
      const toPrices = (at: number) => [hour?.bid[at] as number, hour?.ask[at] as number].map((each) => each / 1e5);
      hour?.seconds.forEach((second, at) => stored.set(hourMs / 1000 + second, toPrices(at)));
    }
    expect(stored).toEqual(last);
  });

  test("FXCM's minutes of a csv are stored as they are", async () => {
    const path = join(data, "bars/nautilus_fxcm/gbpusd-m1-bid-2012.csv.gz");
    const { report } = await importPath(getPool(), path, { symbol: "GBPCAD" });
    const lines = gunzipSync(readFileSync(path)).toString().trim().split("\n").slice(1);
    expect([report.rows, report.accepted, report.refused]).toEqual([lines.length, lines.length, {}]);
    const expected = lines.map((line) => {
      const [time = "", ...prices] = line.split(",");
      return [Date.parse(time.replace(" ", "T")), ...prices.map((price) => Math.round(Number(price) * 1e5))];
    });
    const stored = await readTimeframe("GBPCAD", "M1", "csv");
    expect(stored.map(({ timeMs, open, high, low, close }) => [timeMs, open, high, low, close])).toEqual(expected);
  });

  test("Dukascopy's hours are stored whole", async () => {
    for (const hour of ["00", "10", "23"]) {
      const path = join(data, `ticks/dukascopy_theorycraft/EURUSD/2019/01/04/${hour}h_ticks.bi5`);
      const { report } = await importPath(getPool(), path);
      expect(report.accepted).toBe(report.rows);
      expect(await readHour(getPool(), "EURUSD", Date.UTC(2019, 1, 4, Number(hour)))).not.toBeNull();
    }
  });

  test("HistData's minutes are New York's, with its daylight saving time", async () => {
    const path = join(data, "bars/histdata_rleydev/DAT_ASCII_EURUSD_M1_202506.csv.gz");
    const gbp = catalogResolver.find("GBPUSD");
    if (gbp === undefined) throw new Error("GBPUSD is in the catalog");
    const { report } = await importPath(getPool(), path, { symbol: "GBPUSD" });
    expect(report.refused).toEqual({});
    expect(checkZone(report, gbp, "America/New_York").state).toBe("fits");
    expect(await readTimeframe("GBPUSD", "M1", "histdata")).toHaveLength(report.rows);
    const asUtc = await importPath(null, path, { zone: "UTC" });
    expect(checkZone(asUtc.report, gbp, "UTC")).toMatchObject({
      state: "differs",
      suggestions: expect.arrayContaining(["America/New_York"]) as unknown,
    });
  });

  test("MetaTrader's export needs the zone of the broker's server, and suggests it", async () => {
    const path = join(data, "bars/mt5_budimanlai/XAUUSD_H1.csv");
    // This server follows Europe's clock changes: in March 2025 its weeks begin an hour earlier for three weeks.
    await expect(importPath(null, path)).rejects.toThrow(/fit --zone Europe\/Athens/);
    const { report } = await importPath(getPool(), path, { zone: "Europe/Athens" });
    expect(report.accepted).toBe(report.rows);
    const hours = (await readBars(getPool(), { symbols: ["XAUUSD"], timeframe: "H1", limit: 1e6, pick: "first" })).get(
      "XAUUSD",
    );
    expect(hours).toHaveLength(report.rows);
  });
});
