import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import type { PlanOptions } from "@/lib/history/import/import-options";
import { formatTicks, importText } from "@/lib/history/import/import.fixture";
import { checkZone, listImportFiles, planFile, planImports } from "@/lib/history/import/plan-import";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { createLocalClock } from "@/lib/time/local-clock";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const EURUSD = catalogResolver.find("EURUSD");

/** Ticks of eight weeks around New York's clock change in March, as a zone's clock dates them. */
function formatWeeks(zone: string): string {
  const toUtc = createLocalClock(zone);
  const ticks: [number, number, number][] = [];
  for (let week = 0; week < 8; week++) {
    const opensMs = zonedTimeToUtcMs("America/New_York", 2024, 2, 4 + 7 * week, 17 * HOUR_MS);
    const closesMs = zonedTimeToUtcMs("America/New_York", 2024, 2, 9 + 7 * week, 17 * HOUR_MS);
    for (let atMs = opensMs + 4 * MINUTE_MS; atMs < closesMs; atMs += 5 * MINUTE_MS) {
      // The time on the zone's clock, found by its difference from UTC at this moment.
      const localMs = [atMs - 2 * DAY_MS, atMs]
        .map((each) => each - (toUtc(each) - each))
        .find((each) => toUtc(each) === atMs);
      ticks.push([localMs ?? atMs - (toUtc(atMs) - atMs), 108_000, 108_003]);
    }
  }
  return formatTicks(ticks);
}

async function check(writtenIn: string, readIn: string) {
  if (EURUSD === undefined) throw new Error("EURUSD is in the catalog");
  // The times are written as if they were UTC, so the zone of reading is applied to them by the check alone.
  const text = formatWeeks(writtenIn).replace(/^(\d{13})/gm, (ms) => new Date(Number(ms)).toISOString().slice(0, 23));
  const { report } = await importText(null, "eurusd.csv", text, { zone: readIn });
  return checkZone(report, EURUSD, readIn);
}

test.each(["UTC", "America/New_York", "America/New_York+7", "Etc/GMT+5"])(
  "Times of %s fit their own zone",
  async (zone) => {
    expect(await check(zone, zone)).toMatchObject({ state: "fits", suggestions: [] });
  },
);

test.each([
  ["America/New_York", "UTC"],
  ["America/New_York+7", "UTC"],
  ["UTC", "America/New_York"],
  ["America/New_York", "America/New_York+7"],
])("Times of %s that are read as %s bring the suggestion of the right zone", async (written, read) => {
  const { state, suggestions } = await check(written, read);
  expect([state, suggestions[0]]).toEqual(["differs", written]);
});

test("Without a weekend nothing is said", async () => {
  if (EURUSD === undefined) throw new Error("EURUSD is in the catalog");
  const { report } = await importText(null, "eurusd.csv", formatTicks([[Date.UTC(2024, 1, 5), 108_000, 108_003]]));
  expect(checkZone(report, EURUSD, "UTC").state).toBe("unknown");
});

test("The name of the text inside of an archive tells the symbol too, and must not tell another one", async () => {
  const content = zipSync({ "DAT_ASCII_EURUSD_T_202001.csv": strToU8("20200701 170000065,1.121200,1.121720,0\n") });
  const plan = async (name: string) => {
    const [task] = (await planFile(join(writeFiles({ [name]: content }), name), {})).tasks;
    return task?.instrument.symbol;
  };
  expect([await plan("2020.zip"), await plan("eurusd.zip")]).toEqual(["EURUSD", "EURUSD"]);
  await expect(plan("gbpusd.zip")).rejects.toThrow("its name may mean GBPUSD or EURUSD: give one with --symbol");
});

const LEVELS = [
  // Slipped decimal points, points and hundredths.
  ["EURUSD", 2019, 112_120, "near 112000, and EURUSD was between 1.04 and 1.21 in 2019"],
  ["EURUSD", 2024, 10.812, "10 times too high"],
  ["EURUSD", 2024, 0.10812, "10 times too low"],
  ["EURGBP", 2024, 8.556, "10 times too high"],
  ["GBPUSD", 2024, 127.12, "a hundred times too high, as cents, pence"],
  ["USDJPY", 2024, 1_512.34, "10 times too high"],
  ["USDJPY", 2024, 1.51234, "a hundred times too low"],
  ["CHFJPY", 2003, 0.91, "a hundred times too low"],
  ["XAUUSD", 2024, 20_345, "10 times too high"],
  ["XAUUSD", 2024, 203.45, "10 times too low"],
  ["XAUUSD", 2019, 128_412, "a hundred times too high"],
  ["XAGUSD", 2024, 231.25, "10 times too high"],
  ["US500", 2024, 484.56, "10 times too low"],
  ["US30", 2019, 38.123, "approximate yearly ranges"],
  ["USOIL", 2024, 7_812, "a hundred times too high"],
  ["BTCUSD", 2024, 4_212, "10 times too low"],
  ["DOGEUSD", 2024, 1.8, "10 times too high"],
  ["AAPL", 2025, 2_300, "10 times too high"],
  // The rows of another symbol, and the inverse pair.
  ["EURUSD", 2019, 156.12, "approximate yearly ranges"],
  ["EURUSD", 2024, 0.85, "EURUSD was between"],
  ["EURUSD", 2024, 1.27, "EURUSD was between"],
  ["USDZAR", 2024, 0.66, "USDZAR was between"],
  ["USDJPY", 2024, 0.0064, "inverse pair"],
  ["USDCAD", 2024, 0.735, "inverse pair"],
] as const;

test.each(LEVELS)("%s of %d at %d is refused: %s", async (symbol, year, price, sentence) => {
  const text = `time,bid,ask\n${year}-03-05T10:00:00Z,${price},${price}`;
  await expect(importText(null, `${symbol}.csv`, text)).rejects.toThrow(sentence);
  expect((await importText(null, `${symbol}.csv`, text, { asIs: true })).report.accepted).toBe(1);
});

test("Dukascopy's prices at a level that the instrument never had ask for --decimals", async () => {
  const bars = Buffer.from("XQAAgAD//////////wAAaP60Jl8fRcxYiWE0QBvYhiHUikX2uCvkpzRmpqo6Wtv76QEA", "base64");
  const path = "US500/2019/01/04/BID_candles_min_1.bi5";
  const plan = planFile(`${writeFiles({ [path]: bars })}/${path}`, {});
  await expect(plan).rejects.toThrow("near 115, and US500 was between 2120 and 3740 in 2019");
  await expect(plan).rejects.toThrow("with --decimals");
});

test.each([
  ["BTCUSD", "2012-06-01", 6],
  ["NAS100", "2003-03-05", 1_040],
  ["XAUUSD", "1999-08-25", 253],
  ["USDTRY", "2013-06-05", 1.9],
  ["USDTRY", "2025-06-05", 39.2],
  ["EURCHF", "2015-01-15", 0.87],
  ["USOIL", "2020-04-20", 1.2],
  ["NVDA", "2023-06-05", 390],
  ["NVDA", "2023-06-05", 39],
  ["NZDSGD", "2011-08-01", 1.05],
  ["ADAUSD", "2020-03-13", 0.024],
  ["US500", "2003-01-02", 881],
])("%s of %s at %d is read, however far from today's price", async (symbol, day, price) => {
  const text = `time,bid,ask\n${day}T10:00:00Z,${price},${price}`;
  expect((await importText(null, `${symbol}.csv`, text)).report.accepted).toBe(1);
});

test("What is stored near a file tells its level, also of a symbol of which nothing else is known", async () => {
  const plan = (name: string, bid: number, near: number | null) => {
    const text = `time,bid,ask\n2024-03-05T10:00:00Z,${bid},${bid}`;
    const findNear = async (_: string, timeMs: number) =>
      near === null ? null : { timeMs: timeMs - DAY_MS, price: near };
    return planFile(join(writeFiles({ [name]: text }), name), {}, findNear);
  };
  await expect(plan("USDBRL.csv", 51.2, null)).resolves.toBeDefined();
  await expect(plan("USDBRL.csv", 51.2, 5.13)).rejects.toThrow(
    "the stored prices of USDBRL are near 5.13 on 2024-03-04; 10 times too high",
  );
  await expect(plan("EURUSD.csv", 1.6, 1.55)).resolves.toBeDefined();
});

test("One wrong row tells nothing of the others, wherever it stands, and is refused", async () => {
  const rows = Array.from(
    { length: 400 },
    (_, i) => [1_546_383_600_078 + i * 1_000, 112_120 + (i % 5), 112_123 + (i % 5)] as const,
  );
  for (const [at, factor] of [
    [0, 1e5],
    [200, 10],
    [201, 0.1],
    [399, 100],
  ] as const) {
    const lines = rows.map(([ms, bid, ask], i) =>
      [ms, bid, ask].map((each, field) => (field > 0 ? (each / 1e5) * (i === at ? factor : 1) : each)).join(),
    );
    const { report } = await importText(null, "EURUSD.csv", ["time,bid,ask", ...lines, ""].join("\n"));
    expect([report.accepted, report.refused.far_off?.count]).toEqual([399, 1]);
  }
  // From the middle on all rows have slipped.
  const slipped = rows.map(([ms, bid, ask], i) =>
    [ms, bid / 1e5, ask / 1e5].map((each, field) => (field > 0 && i >= 200 ? each * 10 : each)).join(),
  );
  const { report } = await importText(null, "EURUSD.csv", ["time,bid,ask", ...slipped, ""].join("\n"));
  expect([report.accepted, report.refused.far_off?.count]).toEqual([200, 200]);
});

test("Links out of a folder are named and not followed, and those inside of it are", async () => {
  const outside = writeFiles({ "EURUSD.csv": formatTicks([[Date.UTC(2024, 1, 5), 108_000, 108_003]]) });
  const folder = writeFiles({ "own/GBPUSD.csv": formatTicks([[Date.UTC(2024, 1, 5), 126_000, 126_003]]) });
  symlinkSync(outside, join(folder, "away"));
  symlinkSync(join(outside, "EURUSD.csv"), join(folder, "EURUSD.csv"));
  symlinkSync(join(folder, "own"), join(folder, "same"));
  symlinkSync(folder, join(folder, "own", "loop"));
  const { tasks, leftOut } = await planImports(listImportFiles([folder]), {});
  expect(tasks.map(({ file }) => file.path.slice(folder.length))).toEqual(["/own/GBPUSD.csv", "/same/GBPUSD.csv"]);
  expect(leftOut.map(({ path, hasPrices }) => [path.slice(folder.length), hasPrices])).toEqual([
    ["/EURUSD.csv", true],
    ["/away", false],
  ]);
  expect(leftOut[0]?.reason).toContain("a link out of its folder");
});

test("Bars that are stamped with their ends are recognised by the close of the week, and read with --stamps end", async () => {
  if (EURUSD === undefined) throw new Error("EURUSD is in the catalog");
  for (const stepMs of [HOUR_MS, MINUTE_MS]) {
    const write = (lateMs: number) => {
      const rows: string[] = ["time,open,high,low,close"];
      for (let week = 0; week < 2; week++) {
        const opensMs = zonedTimeToUtcMs("America/New_York", 2024, 1, 7 + 7 * week, 17 * HOUR_MS);
        for (let atMs = opensMs; atMs < opensMs + 5 * DAY_MS; atMs += stepMs)
          rows.push(`${new Date(atMs + lateMs).toISOString()},1.1,1.1,1.1,1.1`);
      }
      return rows.join("\n");
    };
    const begins = await importText(null, "eurusd.csv", write(0));
    expect(checkZone(begins.report, EURUSD, "UTC", stepMs)).toMatchObject({ state: "fits", isEnd: false });
    const ends = await importText(null, "eurusd.csv", write(stepMs));
    expect(checkZone(ends.report, EURUSD, "UTC", stepMs)).toMatchObject({ isEnd: true, suggestions: [] });
    const moved = await importText(null, "eurusd.csv", write(stepMs), { stamps: "end" });
    expect(moved.report).toMatchObject({ firstMs: begins.report.firstMs, lastMs: begins.report.lastMs });
  }
});

test("Rows that may be stamped with their ends are refused until it is said", async () => {
  const text = "20240131 170100;1.1;1.1;1.1;1.1;5\n20240131 170200;1.1;1.1;1.1;1.1;5";
  const read = (options: object) => importText(null, "EURUSD.Last.txt", text, options);
  await expect(read({})).rejects.toThrow(/in the zone of its computer: give their zone with --zone$/);
  await expect(read({ zone: "UTC" })).rejects.toThrow("give --stamps end, or --stamps begin");
  const { report } = await read({ zone: "UTC", stamps: "end" });
  expect(report.firstMs).toBe(Date.UTC(2024, 0, 31, 17));
});

const SOURCES = [
  "symbol,time,source,bid,ask,received,served",
  "EURUSD,2024-01-31T17:00:00.100Z,icmarkets,1.10000,1.10010,2024-01-31T17:00:00.150Z,1",
  "EURUSD,2024-01-31T17:00:00.300Z,OANDA,1.10030,1.10040,2024-01-31T17:00:00.350Z,0",
  "EURUSD,2024-01-31T17:00:00.500Z,Bad Broker,1.09500,1.09510,2024-01-31T17:00:00.550Z,0",
  "EURUSD,2024-01-31T17:00:01.100Z,OANDA,1.10003,1.10013,2024-01-31T17:01:00.150Z,1",
].map((line) => line.split(","));

describe("A file with rows of several sources", () => {
  /** The sources and bids of what is planned of some columns of the rows. */
  const plan = async (columns: readonly number[], options: PlanOptions = {}, rows = SOURCES) => {
    const text = rows.map((row) => columns.map((at) => row[at]).join(",")).join("\n");
    const { tasks } = await planFile(join(writeFiles({ "EURUSD.csv": `${text}\n` }), "EURUSD.csv"), options);
    return tasks.map(({ file, key }) => {
      const { rows: read } = file.open("UTC");
      const bids: number[] = [];
      while (read.next()) bids.push(read.bid);
      return [key.source, bids];
    });
  };

  test("is read as what was served of them, if it tells that", async () => {
    expect(await plan([0, 1, 2, 3, 4, 5, 6])).toEqual([["csv", [1.1, 1.10003]]]);
    expect(await plan([1, 2, 3, 4, 6])).toEqual([["csv", [1.1, 1.10003]]]);
  });

  test("is split by the mode of its rows, and a simulated one is stored under such a name", async () => {
    const withModes = (modes: readonly string[]) =>
      SOURCES.map((row, at) => [...row, at === 0 ? "mode" : (modes[at - 1] ?? "")]);
    const mixed = withModes(["live", "live", "live", "simulated"]);
    expect(await plan([0, 1, 2, 3, 4, 5, 6, 7], { source: "mine" }, mixed)).toEqual([
      ["mine", [1.1]],
      ["simulated-mine", [1.10003]],
    ]);
    expect(await plan([0, 1, 3, 4, 7], {}, withModes(Array(4).fill("simulated")))).toEqual([
      ["simulated-csv", [1.1, 1.1003, 1.095, 1.10003]],
    ]);
    const named = await plan([0, 1, 3, 4, 7], { source: "simulated-a" }, withModes(Array(4).fill("simulated")));
    expect(named.map(([source]) => source)).toEqual(["simulated-a"]);
    // Another column of that name has another meaning.
    const other = await plan([0, 1, 3, 4, 7], {}, withModes(["live", "A", "B", "A"]));
    expect(other.map(([source]) => source)).toEqual(["csv"]);
  });

  test("is split by them otherwise, and never one stream", async () => {
    const split = [
      ["icmarkets", [1.1]],
      ["oanda", [1.1003, 1.10003]],
      ["bad-broker", [1.095]],
    ];
    expect(await plan([0, 1, 2, 3, 4])).toEqual(split);
    expect(await plan([1, 3, 4, 2], { symbol: "EURUSD", source: "mine" })).toEqual(
      split.map(([source, bids]) => [`mine-${String(source)}`, bids]),
    );
    const venues = SOURCES.map((row, at) =>
      at === 0 ? row.map((name) => (name === "source" ? "Exchange" : name)) : row,
    );
    expect(await plan([1, 2, 3, 4], {}, venues)).toEqual(split);
    const others = SOURCES.map((row, at) => (at === 2 ? ["GBPUSD", ...row.slice(1)] : row));
    await expect(plan([0, 1, 2, 3, 4], {}, others)).rejects.toThrow("several sources");
  });

  test("is read in the same way as Parquet", async () => {
    const rows = SOURCES.slice(1);
    const column = (at: number) => rows.map((row) => row[at] as string);
    const columns: Parameters<typeof writeParquet>[0] = [
      { name: "time", data: column(1).map((time) => new Date(time)), type: "TIMESTAMP" },
      { name: "source", data: column(2), type: "STRING" },
      { name: "bid", data: column(3).map(Number), type: "DOUBLE" },
      { name: "ask", data: column(4).map(Number), type: "DOUBLE" },
    ];
    const served = { name: "served", data: Int32Array.from(column(6).map(Number)), type: "INT32" as const };
    const read = async (all: typeof columns) => {
      const { tasks } = await planFile(join(writeFiles({ "EURUSD.parquet": writeParquet(all) }), "EURUSD.parquet"), {});
      return tasks.map(({ file, key }) => {
        const { rows: own } = file.open("UTC");
        const bids: number[] = [];
        while (own.next()) bids.push(own.bid);
        return [key.source, bids];
      });
    };
    expect(await read([...columns, served])).toEqual([["parquet", [1.1, 1.10003]]]);
    expect(await read(columns)).toEqual([
      ["icmarkets", [1.1]],
      ["oanda", [1.1003, 1.10003]],
      ["bad-broker", [1.095]],
    ]);
  });
});

test.each([
  "Kaufkurs Verkaufskurs",
  "Compra Venta",
  "Compra Venda",
  "Acheteur Vendeur",
  "Kupno Sprzedaż",
  "Alış Satış",
])(
  "%s mean either side: a file whose bids would be above its asks is refused with the option that swaps them.",
  async (names) => {
    const [bid = "", ask = ""] = names.split(" ");
    const rows = (spread: number) =>
      [0, 1, 2, 3].map((i) => `2024-01-31T17:00:0${i}Z;${1.1 + (i === 2 ? 0 : spread)};${1.1}`).join("\n");
    const read = (spread: number, options: PlanOptions = {}) =>
      importText(null, "EURUSD.csv", `time;${bid};${ask}\n${rows(spread)}\n`, options);
    const sentence = `“${bid}”, read as the bid, is above “${ask}”, read as the ask, in 3 of the first 3 rows with a spread: swap them with --columns time,ask,bid`;
    await expect(read(0.0001)).rejects.toThrow(sentence);
    const { report } = await read(0.0001, { columns: "time,ask,bid" });
    expect([report.accepted, report.first[0]]).toEqual([4, "2024-01-31T17:00:00.000Z 1.1 1.1001"]);
    expect((await read(-0.0001)).report.accepted).toBe(4);
    expect((await read(0)).report.accepted).toBe(4);
  },
);
