import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readPresent } from "@/lib/export/dataset";
import { exportFolder } from "@/lib/export/export-folder";
import { createPriceDataset } from "@/lib/export/price-data";
import { clearImports, createTicks, formatTicks, importText, readTables } from "@/lib/history/import/import.fixture";
import { clearHistory } from "@/lib/history/proof/history.fixture";
import { verifyHistory } from "@/lib/history/proof/verify-history";
import { type Database, openDatabase } from "@/lib/platform/database/database";
import { isDiskFull } from "@/lib/platform/database/database-errors";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

/** Exports while the disk fills, and while two servers import into the same database. */

const MAY = Date.UTC(2024, 4, 1);

const mounted = mkdtempSync(join(tmpdir(), "spotline-small-disk-"));
const isMountable = mount("size=600k");

function mount(options: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", mounted], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("\nSKIPPED: only root on Linux can mount the small disk that an export fills.\n");
    return false;
  }
}

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
const listBytes = (folder: string) => listFiles(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]);

describe("an export", () => {
  let testDatabase: TestDatabase;
  let other: Database;
  const folders: string[] = [];
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    other = await openDatabase({ ...testDatabase, log: silentLog });
  });
  afterAll(async () => {
    await other.close();
    await testDatabase.cleanup();
    if (isMountable) execFileSync("umount", ["-l", mounted]);
    rmdirSync(mounted);
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  beforeEach(() => clearHistory(testDatabase.db.pool));

  const createFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), "spotline-exported-"));
    folders.push(folder);
    return folder;
  };
  const exportTicks = async (pool: Pool, folder: string) =>
    exportFolder({
      ...{ pool, folder, datasets: [createPriceDataset("ticks")], symbols: ["EURUSD", "GBPUSD"] },
      ...{ fromMs: null, toMs: null, format: "csv", keptFromMs: -Infinity, version: "test" },
      present: await readPresent(pool, Date.UTC(2026, 0)),
    });
  const importTicks = (pool: Pool, name: string, fromMs: number, count: number, seed: number) =>
    importText(pool, name, formatTicks(createTicks(fromMs, count, seed)), { source: `source-${seed}` });

  test.runIf(isMountable)(
    "whose disk fills in the middle leaves whole files only, and is completed later",
    async () => {
      const { pool } = testDatabase.db;
      for (const days of [0, 40, 80]) await importTicks(pool, "EURUSD.csv", MAY + days * DAY_MS, 8_000, 1 + days);
      const whole = createFolder();
      await exportTicks(pool, whole);
      const expected = new Map(listBytes(whole).map(([name = "", bytes = ""]) => [name, bytes]));
      const failure = await exportTicks(pool, mounted).then(
        () => null,
        (error: unknown) => error,
      );
      expect(isDiskFull(failure)).toBe(true);
      const left = listBytes(mounted).filter(([name = ""]) => name.endsWith(".csv"));
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan([...expected.keys()].filter((name) => name.endsWith(".csv")).length);
      for (const [name = "", bytes] of left) expect(bytes, name).toBe(expected.get(name));
      mount("remount,size=50m");
      await exportTicks(pool, mounted);
      const csv = ([name = ""]: readonly string[]) => name.endsWith(".csv");
      expect(listBytes(mounted).filter(csv)).toEqual(listBytes(whole).filter(csv));
    },
  );

  test("and imports of two servers at once end with what one after the other stores", async () => {
    const imports = [
      ["EURUSD.csv", MAY, 6_000, 1],
      ["GBPUSD.csv", MAY, 6_000, 2],
      ["eurusd-more.csv", MAY + DAY_MS / 4, 6_000, 3],
      ["gbpusd-more.csv", MAY + DAY_MS / 4, 6_000, 4],
    ] as const;
    const pools = [testDatabase.db.pool, other.pool] as const;
    const spell = (name: string) => name.replace("-more", ".more");
    const running = imports.map(([name, fromMs, count, seed], at) =>
      importTicks(at % 2 === 0 ? pools[0] : pools[1], spell(name), fromMs, count, seed),
    );
    const exported = pools.map((pool) => exportTicks(pool, createFolder()));
    await Promise.all([...running, ...exported]);
    const [one, two] = [createFolder(), createFolder()];
    await Promise.all([exportTicks(pools[0], one), exportTicks(pools[1], two)]);
    expect(listBytes(one)).toEqual(listBytes(two));
    const together = await readTables(pools[0]);
    const range = { symbols: null, fromMs: -Infinity, toMs: Infinity, keptFromMs: 0, copies: [] };
    expect(await verifyHistory({ pool: pools[0], ...range })).toMatchObject({ found: 0 });
    await clearImports(pools[0]);
    for (const [name, fromMs, count, seed] of imports) await importTicks(pools[1], spell(name), fromMs, count, seed);
    expect(await readTables(pools[0])).toEqual(together);
  });
});
