import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeEach, expect, test } from "vitest";
import { run } from "@/cli/testing/commands";
import { readParts } from "@/lib/export/dataset";
import { exportFolder } from "@/lib/export/export-folder";
import { quotes } from "@/lib/export/quote-data";
import { type BookChange, encodeBook } from "@/lib/history/as-of/book-block";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const MAY = Date.UTC(2024, 4, 1);
/** Wednesday, 10:00 UTC, in Unix time. */
const START = (MAY + 10 * HOUR_MS) / SECOND_MS;
const createFolder = () => mkdtempSync(join(tmpdir(), "spotline-export-"));
beforeEach(() => testDatabase.db.pool.query("DELETE FROM book_log"));

const change = (second: number, source: string, bid: number, more: Partial<BookChange> = {}): BookChange => ({
  ...{ symbol: "EURUSD", source, digits: 5, second, bid, ask: bid + 12 },
  ...{ timeMs: second * SECOND_MS + 40, staleAfterMs: 15_000, ...more },
});
const dropped = (second: number, source: string) => change(second, source, 0, { ask: 0, digits: 0, staleAfterMs: 0 });

async function store(since: number, until: number, changes: readonly BookChange[], whole = true): Promise<void> {
  const values = [since, until, whole, encodeBook(since, changes)];
  await testDatabase.db.pool.query("INSERT INTO book_log (since, until, whole, block) VALUES ($1, $2, $3, $4)", values);
}

const present = { closedUntilMs: Date.UTC(2024, 5, 2), settledUntilMs: Date.UTC(2024, 5, 2) };

function exportTo(folder: string, symbols: readonly string[], fromMs: number | null = null) {
  const { pool } = testDatabase.db;
  const options = {
    pool,
    datasets: [quotes],
    symbols,
    fromMs,
    toMs: null,
    format: "parquet",
    folder,
    present,
  } as const;
  return exportFolder({ ...options, keptFromMs: -Infinity, version: "test" });
}

async function readRows(fromMs: number, toMs: number, symbol = "EURUSD"): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  const range = { dataset: quotes, symbol, fromMs, toMs, beginMs: MAY, present };
  for await (const { count, columns } of readParts(testDatabase.db.pool, range)) {
    for (let at = 0; at < count; at++) rows.push(columns.map((values) => values[at]));
  }
  return rows;
}

const listBytes = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(folder, name)).isFile() && name !== "manifest.json")
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "hex")]);

test("Each second has the last quote of every source that had one, and nothing that was received before", async () => {
  // The book at the beginning is no quote of a second: when it was received is not known there.
  await store(START, START + 60, [
    change(START - 1, "alpha", 107_000),
    change(START, "beta", 108_010),
    change(START, "alpha", 108_000),
    change(START + 5, "alpha", 108_003, { timeMs: (START + 4) * SECOND_MS + 999, staleAfterMs: 20_500 }),
    dropped(START + 7, "beta"),
  ]);
  await store(START + 60, START + 61, [change(START + 60, "alpha", 108_004)], false);
  const from = (second: number) => (START + second) * SECOND_MS;
  expect(await readRows(MAY, MAY + 24 * HOUR_MS)).toEqual([
    [from(0), "alpha", 1.08, 1.08012, from(0) + 40, 15_000],
    [from(0), "beta", 1.0801, 1.08022, from(0) + 40, 15_000],
    [from(5), "alpha", 1.08003, 1.08015, from(4) + 999, 20_500],
    [from(7), "beta", NaN, NaN, NaN, 0],
    [from(60), "alpha", 1.08004, 1.08016, from(60) + 40, 15_000],
  ]);
  expect((await readRows(from(5), from(60))).map(([time]) => time)).toEqual([from(5), from(7)]);
  expect(await readRows(MAY, MAY + 24 * HOUR_MS, "USDJPY")).toEqual([]);
});

test("A server that takes over in the middle of a row of another one has the later word, and no quote is doubled", async () => {
  await store(START, START + 60, [change(START + 10, "alpha", 108_000), change(START + 30, "alpha", 109_000)]);
  await store(START + 30, START + 30, [change(START + 29, "alpha", 108_000)]);
  await store(START + 30, START + 31, [change(START + 30, "alpha", 108_500)], false);
  expect(
    (await readRows(MAY, MAY + 24 * HOUR_MS)).map(([time, , bid]) => [(time as number) / 1_000 - START, bid]),
  ).toEqual([
    [10, 1.08],
    [30, 1.085],
  ]);
});

test("Symbols that are exported together have the same files as each alone, whatever the folder has of them already", async () => {
  const symbols = ["AUDUSD", "EURUSD", "GBPUSD"];
  for (let minute = 0; minute < 600; minute += 7) {
    const since = START + minute * 60;
    const changes = symbols.map((symbol, at) => change(since + at, "alpha", 108_000 + minute, { symbol }));
    await store(since, since + 60, changes);
  }
  const [together, alone, grown] = [createFolder(), createFolder(), createFolder()];
  await exportTo(together, symbols);
  for (const symbol of symbols) await exportTo(alone, [symbol]);
  expect(listBytes(together)).toHaveLength(3);
  expect(listBytes(together)).toEqual(listBytes(alone));
  await exportTo(grown, ["EURUSD"], START * SECOND_MS + 3 * HOUR_MS);
  await exportTo(grown, symbols);
  expect(listBytes(grown)).toEqual(listBytes(alone));
  const again = await exportTo(together, symbols);
  expect(again.files.map(({ state }) => state)).toEqual(["unchanged", "unchanged", "unchanged"]);
});

test("spotline export writes the quotes of all sources, which spotline import does not take for ticks", async () => {
  await store(START, START + 60, [
    change(START, "alpha", 108_000),
    change(START, "beta", 108_010),
    dropped(START + 7, "beta"),
  ]);
  const folder = createFolder();
  const { stdout, stderr } = await run(testDatabase, ["export", "quotes", "--out", folder, "--json"]);
  expect(stderr).toBe("");
  const { files } = JSON.parse(stdout) as { files: { path: string }[] };
  const path = "quotes/symbol=EURUSD/year=2024/month=05/EURUSD-quotes-2024-05.parquet";
  expect(files.map((file) => file.path)).toEqual([path]);
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, path)) });
  const [time, quotedAt] = [new Date(START * SECOND_MS), new Date(START * SECOND_MS + 40)];
  const kept = { time, quoted_at: quotedAt, stale_after_ms: 15_000 };
  expect(rows).toEqual([
    { ...kept, source: "alpha", bid: 1.08, ask: 1.08012 },
    { ...kept, source: "beta", bid: 1.0801, ask: 1.08022 },
    {
      ...{ time: new Date((START + 7) * SECOND_MS), source: "beta" },
      ...{ bid: null, ask: null, quoted_at: null, stale_after_ms: 0 },
    },
  ]);
  for (const format of ["parquet", "csv"]) {
    const out = createFolder();
    await run(testDatabase, ["export", "quotes", "--out", out, "--format", format]);
    const imported = await run(testDatabase, ["import", out, "--source", "archive"]);
    expect(`${imported.stdout}${imported.stderr}`).toMatch(/quotes of all sources/);
    const { rowCount } = await testDatabase.db.pool.query("SELECT FROM tick_hour");
    expect(rowCount).toBe(0);
  }
});
