import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { parseQuery } from "@/lib/api/engine/input";
import type { Services } from "@/lib/api/engine/services";
import { exportHistory } from "@/lib/api/history/export";
import { ohlc } from "@/lib/api/history/ohlc";
import { ticks } from "@/lib/api/history/ticks";
import { exportFolder } from "@/lib/export/export-folder";
import { createPriceDataset, type PriceKind } from "@/lib/export/price-data";
import { type Format, FORMATS } from "@/lib/export/table";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { importAll } from "@/lib/history/import/import-all";
import { readImportOptions } from "@/lib/history/import/import-options";
import { clearImports, formatTicks, importText, type Tick } from "@/lib/history/import/import.fixture";
import { listImportFiles } from "@/lib/history/import/plan-import";
import { Origins } from "@/lib/history/origins";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { manyRuns } from "@/lib/text/property-runs.fixture";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const [one, other] = [await openTestDatabase(), await openTestDatabase()];
afterAll(() => Promise.all([one.cleanup(), other.cleanup()]));

/** A Tuesday. */
const START = Date.UTC(2024, 4, 14, 6);
const HOURS = 3;
const QUARTER_MS = 15 * MINUTE_MS;
const END = START + HOURS * HOUR_MS;
const PRESENT = { closedUntilMs: Date.UTC(2024, 6, 1), settledUntilMs: Date.UTC(2024, 6, 1) };

/** Stores ticks as if they had been recorded: a live source took over from a simulated one at a moment. */
async function record(pool: Pool, rows: readonly Tick[], liveFromMs: number): Promise<void> {
  await importText(pool, "EURUSD.csv", formatTicks(rows));
  await pool.query("UPDATE bar SET origin = NULL");
  for (const table of ["import_hour", "import_file", "imported_span", "history_origin", "hour_proof"])
    await pool.query(`DELETE FROM ${table}`);
  const values = ["EURUSD", [0, liveFromMs / SECOND_MS], ["simulated", "live"]];
  await pool.query(
    "INSERT INTO history_origin (symbol, since, mode) SELECT $1, * FROM unnest($2::int4[], $3::text[])",
    values,
  );
}

async function writeFolder(pool: Pool, kind: PriceKind, format: Format, timeframe?: StoredTimeframe): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "spotline-round-"));
  await exportFolder({
    ...{ pool, folder, format, datasets: [createPriceDataset(kind, { timeframe })], symbols: ["EURUSD"] },
    ...{ fromMs: null, toMs: null, present: PRESENT, keptFromMs: -Infinity, version: "test" },
  });
  return folder;
}

async function importFolder(folder: string): Promise<readonly string[]> {
  const options = { priority: [], untilMs: Date.UTC(2026, 0), spreadsFromMs: 0, isDryRun: false };
  const { json } = await importAll(other.db, listImportFiles([folder]), { ...options, ...readImportOptions({}) });
  expect([json.failed, json.files.map(({ error }) => error).filter(Boolean)]).toEqual([0, []]);
  return json.files.map(({ source }) => source);
}

/** The files of a folder, without those of its manifest that are of another kind. */
const readFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:parquet|csv|json)$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "hex")]);

/** What /v1 answers about the hours, with the marks of simulated prices. */
async function readAnswers(pool: Pool, kinds: readonly ("ticks" | "bars")[]): Promise<unknown[]> {
  const origins = new Origins({ pool, log: silentLog, readFence: () => null });
  await origins.load();
  const keeper = new HistoryKeeper({ pool, instruments, marketNow: () => PRESENT.closedUntilMs });
  keeper.onRecorded([], PRESENT.closedUntilMs);
  const services = {
    ...{
      history: keeper.history,
      origins,
      resolver: createResolver(instruments),
      marketNow: () => PRESENT.closedUntilMs,
    },
    ...{ keepDays: { ticks: 9_999, m1: 9_999, m5: 9_999, spreads: 9_999 }, gaps: { find: () => [] } },
    database: { pool },
  } as unknown as Services;
  const ask = async (endpoint: typeof ticks | typeof ohlc | typeof exportHistory, search: string) => {
    const { value: query } = parseQuery(search, endpoint.query);
    const call = { path: endpoint.path, search, header: () => undefined } as unknown as Call;
    const asked = { query, body: null, segment: "", key: null, call, isTable: false, services };
    const handled = await (
      endpoint.handle as (request: unknown) => Promise<{ body: Buffer | string; headers?: string }>
    )(asked);
    const { "X-Data-Mode": mode, "X-Coverage": coverage } = Object.fromEntries(parseHeaderLines(handled.headers ?? ""));
    const body = handled.body.toString();
    // Without rows it has the mode of whatever is stored.
    return [search, body.includes('"count":0') ? null : mode, coverage, body] as const;
  };
  const range = (fromMs: number, toMs: number) =>
    `symbol=EURUSD&from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const quarters = Array.from({ length: HOURS * 4 }, (_, at) => START + at * QUARTER_MS);
  const answers = [];
  for (const fromMs of kinds.includes("ticks") ? [...quarters] : []) {
    const quarter = range(fromMs, fromMs + QUARTER_MS);
    answers.push(await ask(ticks, quarter));
    const [, , , body = ""] = await ask(ticks, `${quarter}&include=origin`);
    const { origins: found } = (JSON.parse(body) as { data: { origins: { mode: string }[] } }).data;
    // How the ticks came differs.
    answers.push(found.some(({ mode }) => mode !== "live"));
  }
  for (const timeframe of ["M1", "M5", "M30", "H1", "H4", "D1"])
    for (const fromMs of timeframe === "M1" ? quarters : [START])
      answers.push(
        await ask(ohlc, `${range(fromMs, timeframe === "M1" ? fromMs + QUARTER_MS : END)}&timeframe=${timeframe}`),
      );
  for (const what of kinds) answers.push(await ask(exportHistory, `what=${what}&${range(START, END)}&format=csv`));
  if (kinds.includes("ticks")) answers.push(await ask(exportHistory, `what=spreads&${range(START, END)}&format=csv`));
  return answers;
}

describe("a folder that is exported and imported", () => {
  const clear = async () => {
    for (const { db } of [one, other]) {
      await clearImports(db.pool);
      await db.pool.query("DELETE FROM hour_proof");
    }
  };

  /** At most one tick a second, so that seconds are all that is known of a time. */
  const someTicks = fc
    .array(
      fc.record({
        second: fc.integer({ min: 1, max: HOURS * 3_600 - 1 }),
        bid: fc.integer({ min: 107_900, max: 108_300 }),
        spread: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 200 },
    )
    .map((rows) => [...new Map(rows.map((row) => [row.second, row])).values()].sort((a, b) => a.second - b.second))
    .map((rows) => rows.map(({ second, bid, spread }): Tick => [START + second * SECOND_MS, bid, bid + spread]));
  /** A live source takes over with an hour, after a simulated tick; or long before. */
  const someMoment = fc.nat(HOURS).map((at) => (at === 0 ? START - 90 * DAY_MS : START + at * HOUR_MS));

  test("is equal in every answer that it can feed, and marks what was simulated", { timeout: 120_000 }, async () => {
    const property = async (rows: readonly Tick[], liveFromMs: number, format: Format) => {
      await clear();
      await record(one.db.pool, [[START, 108_000, 108_004], ...rows], liveFromMs);
      await importFolder(await writeFolder(one.db.pool, "ticks", format));
      expect(await readAnswers(other.db.pool, ["ticks", "bars"])).toEqual(
        await readAnswers(one.db.pool, ["ticks", "bars"]),
      );
      for (const each of FORMATS)
        expect(readFiles(await writeFolder(other.db.pool, "ticks", each))).toEqual(
          readFiles(await writeFolder(one.db.pool, "ticks", each)),
        );
    };
    await fc.assert(fc.asyncProperty(someTicks, someMoment, fc.constantFrom(...FORMATS), property), {
      numRuns: manyRuns(60, 3),
    });
  });

  test("keeps all rows of a minute in which the mode changes, as simulated ones, and its bars", async () => {
    await clear();
    const rows = Array.from({ length: 12 }, (_, at): Tick => [START + at * 20 * SECOND_MS, 108_000 + at, 108_009 + at]);
    await record(one.db.pool, rows, START + 70 * SECOND_MS);
    const folder = await writeFolder(one.db.pool, "ticks", "csv");
    expect(await importFolder(folder)).toEqual(["csv", "simulated-csv"]);
    const [before, after] = [await readAnswers(one.db.pool, ["ticks"]), await readAnswers(other.db.pool, ["ticks"])];
    expect(after[0]).toEqual(before[0]);
    const { rows: spans } = await other.db.pool.query("SELECT since, until, mode FROM imported_span ORDER BY since");
    const START_S = START / SECOND_MS;
    expect(spans).toEqual([
      { since: START_S, until: START_S + 120, mode: "simulated" },
      { since: START_S + 120, until: START_S + 240, mode: "live" },
    ]);
  });

  test("of simulated bars is one of simulated bars, whatever the source is called", async () => {
    await clear();
    await record(one.db.pool, [[START + 5 * SECOND_MS, 108_000, 108_009]], END);
    for (const format of FORMATS) {
      const folder = await writeFolder(one.db.pool, "bars", format, "M1");
      expect(await importFolder(folder)).toEqual([`simulated-${format}`]);
      expect(await readAnswers(other.db.pool, ["bars"])).toEqual(await readAnswers(one.db.pool, ["bars"]));
      expect(readFiles(await writeFolder(other.db.pool, "bars", format, "M1"))).toEqual(readFiles(folder));
    }
  });
});
