import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
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

test.each([
  ["EURUSD.csv", "time,bid,ask\n1546383600078,112120,112172", "near 112000, and EURUSD is near 1.16"],
  ["EURUSD.csv", "time,bid,ask\n1546383600078,156.12,156.13", "near 156, and EURUSD is near 1.16"],
  ["XAUUSD.csv", "time,bid,ask\n1546383600078,128412,128455", "near 128000, and XAUUSD is near 4080"],
  ["US30.csv", "time;bid;ask\n1546383600078;38.123;38.125", "near 38.1, and US30 is near"],
])("Prices of %s at a level that it never had are refused: %j is %s", async (name, text, sentence) => {
  await expect(importText(null, name, text)).rejects.toThrow(sentence);
});

test("Prices that are far below today's are of an earlier time, and one wrong row tells nothing", async () => {
  const old = await importText(null, "US500.csv", "time,bid,ask\n2003-01-02T15:00:00Z,88.1,88.2");
  expect(old.report.accepted).toBe(1);
  const rows = ["1546383600078,112120,112172", "1546383601078,1.1212,1.1213", "1546383602078,1.1212,1.1213"];
  await importText(null, "EURUSD.csv", ["time,bid,ask", ...rows].join("\n"));
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
  await expect(read({})).rejects.toThrow("in the zone of its computer: give their zone");
  await expect(read({ zone: "UTC" })).rejects.toThrow("give --stamps end, or --stamps begin");
  const { report } = await read({ zone: "UTC", stamps: "end" });
  expect(report.firstMs).toBe(Date.UTC(2024, 0, 31, 17));
});
