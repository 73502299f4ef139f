import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openOwnTestDatabase } from "../testing/databases";

const SEGMENT_MB = 16;

test("the embedded database's log stays small under load", { timeout: 60_000 }, async () => {
  const { db, dataDir, cleanup } = await openOwnTestDatabase("embedded");
  const readLogMb = async () => {
    const names = await readdir(path.join(dataDir, "postgres", "pg_wal"));
    return SEGMENT_MB * names.filter((name) => /^[\dA-F]{24}$/.test(name)).length;
  };
  const readWrittenMb = async () => {
    const { rows } = await db.pool.query<{ mb: number }>("SELECT (pg_current_wal_lsn() - '0/0') / 1048576.0 AS mb");
    return Number(rows[0]?.mb);
  };
  await db.pool.query("CREATE TABLE load (filler text)");
  const before = await readWrittenMb();
  while ((await readWrittenMb()) < before + 160) {
    await db.pool.query("INSERT INTO load SELECT repeat('x', 1900) FROM generate_series(1, 8000)");
  }
  await expect.poll(readLogMb, { timeout: 20_000 }).toBeLessThanOrEqual(64);
  await cleanup();
});
