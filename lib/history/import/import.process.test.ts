import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toTickColumns, writeParquet } from "@/lib/feeds/files/parquet.fixture";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import { clearImports, formatTicks, importPath, readTables } from "@/lib/history/import/import.fixture";
import { bundle } from "@/lib/platform/testing/bundle";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { SHORT_RUN_FLAGS } from "@/lib/platform/testing/node-flags";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const START = Date.UTC(2024, 4, 14);
const HOURS = 24 * 10;

/** A tick a minute for ten days: five batches. */
const ticks = Array.from({ length: HOURS * 60 }, (_, index) => {
  const bid = 108_000 + ((index * 7_919) % 500);
  return [START + index * (HOUR_MS / 60) + (index % 50) * 1_000, bid, bid + 4] as const;
});
const files = {
  "eurusd.csv": formatTicks(ticks),
  "eurusd.parquet": writeParquet(toTickColumns(ticks), { rowGroupSize: 10_000, pageSize: 20_000 }),
};

describe("an import beside a running database", () => {
  /** Imports in another process, and kills it once something is stored if `isKilled`. */
  async function runImport(path: string, isKilled: boolean) {
    const { databaseUrl, dataDir, db } = testDatabase;
    const { file } = await bundle("lib/history/testing/import-child.ts");
    const child = spawn(process.execPath, [...SHORT_RUN_FLAGS, file, dataDir, databaseUrl ?? "-", path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    const ended = once(child, "close");
    while (isKilled && child.exitCode === null) {
      const { rows } = await db.pool.query("SELECT FROM import_file WHERE rows > 0");
      if (rows.length > 0) child.kill("SIGKILL");
      if (rows.length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await ended;
    return output;
  }

  test.each(["eurusd.csv", "eurusd.parquet"] as const)(
    "of %s continues where it was killed, and ends with what an uninterrupted one stores",
    async (name) => {
      const { pool } = testDatabase.db;
      await clearImports(pool);
      const path = join(writeFiles(files), name);
      expect(await runImport(path, true)).toBe("");
      const stopped = await pool.query<{ rows: number; finished: boolean }>(
        "SELECT rows::float8 AS rows, finished FROM import_file",
      );
      expect(stopped.rows).toMatchObject([{ finished: false }]);
      const { rows: resumedAt = 0 } = stopped.rows[0] ?? {};
      expect(resumedAt % (48 * 60)).toBe(0);
      const result = JSON.parse(await runImport(path, false)) as {
        resumedAt: number;
        report: { rows: number; added: number };
      };
      expect(result).toMatchObject({
        resumedAt,
        report: { rows: HOURS * 60, accepted: HOURS * 60, added: HOURS * 60 },
      });
      const resumed = await readTables(pool);
      await clearImports(pool);
      await importPath(pool, path);
      expect(await readTables(pool)).toEqual(resumed);
    },
  );
});
