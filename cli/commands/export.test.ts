import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "@/cli/testing/commands";
import { encodeBook } from "@/lib/history/as-of/book-block";
import { clearImports, createTicks, formatTicks, importText } from "@/lib/history/import/import.fixture";
import { openJournalHour } from "@/lib/history/journal";
import { TickList } from "@/lib/history/tapes/tape";
import { encodeTape } from "@/lib/history/tapes/tape-block";
import { MAX_POINTS, toPrice } from "@/lib/market/price";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { manyRuns } from "@/lib/text/property-runs.fixture";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const canImport = (names: string) => spawnSync("python3", ["-c", `import ${names}`]).status === 0;
const [hasPandas, hasDuckDb] = [canImport("pandas, pyarrow"), canImport("duckdb, pytz")];
if (!hasPandas)
  console.warn("SKIPPED: exported files are not read with pandas, because python3 has no pandas and pyarrow");
if (!hasDuckDb)
  console.warn("SKIPPED: exported files are not read with DuckDB, because python3 has no duckdb and pytz");

const MAY = Date.UTC(2024, 4, 1);
const createFolder = () => mkdtempSync(join(tmpdir(), "spotline-export-"));

interface FileFacts {
  readonly path: string;
  readonly complete: boolean;
  readonly rows: number;
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly gaps: { readonly count: number; readonly seconds: number } | null;
  readonly state: string;
}

interface Report {
  readonly rows: number;
  readonly files: readonly FileFacts[];
  readonly empty: readonly { readonly symbol: string; readonly reason: string }[];
}

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
const readRows = async (folder: string, file: string) =>
  parquetReadObjects({ file: await asyncBufferFromFile(join(folder, file)) });
const listBytes = (folder: string) => listFiles(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]);

const MAY_FILE = "ticks/symbol=EURUSD/year=2024/month=05/EURUSD-ticks-2024-05.parquet";

describe("spotline export", () => {
  beforeEach(async () => {
    await clearImports(testDatabase.db.pool);
    for (const table of ["tick_second", "calendar_event", "book_log"])
      await testDatabase.db.pool.query(`DELETE FROM ${table}`);
  });

  const importTicks = (fromMs: number, count: number, name = "EURUSD.csv", seed = 1) =>
    importText(testDatabase.db.pool, name, formatTicks(createTicks(fromMs, count, seed)), { source: "mine" });

  /** Runs a command that succeeds, and returns its report. */
  async function exportTo(folder: string, ...words: string[]): Promise<Report> {
    const { stdout, stderr } = await run(testDatabase, ["export", ...words, "--out", folder, "--json"]);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Report;
  }

  const states = ({ files }: Report) => files.map(({ path, state }) => `${state} ${path.split("/").at(-1)}`);

  test("exports the stored seconds of each month, with a manifest of their files", async () => {
    const ticks = createTicks(Date.UTC(2024, 4, 31, 23), 2_000);
    await importText(testDatabase.db.pool, "EURUSD.csv", formatTicks(ticks), { source: "mine" });
    const folder = createFolder();
    const report = await exportTo(folder, "ticks", "--symbols", "eur/usd");
    expect(states(report)).toEqual(["written EURUSD-ticks-2024-05.parquet", "written EURUSD-ticks-2024-06.parquet"]);
    const bySecond = new Map(ticks.map(([timeMs, bid, ask]) => [Math.floor(timeMs / SECOND_MS), [bid, ask]]));
    const expected = Array.from(bySecond, ([second, [bid = 0, ask = 0]]) => {
      return { time: new Date(second * SECOND_MS), bid: bid / 1e5, ask: ask / 1e5 };
    });
    const rows = await Promise.all(report.files.map(({ path }) => readRows(folder, path)));
    expect(rows.flat()).toEqual(expected);
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Report;
    expect(manifest).toMatchObject({
      spotline: expect.any(String),
      export: { what: ["ticks"], resolution: "1s", symbols: ["EURUSD"], from: "2024-05-01T00:00:00Z" },
      rows: expected.length,
    });
    for (const file of manifest.files) {
      const bytes = readFileSync(join(folder, file.path));
      expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([file.bytes, file.sha256]);
      expect(file).toMatchObject({ complete: true, gaps: { count: expect.any(Number) } });
    }
  });

  test("writes a closed month with the same bytes each time, and leaves it alone where nothing has changed", async () => {
    await importTicks(MAY + 7 * HOUR_MS, 3_000);
    const [one, other] = [createFolder(), createFolder()];
    await exportTo(one, "ticks");
    await exportTo(other, "ticks");
    expect(listBytes(one)).toEqual(listBytes(other));
    expect(listFiles(one)).toEqual(["manifest.json", MAY_FILE]);
    expect(states(await exportTo(one, "ticks"))).toEqual(["unchanged EURUSD-ticks-2024-05.parquet"]);
    expect(listBytes(one)).toEqual(listBytes(other));
    writeFileSync(join(one, MAY_FILE), "damaged");
    expect(states(await exportTo(one, "ticks"))).toEqual(["written EURUSD-ticks-2024-05.parquet"]);
    expect(listBytes(one)).toEqual(listBytes(other));
    await importTicks(MAY + 30 * HOUR_MS, 10, "more.EURUSD.csv");
    const changed = await exportTo(one, "ticks");
    expect(states(changed)).toEqual(["written EURUSD-ticks-2024-05.parquet"]);
    expect(changed.rows).toBe((await readRows(one, MAY_FILE)).length);
    expect(listBytes(one)).not.toEqual(listBytes(other));
  });

  test("names a part of a month so, extends it, and replaces it by the whole month", async () => {
    await importTicks(MAY + 7 * HOUR_MS, 3_000);
    const folder = createFolder();
    const at = (hour: number) => new Date(MAY + hour * HOUR_MS).toISOString();
    const first = await exportTo(folder, "ticks", "--from", at(8), "--to", at(9));
    expect(first.files).toMatchObject([{ complete: false, from: "2024-05-01T08:00:00Z", to: "2024-05-01T09:00:00Z" }]);
    const second = await exportTo(folder, "ticks", "--from", at(9), "--to", at(10));
    expect(second.files).toMatchObject([{ complete: false, from: "2024-05-01T08:00:00Z", to: "2024-05-01T10:00:00Z" }]);
    const partial = MAY_FILE.replace(".parquet", ".partial.parquet");
    expect(listFiles(folder)).toEqual(["manifest.json", partial]);
    const seconds = (await readRows(folder, partial)).map(({ time }) => (time as Date).getTime() - MAY);
    expect([Math.min(...seconds) >= 8 * HOUR_MS, Math.max(...seconds) < 10 * HOUR_MS]).toEqual([true, true]);
    const far = ["export", "ticks", "--from", at(20), "--to", at(21), "--out", folder];
    const refused = await run(testDatabase, far);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /partial\.parquet has EURUSD from .*: choose another folder, or a range that adjoins/,
    );
    await exportTo(folder, "ticks");
    expect(listFiles(folder)).toEqual(["manifest.json", MAY_FILE]);
  });

  test("exports the seconds of the hours that are being recorded, and bars of closed hours only", async () => {
    const { pool } = testDatabase.db;
    const nowMs = Date.now();
    const hourMs = Math.floor(nowMs / HOUR_MS - 1) * HOUR_MS;
    await importText(pool, "EURUSD.csv", formatTicks(createTicks(hourMs - HOUR_MS, 500).slice(0, 300)), {
      untilMs: hourMs,
    });
    await openJournalHour(pool, hourMs);
    await pool.query(
      `INSERT INTO tick_second (symbol, second, bid, ask, open, high, low, updates, digits)
       VALUES ('EURUSD', $1, 1080001, 1080012, 1080001, 1080001, 1080001, 1, 6)`,
      [hourMs / SECOND_MS + 5],
    );
    const folder = createFolder();
    const { files } = await exportTo(folder, "ticks", "--symbols", "EURUSD");
    const { path, complete, to } = files.at(-1) as FileFacts;
    expect([complete, path.endsWith(".partial.parquet")]).toEqual([false, true]);
    expect(Math.abs(Date.parse(to) - nowMs)).toBeLessThan(MINUTE_MS);
    const last = (await readRows(folder, path)).at(-1);
    expect(last).toEqual({ time: new Date(hourMs + 5_000), bid: 1.080001, ask: 1.080012 });
    const bars = await exportTo(folder, "bars", "--timeframe", "m1", "--symbols", "EURUSD");
    expect(Date.parse((bars.files.at(-1) as FileFacts).to)).toBe(hourMs);
    await pool.query(`DROP TABLE tick_second_${hourMs / SECOND_MS}`);
  });

  test("exports every tick of each source where they are stored, as Parquet and as CSV", async () => {
    const list = new TickList();
    for (const [at, isServed] of [
      [7, true],
      [1_250, true],
      [1_250, false],
      [61_999, true],
    ] as const) {
      const prices = { digits: 5, bid: 108_000 + at, ask: 108_012 + at };
      list.add({ ...prices, timeMs: MAY + at, receivedMs: MAY + at + 35, isServed });
    }
    await testDatabase.db.pool.query("INSERT INTO tape_hour VALUES ('EURUSD', $1, 'alpha', 0, 4, $2)", [
      MAY / HOUR_MS,
      encodeTape(MAY, list.toTape()),
    ]);
    const folder = createFolder();
    const { files } = await exportTo(folder, "ticks", "--resolution", "tick", "--to", "2024-06-01");
    expect(files.map(({ path, rows }) => [path, rows])).toEqual([
      ["every_tick/symbol=EURUSD/year=2024/month=05/EURUSD-every_tick-2024-05.parquet", 4],
    ]);
    const rows = await readRows(folder, (files[0] as FileFacts).path);
    expect(rows[1]).toEqual({
      ...{ time: new Date(MAY + 1_250), source: "alpha", bid: 1.0925, ask: 1.09262 },
      ...{ received: new Date(MAY + 1_285), served: 1 },
    });
    expect(states(await exportTo(folder, "ticks", "--resolution", "tick", "--to", "2024-06-01"))).toEqual([
      "unchanged EURUSD-every_tick-2024-05.parquet",
    ]);
    const words = ["export", "ticks", "--resolution", "tick", "--symbols", "EURUSD", "--format", "csv"];
    const csv = createFolder();
    await run(testDatabase, [...words, "--out", csv]);
    const file = listFiles(csv).find((name) => name.endsWith(".csv")) ?? "";
    expect(readFileSync(join(csv, file), "utf8").split("\r\n").slice(0, 2)).toEqual([
      "symbol,time,source,bid,ask,received,served",
      "EURUSD,2024-05-01T00:00:00.007Z,alpha,1.08007,1.08019,2024-05-01T00:00:00.042Z,1",
    ]);
    const from = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString();
    const open = await run(testDatabase, [...words, "--from", from, "--out", csv]);
    expect(open.stdout).toMatch(
      /EURUSD every tick: the hour from \S+:00:00Z is not closed yet; it will be at about \S+:02:00Z/,
    );
    const wrong = await run(testDatabase, ["export", "bars", "--resolution", "tick", "--out", csv]);
    expect(wrong.stderr).toContain("--resolution is for ticks.");
    await testDatabase.db.pool.query("DELETE FROM tape_hour");
  });

  test("says of a symbol without rows what is stored of it, and fails", async () => {
    await importTicks(MAY + 7 * HOUR_MS, 100);
    const words = ["export", "ticks", "--symbols", "EURUSD,AUDNZD", "--from", "2024-06-01", "--out", createFolder()];
    const { stdout, exitCode } = await run(testDatabase, words);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /NOTHING EXPORTED: EURUSD ticks: nothing is stored from 2024-06-01T00:00:00Z to now; the first/,
    );
    expect(stdout).toContain("NOTHING EXPORTED: AUDNZD ticks: nothing is stored.");
    const none = await run(testDatabase, ["export", "ticks", "--symbols", "crypto", "--out", createFolder()]);
    expect(none).toMatchObject({ exitCode: 1, stderr: "No ticks of crypto are stored.\n" });
    const partly = await exportTo(createFolder(), "ticks", "--symbols", "EURUSD,AUDNZD");
    expect(partly).toMatchObject({ files: [{ state: "written" }], empty: [{ symbol: "AUDNZD" }] });
  });

  test.each([
    [["news"], /no export of “news”: it is one of ticks, bars, spreads, quotes, proofs, calendar/],
    [["ticks", "--timeframe", "M1"], /--timeframe is for bars/],
    [["bars", "--timeframe", "M2"], /--timeframe must be one of M1, /],
    [["ticks", "--from", "yesterday"], /--from must be a time like/],
    [["ticks", "--from", "2024-05-02", "--to", "2024-05-02"], /--to must be later/],
    [["ticks", "--symbols", "EURUSX"], /The symbol EURUSX is unknown\. Did you mean EURUSD/],
    [["ticks", "--symbols", ""], /The symbol {2}is unknown/],
    [["calendar", "--symbols", "EURUSD"], /--symbols is not for the calendar/],
    [["ticks", "--format", "xlsx"], /--format must be one of parquet, csv/],
    [["ticks", "--format", "parquet", "--out", "-"], /Parquet needs a folder/],
  ])("refuses %j as a wrong command line", async (words, message) => {
    const out = words.includes("--out") ? [] : ["--out", createFolder()];
    const { stderr, exitCode } = await run(testDatabase, ["export", ...words, ...out]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("changes nothing in a folder with another manifest, or into which another process exports", async () => {
    await importTicks(MAY, 10);
    const folder = createFolder();
    writeFileSync(join(folder, "manifest.json"), '{"name":"app"}');
    const foreign = await run(testDatabase, ["export", "ticks", "--out", folder]);
    expect(foreign).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is no manifest of an export") });
    expect(listFiles(folder)).toEqual(["manifest.json"]);
    rmSync(join(folder, "manifest.json"));
    writeFileSync(join(folder, ".spotline-export.lock"), String(process.ppid));
    const locked = await run(testDatabase, ["export", "ticks", "--out", folder]);
    expect(locked.stderr).toBe(`Another process (${process.ppid}) is exporting into ${folder}.\n`);
    // That of a process that was killed is taken over.
    writeFileSync(join(folder, ".spotline-export.lock"), "2147483646");
    await exportTo(folder, "ticks");
    expect(listFiles(folder)).toEqual(["manifest.json", MAY_FILE]);
  });

  test("keeps the file of a month of which retention has removed rows", async () => {
    await importTicks(MAY + 7 * HOUR_MS, 3_000);
    const folder = createFolder();
    const { rows } = await exportTo(folder, "ticks");
    const before = listBytes(folder);
    await testDatabase.db.pool.query("DELETE FROM tick_hour WHERE hour < $1", [MAY / HOUR_MS + 9]);
    const again = await exportTo(folder, "ticks");
    expect([states(again), again.rows]).toEqual([["kept EURUSD-ticks-2024-05.parquet"], rows]);
    expect(listBytes(folder)).toEqual(before);
  });

  test("removes the file of a recent month whose rows are gone, so that the folder has what the database has", async () => {
    const recentMs = Math.floor((Date.now() - 3 * DAY_MS) / HOUR_MS) * HOUR_MS;
    await importText(testDatabase.db.pool, "EURUSD.csv", formatTicks(createTicks(recentMs, 100)), {
      untilMs: Date.now(),
    });
    await importTicks(MAY, 10, "AUDNZD.csv");
    const folder = createFolder();
    const { files } = await exportTo(folder, "ticks");
    await testDatabase.db.pool.query("DELETE FROM tick_hour WHERE symbol = 'EURUSD'");
    const gone = await exportTo(folder, "ticks", "--symbols", "EURUSD");
    expect(gone.files).toMatchObject([{ state: "removed" }]);
    expect(existsSync(join(folder, files[1]?.path ?? ""))).toBe(false);
    expect(listFiles(folder)).toEqual([MAY_FILE.replaceAll("EURUSD", "AUDNZD"), "manifest.json"].sort());
  });

  test("exports the spreads of each minute in units of the price", async () => {
    const recentMs = Math.floor((Date.now() - 3 * DAY_MS) / HOUR_MS) * HOUR_MS;
    const ticks = [
      [recentMs + 1_000, 108_000, 108_003],
      [recentMs + 2_000, 108_000, 108_009],
      [recentMs + MINUTE_MS, 108_000, 108_001],
    ] as const;
    await importText(testDatabase.db.pool, "EURUSD.csv", formatTicks(ticks), { untilMs: Date.now() });
    const folder = createFolder();
    const { files } = await exportTo(folder, "spreads", "--symbols", "EURUSD");
    expect(await readRows(folder, files[0]?.path ?? "")).toEqual([
      {
        time: new Date(recentMs),
        source: null,
        samples: 2,
        min: 0.00003,
        max: 0.00009,
        mean: 0.00006,
        deviation: 0.00003,
      },
      {
        time: new Date(recentMs + MINUTE_MS),
        source: null,
        samples: 1,
        min: 0.00001,
        max: 0.00001,
        mean: 0.00001,
        deviation: 0,
      },
    ]);
  });

  test("exports events of the calendar, and every change of them", async () => {
    const { pool } = testDatabase.db;
    await pool.query(
      `INSERT INTO calendar_event (id, stream, provider, time, zone, currency, title, impact, forecast, actual, first_seen_at, revision)
       VALUES ('0123456789abcdef', 'primary', 'mt5', '2024-05-03 12:30Z', 'UTC', 'USD', 'Payrolls, "NFP"', 'high', '-0.3%', '175K',
               '2024-05-01 00:00:00.123Z', 1)`,
    );
    await pool.query(
      `INSERT INTO calendar_change (event_id, at, origin, field, before, after)
       VALUES ('0123456789abcdef', '2024-05-03 12:30:01.5Z', 'mt5 terminal', 'actual', NULL, '175K')`,
    );
    const folder = createFolder();
    const { files } = await exportTo(folder, "calendar");
    expect(files.map(({ path }) => path)).toEqual([
      "calendar/year=2024/month=05/calendar-2024-05.parquet",
      "calendar_revisions/year=2024/month=05/calendar_revisions-2024-05.parquet",
    ]);
    const [events, revisions] = await Promise.all(files.map(({ path }) => readRows(folder, path)));
    expect(events).toEqual([
      {
        ...{ id: "0123456789abcdef", time: new Date("2024-05-03T12:30Z"), currency: "USD", event: 'Payrolls, "NFP"' },
        ...{ impact: "high", forecast: "-0.3%", previous: "", revised: null, actual: "175K", source: "primary" },
        ...{ series_id: null, certainty: "exact", provider: "mt5", withdrawn: null },
        first_seen: new Date("2024-05-01T00:00:00.123Z"),
      },
    ]);
    expect(revisions).toEqual([
      {
        ...{
          event_id: "0123456789abcdef",
          event_time: new Date("2024-05-03T12:30Z"),
          at: new Date("2024-05-03T12:30:01.5Z"),
        },
        ...{ field: "actual", before: null, after: "175K", origin: "mt5 terminal" },
      },
    ]);
    const csv = await exportTo(folder, "calendar", "--format", "csv");
    expect(readFileSync(join(folder, csv.files[0]?.path ?? ""), "utf8")).toBe(
      "id,time,currency,event,impact,forecast,previous,revised,actual,source,series_id,certainty,provider,first_seen,withdrawn\r\n" +
        `0123456789abcdef,2024-05-03T12:30:00Z,USD,"Payrolls, ""NFP""",high,'-0.3%,,,175K,primary,,exact,mt5,2024-05-01T00:00:00.123Z,\r\n`,
    );
  });

  test.each(["parquet", "csv"])(
    "imports what it exported as %s to the same rows under another source",
    async (format) => {
      await importTicks(MAY + 7 * HOUR_MS, 3_000);
      await importTicks(MAY + 31 * DAY_MS, 500, "AUDNZD.csv");
      for (const words of [["ticks"], ["bars", "--timeframe", "M1"], ["bars"]]) {
        const [first, second] = [createFolder(), createFolder()];
        const exported = await exportTo(first, ...words, "--format", format);
        expect(exported.rows).toBeGreaterThan(4);
        await clearImports(testDatabase.db.pool);
        const imported = await run(testDatabase, ["import", first, "--source", "archive"]);
        expect([imported.stderr, imported.exitCode]).toEqual(["", 0]);
        await exportTo(second, ...words, "--format", format);
        expect(listBytes(second)).toEqual(listBytes(first));
      }
    },
  );

  test("writes CSV with a header, CRLF, ISO times in UTC and a point before decimals", async () => {
    await importText(testDatabase.db.pool, "EURUSD.csv", formatTicks([[MAY + HOUR_MS, 108_000, 108_010]]));
    const folder = createFolder();
    await exportTo(folder, "ticks", "--format", "csv");
    expect(readFileSync(join(folder, MAY_FILE.replace(".parquet", ".csv")), "utf8")).toBe(
      "symbol,time,bid,ask\r\nEURUSD,2024-05-01T01:00:00Z,1.08,1.0801\r\n",
    );
  });

  test("counts the times without ticks while the market was open", async () => {
    // Wednesday: a minute with two ticks, then none for ten minutes. The market is open.
    const ticks = [0, 59, 60 + 600].map((second) => [MAY + second * SECOND_MS, 108_000, 108_010] as const);
    await importText(testDatabase.db.pool, "EURUSD.csv", formatTicks(ticks));
    const range = ["--from", "2024-05-01", "--to", "2024-05-01T00:11:01Z"];
    const { files } = await exportTo(createFolder(), "ticks", ...range);
    expect(files).toMatchObject([{ rows: 3, gaps: { count: 1, seconds: 600 } }]);
    const weekend = await exportTo(
      createFolder(),
      "bars",
      "--timeframe",
      "M1",
      "--from",
      "2024-05-01",
      "--to",
      "2024-05-06",
    );
    // The market is closed from Friday 21:00 to Sunday 21:00 UTC.
    const open = (Date.UTC(2024, 4, 3, 21) - MAY + 3 * HOUR_MS) / SECOND_MS;
    expect(weekend.files[0]?.gaps?.seconds).toBeLessThanOrEqual(open);
  });

  test("the SQL of docs/exporting-history.md runs on exported files", async () => {
    await importTicks(MAY + 7 * HOUR_MS, 3_000);
    await importTicks(MAY + 31 * DAY_MS, 500, "AUDNZD.csv");
    const second = (MAY + 10 * HOUR_MS) / SECOND_MS;
    const quote = { symbol: "EURUSD", digits: 5, second, bid: 108_000, ask: 108_012, timeMs: MAY, staleAfterMs: 1 };
    const block = encodeBook(second, [
      { ...quote, source: "alpha" },
      { ...quote, source: "beta", ask: 108_024 },
    ]);
    await testDatabase.db.pool.query("INSERT INTO book_log (since, until, whole, block) VALUES ($1, $2, true, $3)", [
      second,
      second + 1,
      block,
    ]);
    const parent = createFolder();
    for (const kind of ["ticks", "quotes"]) await exportTo(join(parent, "history"), kind);
    const expected = (await readRows(join(parent, "history"), MAY_FILE)) as { time: Date; bid: number; ask: number }[];
    const page = readFileSync("docs/exporting-history.md", "utf8");
    const statements = [...page.matchAll(/```sql\n([^]*?);\n```/g)].map(([, text = ""]) => text);
    const answers = await runInPostgres(testDatabase, parent, statements);
    const [count, hours, sources, bars] = answers;
    expect(count).toEqual([[expected.length, expected[0]?.time.getTime(), expected.at(-1)?.time.getTime()]]);
    const seventh = expected.filter(({ time }) => time.getUTCHours() === 7);
    const mean = seventh.reduce((sum, { bid, ask }) => sum + (ask - bid), 0) / seventh.length / 0.0001;
    expect(hours?.[0]).toEqual([7, Number(mean.toFixed(2))]);
    expect(sources).toEqual([
      ["alpha", 1, 1.2],
      ["beta", 1, 2.4],
    ]);
    expect(bars).toHaveLength(5);
    if (hasDuckDb) expect(runInDuckDb(parent, statements)).toEqual(answers);
  });

  test.skipIf(!hasPandas)("the Python of docs/exporting-history.md runs on exported files", async () => {
    await importTicks(MAY + 7 * HOUR_MS, 3_000);
    await importTicks(MAY + 31 * DAY_MS, 500, "AUDNZD.csv");
    const parent = createFolder();
    await exportTo(join(parent, "history"), "ticks");
    const rows = await readRows(join(parent, "history"), MAY_FILE);
    const page = readFileSync("docs/exporting-history.md", "utf8");
    const program = /```python\n([^]*?)```/.exec(page)?.[1] ?? "";
    const { stdout, stderr } = spawnSync("python3", ["-c", program], { cwd: parent, encoding: "utf8" });
    expect([stderr, stdout.startsWith(`${rows.length} `)]).toEqual(["", true]);
    await exportTo(join(parent, "csv"), "ticks", "--symbols", "EURUSD", "--format", "csv");
    const file = `csv/${MAY_FILE.replace(".parquet", ".csv")}`;
    const compare = `
import pandas as pd
csv = pd.read_csv("${file}", parse_dates=["time"])
parquet = pd.read_parquet("history/${MAY_FILE}", partitioning=None)
assert str(parquet.dtypes["time"]) == "datetime64[ms, UTC]", parquet.dtypes
assert (csv["bid"] == parquet["bid"]).all() and (csv["time"] == parquet["time"]).all()
print(len(csv))`;
    const compared = spawnSync("python3", ["-c", compare], { cwd: parent, encoding: "utf8" });
    expect([compared.stderr, compared.stdout]).toEqual(["", `${rows.length}\n`]);
  });

  test("docs/exporting-history.md shows the columns and options that there are", async () => {
    const page = readFileSync("docs/exporting-history.md", "utf8");
    await importTicks(MAY, 10);
    const { stdout } = await run(testDatabase, ["export", "--help"]);
    for (const [, option = ""] of stdout.matchAll(/^ {2}(--[a-z-]+)/gm)) expect(page).toContain(`\`${option}\``);
    const folder = createFolder();
    const { files } = await exportTo(folder, "bars", "--symbols", "EURUSD");
    const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(join(folder, files[0]?.path ?? "")));
    for (const { name } of schema.slice(1)) expect(page).toMatch(new RegExp(`^\\| ${name} +\\| `, "m"));
  });
});

type Answers = readonly (readonly unknown[])[];

/** The functions of DuckDB that the page uses and PostgreSQL does not have. */
const FUNCTIONS = `
CREATE SCHEMA duckdb;
SET LOCAL search_path TO duckdb, pg_catalog;
CREATE FUNCTION hour(timestamp) RETURNS integer LANGUAGE sql AS 'SELECT extract(hour FROM $1)::integer';
CREATE FUNCTION time_bucket(interval, timestamptz) RETURNS timestamptz LANGUAGE sql
  AS 'SELECT date_bin($1, $2, to_timestamp(0))';
CREATE FUNCTION take_old(numeric, numeric) RETURNS numeric STRICT LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION take_new(numeric, numeric) RETURNS numeric STRICT LANGUAGE sql AS 'SELECT $2';
CREATE AGGREGATE first(numeric) (SFUNC = take_old, STYPE = numeric);
CREATE AGGREGATE last(numeric) (SFUNC = take_new, STYPE = numeric)`;
const TYPES: Readonly<Record<string, string>> = { object: "timestamptz", string: "text", number: "numeric" };

/** The rows of each statement in PostgreSQL, on the rows of the files that it names: times as UTC milliseconds. */
async function runInPostgres({ db }: TestDatabase, folder: string, statements: readonly string[]): Promise<Answers[]> {
  const client = await db.pool.connect();
  await client.query(`BEGIN; ${FUNCTIONS}`);
  const answers: Answers[] = [];
  for (const statement of statements) {
    const [call = "", glob = ""] = /read_parquet\('(.*?)'.*?\)/.exec(statement) ?? [];
    const pattern = new RegExp(`^${glob.replaceAll("**/", "(.+/)?").replaceAll("*.", "[^/]*\\.")}$`);
    const files = listFiles(folder).filter((name) => pattern.test(name));
    const rows = await Promise.all(
      files.map(async (name) => {
        const symbol = /symbol=(\w+)/.exec(name)?.[1];
        return (await readRows(folder, name)).map((row) => ({ symbol, ...row }));
      }),
    );
    const columns = Object.entries(rows[0]?.[0] ?? {}).map(([name, value]) => `"${name}" ${TYPES[typeof value]}`);
    const table = `jsonb_to_recordset($1) AS exported (${columns.join(", ")})`;
    const found = await client.query<unknown[]>({
      text: statement.replace(call, () => table),
      values: [JSON.stringify(rows.flat())],
      rowMode: "array",
    });
    answers.push(found.rows.map((row) => row.map(toPlain)));
  }
  await client.query("ROLLBACK");
  client.release();
  return answers;
}

const toPlain = (value: unknown) =>
  value instanceof Date ? value.getTime() : Number.isNaN(Number(value)) ? value : Number(value);

/** The same in DuckDB, on the files. */
function runInDuckDb(folder: string, statements: readonly string[]): Answers[] {
  const program = `
import duckdb, json, sys
duckdb.sql("set TimeZone = 'UTC'")
toPlain = lambda value: round(value.timestamp() * 1000) if hasattr(value, "timestamp") else value
rows = [[[toPlain(value) for value in row] for row in duckdb.sql(text).fetchall()] for text in json.load(sys.stdin)]
print(json.dumps(rows))`;
  const input = JSON.stringify(statements);
  const { stdout, stderr } = spawnSync("python3", ["-c", program], { cwd: folder, input, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Answers[];
}

test("the shortest decimal form of each exported price is the price, for up to ten digits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: MAX_POINTS }), (digits, points) => {
      const text = String(points).padStart(digits + 1, "0");
      const exact = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
      const shortest = exact.includes(".") ? exact.replace(/\.?0+$/, "") : exact;
      const price = toPrice(points, digits);
      expect(
        price
          .toFixed(digits)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, ""),
      ).toBe(shortest);
      expect(Number(shortest)).toBe(price);
    }),
    { numRuns: manyRuns(2_000) },
  );
});
