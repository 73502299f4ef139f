import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restoreBackup, writeBackup } from "./backup";
import { type Database, openDatabase } from "./database/database";
import { silentLog } from "./log/log";
import { createOpenFolder } from "./testing/cluster";
import { createEmbeddedTestPlace, type TestPlace } from "./testing/databases";

const NOW = new Date("2026-11-22T10:00:00.000Z");

/** The rows of every table, as text in one order. */
async function readAllRows(pool: pg.Pool): Promise<Record<string, unknown>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  );
  const all: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ rows: unknown }>(
      `SELECT coalesce(jsonb_agg(line ORDER BY line), '[]') AS rows FROM (SELECT t::text AS line FROM ${name} t) lines`,
    );
    all[name] = rows[0]?.rows;
  }
  return all;
}

describe("a backup of the embedded database", () => {
  let place: TestPlace;
  let db: Database;
  let folder: string;
  let backup: string;
  beforeAll(async () => {
    place = createEmbeddedTestPlace();
    db = await openDatabase({ ...place, log: silentLog });
    folder = createOpenFolder(path.join(place.dataDir, "backups-"));
    backup = path.join(folder, "first.tar.gz");
    const { prisma, pool } = db;
    const account = await prisma.account.create({ data: { email: "ada@example.org", passwordHash: "hash" } });
    const key = { label: "desk", kind: "tool", secretHash: "abc", start: "fxk_live_3f9a", last4: "Qx7b" } as const;
    await prisma.apiKey.create({ data: { ...key, accountId: account.id, scopes: ["quotes"], allowedCidrs: [] } });
    await pool.query(
      "CREATE TABLE filler AS SELECT i AS id, repeat(i::text, 300) AS filler FROM generate_series(1, 5000) i",
    );
    await pool.query("DELETE FROM filler WHERE id % 7 = 0");
    await writeBackup(options(), backup, NOW);
  });
  afterAll(async () => {
    await db.close();
    await place.remove();
  });

  const options = (dataDir = place.dataDir) => ({ databaseUrl: undefined, dataDir, log: silentLog });
  const emptyFolder = () => Promise.resolve(createOpenFolder(path.join(folder, "data-")));
  const refusal = (message: string) => ({ code: "BACKUP_REFUSED", message });

  /** Restores a file into an empty folder and passes the pool of its database to `work`. */
  async function withRestored<T>(file: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const dataDir = await emptyFolder();
    expect(await restoreBackup(options(dataDir), file)).toEqual(NOW);
    const restored = await openDatabase(options(dataDir));
    return work(restored.pool).finally(() => restored.close());
  }

  test("restores every row of every table, while the server runs on", async () => {
    const original = await readAllRows(db.pool);
    expect(Object.keys(original).length).toBeGreaterThan(10);
    expect(await withRestored(backup, readAllRows)).toEqual(original);
  });

  test("can be read by its owner only", async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContain("first.tar.gz.unfinished");
  });

  test("has whole transactions only, and all that were committed before it", async () => {
    const { pool } = db;
    await pool.query("CREATE TABLE purse (id int PRIMARY KEY, amount bigint, moves int)");
    await pool.query("INSERT INTO purse SELECT i, 1000, 0 FROM generate_series(1, 500) i");
    let isWriting = true;
    let moves = 0;
    const writing = (async () => {
      for (; isWriting; moves += 1) {
        await pool.query(
          "UPDATE purse SET amount = amount + CASE id % 2 WHEN 0 THEN $1 ELSE -$1::int END, moves = moves + 1",
          [moves % 17],
        );
      }
    })();
    await expect.poll(() => moves).toBeGreaterThan(5);
    const movesBefore = moves;
    const file = path.join(folder, "busy.tar.gz");
    await writeBackup(options(), file, NOW);
    isWriting = false;
    await writing;
    expect(moves).toBeGreaterThan(movesBefore);
    const sql = "SELECT sum(amount)::int AS total, min(moves) AS least, max(moves) AS most FROM purse";
    const { rows } = await withRestored(file, (restored) => restored.query<{ least: number; most: number }>(sql));
    expect(rows).toEqual([{ total: 500_000, least: rows[0]?.most, most: rows[0]?.most }]);
    expect(rows[0]?.least).toBeGreaterThanOrEqual(movesBefore);
  });

  test("that is damaged anywhere is refused", async () => {
    const content = await readFile(backup);
    const file = path.join(folder, "damaged.tar.gz");
    const dataDir = await emptyFolder();
    for (let part = 1; part < 20; part++) {
      const at = Math.floor((content.length * part) / 20);
      await writeFile(file, Buffer.from(content).fill(0xff, at, at + 2000));
      // Damage can look as if more had to follow.
      await expect(restoreBackup(options(dataDir), file), `at ${at}`).rejects.toThrow(
        /damaged\.tar\.gz is (damaged and cannot be restored|incomplete: its end is missing)\.$/,
      );
    }
    expect((await readdir(dataDir)).filter((entry) => !entry.startsWith("lock."))).toEqual([]);
  });

  test("that was cut short or made by something else is refused, and leaves no data", async () => {
    const { size } = await stat(backup);
    const content = await readFile(backup);
    const files: Record<string, Buffer> = {
      "cut.tar.gz": content.subarray(0, size - 1000),
      "text.tar.gz": Buffer.from("not compressed"),
      "empty.tar.gz": Buffer.alloc(0),
      "foreign.tar.gz": gzipSync(await packTar([{ header: { name: "a.txt", size: 1 }, body: "a" }])),
    };
    const outcomes: Record<string, string> = {};
    for (const [name, bytes] of Object.entries(files)) {
      const [file, dataDir] = [path.join(folder, name), await emptyFolder()];
      await writeFile(file, bytes);
      const error = await restoreBackup(options(dataDir), file).catch((reason: unknown) => reason as Error);
      outcomes[name] = (error as Error).message.replace(`${folder}${path.sep}`, "");
      expect((await readdir(dataDir)).filter((entry) => !entry.startsWith("lock."))).toEqual([]);
    }
    expect(outcomes).toEqual({
      "cut.tar.gz": "cut.tar.gz is incomplete: its end is missing.",
      "text.tar.gz": "text.tar.gz is not a backup of Spotline.",
      "empty.tar.gz": "empty.tar.gz is incomplete: its end is missing.",
      "foreign.tar.gz": "foreign.tar.gz is not a backup of Spotline.",
    });
    const missing = path.join(folder, "missing.tar.gz");
    await expect(restoreBackup(options(await emptyFolder()), missing)).rejects.toMatchObject(
      refusal(`There is no file ${missing}.`),
    );
  });

  test("is not restored over data or under a running server", async () => {
    await expect(restoreBackup(options(), backup)).rejects.toMatchObject({ code: "DATA_FOLDER_IN_USE" });
    const dataDir = await emptyFolder();
    await writeFile(path.join(dataDir, "notes.txt"), "");
    await expect(restoreBackup(options(dataDir), backup)).rejects.toMatchObject(
      refusal(`The data folder ${dataDir} is not empty: set SPOTLINE_DATA_DIR to an empty one.`),
    );
  });

  test("is not written over a file, without a database, or of a PostgreSQL", async () => {
    await expect(writeBackup(options(), backup, NOW)).rejects.toMatchObject(
      refusal(`${backup} exists already: choose another name.`),
    );
    const [file, dataDir] = [path.join(folder, "none.tar.gz"), await emptyFolder()];
    await expect(writeBackup(options(dataDir), file, NOW)).rejects.toMatchObject(
      refusal(`The data folder ${dataDir} has no database yet.`),
    );
    const remote = { ...options(), databaseUrl: "postgres://127.0.0.1:1/none" };
    await expect(writeBackup(remote, file, NOW)).rejects.toMatchObject({ code: "BACKUP_REFUSED" });
    await expect(restoreBackup(remote, backup)).rejects.toMatchObject({ code: "BACKUP_REFUSED" });
    expect(await readdir(folder)).not.toContain("none.tar.gz");
  });
});
