import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "@/cli/testing/commands";
import { toTickColumns, writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { readBars, TIMEFRAME_MINUTES, toBar } from "@/lib/history/bars/bar-rows";
import type { Row, WrittenFile } from "@/lib/history/import/written-series.fixture";
import { writeCase } from "@/lib/history/import/written-texts.fixture";
import { readHour } from "@/lib/history/ticks/tick-history";
import { toPrice } from "@/lib/market/price";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Written files that need no option, with each hour of a symbol in one of them. */
function chooseFiles(count: number): WrittenFile[] {
  const chosen: WrittenFile[] = [];
  const taken = new Set<string>();
  for (let seed = 0; chosen.length < count; seed++) {
    const file = writeCase(seed);
    const rows = [...new Map(file.rows.map((row) => [String(row), row])).values()].sort((a, b) =>
      String(a[0]) === String(b[0]) ? Number(a[1]) - Number(b[1]) : String(a[0]) < String(b[0]) ? -1 : 1,
    );
    const hours = [...new Set(rows.map(([symbol, ms]) => `${symbol} ${Math.floor(Number(ms) / HOUR_MS)}`))];
    const isPlain = Object.keys({ ...file.options, ...file.refused }).length === 0 && file.refusal === null;
    if (!isPlain || file.drawn["hasRest"] === true || hours.some((hour) => taken.has(hour))) continue;
    for (const hour of hours) taken.add(hour);
    chosen.push({ ...file, rows });
  }
  return chosen;
}

/** What is stored at the times of some rows of one file. */
async function readBack(pool: TestDatabase["db"]["pool"], rows: readonly Row[]): Promise<unknown[]> {
  const stepMs = Math.min(
    ...rows.slice(1).map((row, i) => Math.abs(Number(row[1]) - Number(rows[i]?.[1])) || Infinity),
  );
  const timeframe = TIMEFRAMES.find((each) => TIMEFRAME_MINUTES[each] * MINUTE_MS === stepMs) ?? "M1";
  const found: unknown[] = [];
  for (const [symbol = "", ms, ...values] of rows) {
    const timeMs = Number(ms);
    if (values.length === 2) {
      const hour = await readHour(pool, String(symbol), Math.floor(timeMs / HOUR_MS) * HOUR_MS);
      const at = hour?.seconds.indexOf(Math.floor((timeMs % HOUR_MS) / 1_000)) ?? -1;
      const [bid = NaN, ask = NaN] = [hour?.bid[at], hour?.ask[at]];
      found.push([symbol, ms, toPrice(bid, hour?.digits ?? 0), toPrice(ask, hour?.digits ?? 0)]);
    } else {
      const options = { symbols: [String(symbol)], timeframe, limit: 1, pick: "first", fromMs: timeMs } as const;
      const [bar] = (await readBars(pool, options)).get(String(symbol)) ?? [];
      const { open, high, low, close, volume } = toBar(bar as NonNullable<typeof bar>);
      found.push([symbol, bar?.timeMs, open, high, low, close, volume]);
    }
  }
  return found;
}

describe("spotline import", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  const FRIDAY = "2024-05-10 20:59:00,1.08,1.0801\n";
  const MONDAY = "2024-05-12 21:04:00,1.0802,1.0803\n";
  const write = (files: Record<string, string>) => writeFiles(files);

  test("imports a folder, and compares the zone with the weekly opening between two files", async () => {
    const dir = write({ "eurusd-1.csv": `time,bid,ask\n${FRIDAY}`, "eurusd-2.csv": `time,bid,ask\n${MONDAY}x,1,2\n` });
    const share = ["--max-refused", "50"];
    const dry = await run(testDatabase, ["import", dir, "--zone", "America/New_York", "--dry-run", ...share]);
    expect(dry).toMatchObject({ exitCode: 0 });
    expect(dry.stdout).toMatch(/WRONG ZONE\? .*0 of 1 weekly .* fits --zone UTC/);
    expect(dry.stdout).toContain("line 3: x,1,2 (expected a time like");
    const stored = await run(testDatabase, ["import", dir, "--source", "mine", "--json", ...share]);
    expect(JSON.parse(stored.stdout)).toMatchObject({
      accepted: 2,
      added: 2,
      failed: 0,
      files: [{ symbol: "EURUSD", source: "mine", zone: "UTC", format: "csv", refused: {} }, { rows: 2 }],
      weekly_sessions: [{ state: "fits", weekends: 1, fitting: 1 }],
    });
    const again = await run(testDatabase, ["import", join(dir, "eurusd-1.csv"), "--source", "mine"]);
    expect(again.stdout).toContain("This file is imported already; nothing was changed.");
    const removed = await run(testDatabase, ["import", "remove", "--source", "mine"]);
    expect(removed.stdout).toBe("Removed 2 hours of EURUSD from mine.\n");
  });

  test("ranks imported sources as the server ranks its own, by the setting or by the file of settings", async () => {
    const readBid = async (env: Record<string, string>) => {
      for (const [source, bid] of Object.entries({ "a-vendor": "1.08", "alpha-markets": "1.09" })) {
        const files = write({ "eurusd.csv": `time,bid,ask\n2024-05-10 20:59:00,${bid},1.1\n` });
        const { stderr, exitCode } = await run(testDatabase, ["import", files, "--source", source], { env });
        expect([stderr, exitCode]).toEqual(["", 0]);
      }
      const { rows } = await testDatabase.db.pool.query<{ open: number }>("SELECT open FROM bar WHERE timeframe = 1");
      for (const source of ["a-vendor", "alpha-markets"]) {
        await run(testDatabase, ["import", "remove", "--source", source], { env });
      }
      return rows.map(({ open }) => open);
    };
    expect(await readBid({})).toEqual([108_000]);
    expect(await readBid({ SPOTLINE_SOURCE_PRIORITY: "alpha-markets" })).toEqual([109_000]);
    const simulated = { kind: "simulated", priority: 2 };
    for (const [sources, bid] of [
      [[simulated], 109_000],
      [[simulated, { kind: "kraken", name: "a-vendor", priority: 1 }], 108_000],
      [[simulated, { kind: "kraken", name: "a-vendor" }], 109_000],
      [[simulated, { kind: "mt5", name: "a-vendor" }], 109_000],
    ]) {
      const dir = write({ "settings.json": JSON.stringify({ sources }) });
      expect(await readBid({ SPOTLINE_CONFIG: join(dir, "settings.json") })).toEqual([bid]);
    }
  });

  test("changes nothing if one of the files is unknown, and says which", async () => {
    const dir = write({ "eurusd.csv": `time,bid,ask\n${FRIDAY}`, "gbpusd.csv": "hello" });
    const refused = await run(testDatabase, ["import", join(dir, "eurusd.csv"), join(dir, "gbpusd.csv")]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(/gbpusd\.csv: line 1 has no tab, semicolon or comma/);
    const { rows } = await testDatabase.db.pool.query("SELECT FROM import_file");
    expect(rows).toEqual([]);
  });

  test("imports what a folder and its folders have of prices, and says why it leaves out each other file", async () => {
    const dir = write({
      "2024/DAT_ASCII_EURUSD_T_202405.csv": "20240510 165900000,1.080000,1.080100,0\n",
      "2024/DAT_ASCII_EURUSD_T_202405.txt":
        "HistData.com (c) 2012\nFile: DAT_ASCII_EURUSD_T_202405.csv Status Report\n",
      "notes.pdf": "%PDF-1.4",
      "empty.txt": "",
    });
    const imported = await run(testDatabase, ["import", dir, "--source", "folder"]);
    expect(imported).toMatchObject({ exitCode: 0 });
    expect(imported.stdout).toMatch(
      /Skipped, no file of prices:\n.*T_202405\.txt: .*\n.*empty\.txt: .*\n.*notes\.pdf: /,
    );
    expect(imported.stdout).toContain("4 files: 1 rows accepted, 1 new, 0 not imported whole, 3 skipped");
  });

  test("fails for a folder with a file that looks like prices and cannot be imported, after importing the others", async () => {
    const dir = write({
      "eurusd.csv": `time,bid,ask\n${FRIDAY}`,
      "gbpusd.csv": "hello",
      "usdjpy.prices": "20240510,1,2\n",
    });
    const part = await run(testDatabase, ["import", dir, "--source", "part", "--json"]);
    expect(part).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(part.stdout)).toMatchObject({
      accepted: 1,
      failed: 2,
      files: [{ symbol: "EURUSD" }],
      left_out: [
        {
          file: join(dir, "gbpusd.csv"),
          reason: expect.stringContaining("no tab, semicolon or comma"),
          has_prices: true,
        },
        { file: join(dir, "usdjpy.prices"), has_prices: true },
      ],
    });
    expect(await run(testDatabase, ["import", write({ "readme.md": "hello" })])).toMatchObject({ exitCode: 1 });
  });

  test("fails for a file of which most rows cannot be read", async () => {
    const dir = write({ "eurusd.csv": `time,bid,ask\n${FRIDAY}a,b,c\nd,e,f\n` });
    const failed = await run(testDatabase, ["import", join(dir, "eurusd.csv")]);
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(failed.stdout).toContain("NOT IMPORTED WHOLE: 2 of 3 rows cannot be read");
  });

  const bars = (volume: (row: number) => string, heading = "time,open,high,low,close,volume") =>
    [
      heading,
      ...Array.from({ length: 30 }, (_, i) => `2024-05-10 17:${i + 10}:00,1.08,1.0805,1.0795,1.081,${volume(i)}`),
    ]
      .join("\n")
      .replaceAll("1.081,", "1.0801,");

  test("prints the plan of a dry run: what was recognised, what was assumed, and the first rows", async () => {
    const dir = write({ "eurusd.csv": bars(() => "7", ",open,high,low,close,volume") });
    const { stdout, exitCode } = await run(testDatabase, ["import", join(dir, "eurusd.csv"), "--dry-run"]);
    expect(exitCode).toBe(0);
    for (const line of [
      "symbol EURUSD (its name tells it), 5 digits; zone UTC (the usual one of a csv)",
      "timeframe M1 (the usual distance of its bars)",
      "UTF-8, comma between fields, point before decimals",
      "assumed: column 1, which has no name, has the times",
      "stored as 2024-05-10T17:10:00.000Z 1.08 1.0805 1.0795 1.0801 7",
    ]) {
      expect(stdout).toContain(line);
    }
    const json = await run(testDatabase, ["import", join(dir, "eurusd.csv"), "--dry-run", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [{ plan: { columns: { time: "column 1", open: "open" }, unused_columns: [] }, first_rows: { length: 3 } }],
    });
  });

  test("imports bars without a volume, and fails for a file that gives nothing or of which too much is refused", async () => {
    const dir = write({
      "eurusd-none.csv": bars((row) => ["-1.0", "", "NaN"][row % 3] ?? ""),
      "eurusd-late.csv": bars(() => "5").replaceAll(":00,", ":30,"),
      "eurusd-half.csv": bars(() => "5").replaceAll(/17:(1|2)(\d):00,1\.08,/g, "17:$1$2:00,0,"),
    });
    const imported = await run(testDatabase, ["import", join(dir, "eurusd-none.csv"), "--source", "none", "--json"]);
    expect(imported.exitCode).toBe(0);
    expect(JSON.parse(imported.stdout)).toMatchObject({ accepted: 30, added: 30, files: [{ without_volume: 30 }] });
    const late = await run(testDatabase, ["import", join(dir, "eurusd-late.csv")]);
    expect(late.exitCode).toBe(1);
    expect(late.stdout).toMatch(
      /30 refused: they are bars that do not begin on the grid[^]*none of its 30 rows can be imported/,
    );
    const moved = await run(testDatabase, ["import", join(dir, "eurusd-late.csv"), "--source", "moved", "--align"]);
    expect(moved.stdout).toContain("30 bars were moved back to the grid of M1");
    const half = await run(testDatabase, ["import", join(dir, "eurusd-half.csv")]);
    expect(half.exitCode).toBe(1);
    expect(half.stdout).toContain("20 of 30 rows were refused, more than 20 %");
    const allowed = await run(testDatabase, ["import", join(dir, "eurusd-half.csv"), "--max-refused", "70"]);
    expect(allowed.exitCode).toBe(0);
  });

  test("imports each symbol of a file, or one of them", async () => {
    const rows = Array.from({ length: 10 }, (_, i) =>
      [`EURGBP,2024-05-10T17:00:0${i}Z,0.86,0.8601`, `USDCHF,2024-05-10T17:00:0${i}Z,0.88,0.8801`].join("\n"),
    );
    const dir = write({ "many.csv": ["symbol,time,bid,ask", ...rows].join("\n") });
    const all = await run(testDatabase, ["import", join(dir, "many.csv"), "--source", "many", "--json"]);
    expect(JSON.parse(all.stdout)).toMatchObject({
      files: [
        { symbol: "EURGBP", rows: 10, added: 10 },
        { symbol: "USDCHF", rows: 10, added: 10 },
      ],
    });
    const one = await run(testDatabase, ["import", join(dir, "many.csv"), "--dry-run", "--symbol", "USDCHF", "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({ rows: 10, files: [{ symbol: "USDCHF" }] });
  });

  test("advises another clock, not a zone, for times that state their offset", async () => {
    const text = `time,bid,ask\n${[FRIDAY, MONDAY].join("").replaceAll(":00,", ":00+03:00,")}`;
    const file = join(write({ "eurusd.csv": text }), "eurusd.csv");
    const { stdout } = await run(testDatabase, ["import", file, "--dry-run"]);
    expect(stdout).toMatch(/WRONG OFFSET\? .* --clock UTC/);
    expect(stdout).not.toContain("--zone");
    const again = await run(testDatabase, ["import", file, "--dry-run", "--clock", "UTC"]);
    expect(again.stdout).toContain("1 of 1 weekly openings and closes fit");
  });

  test("needs a symbol, a zone and a source that exist", async () => {
    const dir = write({ "prices.csv": `time,bid,ask\n${FRIDAY}` });
    const refuse = async (...words: string[]) =>
      (await run(testDatabase, ["import", join(dir, "prices.csv"), ...words])).stderr;
    expect(await refuse()).toMatch(/does not tell one symbol: give one with --symbol/);
    expect(await refuse("--symbol", "NOSUCH")).toMatch(/the symbol NOSUCH is unknown/);
    expect(await refuse("--symbol", "EURUSD", "--zone", "Mars")).toMatch(/there is no time zone Mars/);
    expect(await refuse("--symbol", "EURUSD", "--source", "My Broker")).toMatch(/small letters, digits and dashes/);
  });

  test("imports each symbol of a Parquet file, or the one that is asked for", async () => {
    const ticks = [0, 1, 2].map((i) => [Date.UTC(2022, 4, 10, 20, i), 108_000 + i, 108_010 + i] as const);
    const write = (...symbols: string[]) =>
      writeFiles({
        "x.parquet": writeParquet([...toTickColumns(ticks), { name: "symbol", data: symbols, type: "STRING" }]),
      });
    const dir = write("EUR/USD", "GBP/USD", "EUR/USD");
    const both = await run(testDatabase, ["import", join(dir, "x.parquet"), "--source", "pq", "--json"]);
    expect(JSON.parse(both.stdout)).toMatchObject({
      added: 3,
      files: [
        { symbol: "EURUSD", rows: 2 },
        { symbol: "GBPUSD", rows: 1 },
      ],
    });
    const one = await run(testDatabase, [
      "import",
      join(dir, "x.parquet"),
      "--symbol",
      "GBPUSD",
      "--source",
      "p2",
      "--json",
    ]);
    expect(JSON.parse(one.stdout)).toMatchObject({ added: 1, files: [{ symbol: "GBPUSD" }] });
    const none = await run(testDatabase, ["import", join(dir, "x.parquet"), "--symbol", "USDJPY"]);
    expect(none.stderr).toContain("its rows are of EUR/USD, GBP/USD: none of them is USDJPY");
    const twice = await run(testDatabase, ["import", join(write("EURUSD", "EUR/USD", "EUR/USD"), "x.parquet")]);
    expect(twice.stderr).toContain("its rows of EURUSD and of EUR/USD are both of EURUSD");
  });

  test("adds a symbol to the catalog that a vendor's name spells and the catalog lacks", async () => {
    const dir = write({ "DAT_ASCII_USDRUB_T_202107.csv": "20210701 170000065,73.12345,73.12390,0\n" });
    const dry = await run(testDatabase, ["import", dir, "--dry-run"]);
    expect(dry.stdout).toContain("USDRUB would be added to the catalog: US Dollar vs Russian Ruble, forex, 5 digits.");
    const imported = await run(testDatabase, ["import", dir, "--json"]);
    expect(JSON.parse(imported.stdout)).toMatchObject({ added: 1, added_instruments: ["USDRUB"] });
    const listed = await run(testDatabase, ["instrument", "list", "--added", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      instruments: [{ symbol: "USDRUB", added_by: "histdata" }],
    });
    const again = await run(testDatabase, ["import", join(dir, "DAT_ASCII_USDRUB_T_202107.csv"), "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ added_instruments: [], files: [{ already_imported: true }] });
  });

  test("lists imports that have stored something, and undoes one of them", async () => {
    const dir = write({ "eurusd.csv": `time,bid,ask\n${FRIDAY}` });
    const words = ["import", join(dir, "eurusd.csv"), "--source", "listed", "--json"];
    const { id } = JSON.parse((await run(testDatabase, words)).stdout) as { id: string };
    expect(JSON.parse((await run(testDatabase, words)).stdout)).toMatchObject({ id: null });
    const list = async () => JSON.parse((await run(testDatabase, ["import", "list", "--json"])).stdout) as object[];
    const listed = { id, state: "done", by_command: true, added: 1, options: { source: "listed" }, can_undo: true };
    expect((await list())[0]).toMatchObject(listed);
    expect((await run(testDatabase, ["import", "list"])).stdout).toContain(`${id}  `);
    const undone = await run(testDatabase, ["import", "undo", id]);
    expect(undone).toMatchObject({ exitCode: 0, stdout: `Undone ${id}: 1 hours are as before.\n` });
    expect((await list())[0]).toMatchObject({ id, state: "undone", can_undo: false });
    expect(await run(testDatabase, ["import", "undo", id])).toMatchObject({ exitCode: 1 });
    expect(await run(testDatabase, ["import", "undo", "7"])).toMatchObject({ exitCode: 2 });
    expect(JSON.parse((await run(testDatabase, words)).stdout)).toMatchObject({ added: 1 });
    const { rows } = await testDatabase.db.pool.query(
      "SELECT event, after->>'source' AS source FROM audit_event WHERE after->>'import' = $1 ORDER BY seq",
      [id],
    );
    expect(rows).toEqual([
      { event: "import.begin", source: "listed" },
      { event: "import.undo", source: null },
    ]);
  });

  test("docs/importing-history.md shows the options that the command has", async () => {
    const { stdout } = await run(testDatabase, ["import", "--help"]);
    const options = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = ""]) => option);
    const page = readFileSync("docs/importing-history.md", "utf8");
    expect(options.filter((option) => !page.includes(option))).toEqual([]);
  });

  test("stores files of many forms as what they mean", async () => {
    const files = chooseFiles(40);
    const dir = writeFiles(Object.fromEntries(files.map(({ path, bytes }, i) => [`${i}/${path}`, bytes])));
    const imported = await run(testDatabase, ["import", dir, "--source", "forms", "--json"]);
    expect(JSON.parse(imported.stdout)).toMatchObject({ failed: 0 });
    const { pool } = testDatabase.db;
    for (const { rows, drawn } of files) expect([await readBack(pool, rows), drawn]).toEqual([rows, drawn]);
  });
});
