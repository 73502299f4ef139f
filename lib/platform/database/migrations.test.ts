import { createHash } from "node:crypto";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "@/lib/time/units";
import { type Logger, silentLog } from "../log/log";
import { openTestDatabase } from "../testing/databases";
import { openDatabase } from "./database";
import { type AppliedRow, applyMigrations, READ_APPLIED, requireMigrated } from "./migrations";

const testDatabase = await openTestDatabase();

const real = path.join(process.cwd(), "prisma", "migrations");

describe("migrations", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), "spotline-migrations-"));
    await cp(real, directory, { recursive: true });
  });
  afterAll(async () => {
    await testDatabase.cleanup();
    await rm(directory, { recursive: true, force: true });
  });

  const withClient = async <T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> => {
    const client = await testDatabase.db.pool.connect();
    return work(client).finally(() => client.release());
  };
  const add = async (name: string, sql: string) => {
    await mkdir(path.join(directory, name));
    await writeFile(path.join(directory, name, "migration.sql"), sql);
  };
  const remove = (name: string) => rm(path.join(directory, name), { recursive: true });

  test("are recorded as Prisma Migrate records them", async () => {
    const names = (await readdir(real, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const { rows } = await testDatabase.db.pool.query("SELECT * FROM _prisma_migrations ORDER BY migration_name");
    expect(rows.map((row) => row.migration_name)).toEqual(names.sort());
    const file = await readFile(path.join(real, names[0] ?? "", "migration.sql"));
    expect(rows[0]).toMatchObject({
      checksum: createHash("sha256").update(file).digest("hex"),
      applied_steps_count: 1,
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
    });
  });

  test("are applied once when the database is opened several times", async () => {
    const again = await openDatabase({ ...testDatabase, log: silentLog });
    const { rows } = await again.pool.query("SELECT count(*)::int AS applied FROM _prisma_migrations");
    expect(rows).toEqual([
      { applied: (await readdir(real, { withFileTypes: true })).filter((entry) => entry.isDirectory()).length },
    ]);
    await again.close();
  });

  test("are applied once when several processes start at the same moment", async () => {
    await add(
      "20990101000000_together",
      "CREATE TABLE together (id INT PRIMARY KEY); INSERT INTO together VALUES (1);",
    );
    const applied = await Promise.all(
      Array.from({ length: 4 }, () => withClient((client) => applyMigrations(client, { directory, log: silentLog }))),
    );
    expect(applied.flat()).toEqual(["20990101000000_together"]);
    await withClient((client) => requireMigrated(client, directory));
  });

  test("are rolled back when one of them fails", async () => {
    await add("20990102000000_broken", "CREATE TABLE half (id INT); SELECT nonsense;");
    await expect(withClient((client) => applyMigrations(client, { directory, log: silentLog }))).rejects.toMatchObject({
      code: "42703",
    });
    await remove("20990102000000_broken");
    const { rows } = await testDatabase.db.pool.query("SELECT to_regclass('half') AS half");
    expect(rows).toEqual([{ half: null }]);
    expect(await withClient((client) => applyMigrations(client, { directory, log: silentLog }))).toEqual([]);
  });

  describe("that change a table which a backup reads", () => {
    const MIGRATION = "20990102500000_waiting";
    let backup: pg.PoolClient;
    beforeAll(async () => {
      await add(MIGRATION, "ALTER TABLE together ADD COLUMN later INT;");
      backup = await testDatabase.db.pool.connect();
      await backup.query("BEGIN; LOCK TABLE together IN ACCESS SHARE MODE");
    });
    afterAll(async () => {
      backup.release();
      await remove(MIGRATION);
      await testDatabase.db.pool.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [MIGRATION]);
    });

    test("are given up after a minute, in which other queries of the table are answered", async () => {
      const warnings: string[] = [];
      let passedMs = 0;
      const options = {
        directory,
        log: { warn: (message: string) => void warnings.push(message) } as unknown as Pick<Logger, "warn">,
        monotonic: () => passedMs,
        async pause(ms: number) {
          passedMs += 10 * ms;
          expect((await testDatabase.db.pool.query("SELECT id FROM together")).rows).toEqual([{ id: 1 }]);
        },
      };
      await expect(withClient((client) => applyMigrations(client, options))).rejects.toThrow(/such as a backup/);
      expect(passedMs).toBe(MINUTE_MS);
      expect(warnings).toHaveLength(1);
    });

    test("are applied once it has ended", async () => {
      const pause = () => backup.query("COMMIT");
      const options = { directory, log: silentLog, pause };
      expect(await withClient((client) => applyMigrations(client, options))).toEqual([MIGRATION]);
    });
  });

  test("are only those of another database when its rows are given", async () => {
    const [shared, later] = ["20990102600000_shared", "20990102700000_later"];
    await add(shared, "SELECT 1;");
    const { rows } = await testDatabase.db.pool.query<AppliedRow>(READ_APPLIED);
    const checksum = createHash("sha256").update("SELECT 1;").digest("hex");
    const like = [...rows, { migration_name: shared, checksum, finished: true }];
    await add(later, "SELECT 2;");
    const apply = (more: { like?: AppliedRow[] }) =>
      withClient((client) => applyMigrations(client, { directory, log: silentLog, ...more }));
    await expect(apply({ like: [...like, { ...like[0], migration_name: "newest" } as AppliedRow] })).rejects.toThrow(
      "The database is newer than this version: it has the migration newest, which is not known here.",
    );
    expect(await apply({ like })).toEqual([shared]);
    expect(await apply({})).toEqual([later]);
    for (const name of [shared, later]) await remove(name);
    await testDatabase.db.pool.query("DELETE FROM _prisma_migrations WHERE migration_name = ANY ($1)", [
      [shared, later],
    ]);
  });

  test("are refused when an applied one was changed", async () => {
    await appendFile(path.join(directory, "20990101000000_together", "migration.sql"), "-- later");
    await expect(withClient((client) => applyMigrations(client, { directory, log: silentLog }))).rejects.toMatchObject({
      code: "MIGRATION_REFUSED",
      message: "The migration 20990101000000_together was changed after it had been applied.",
    });
  });

  test("are refused when the database is newer than the code", async () => {
    await remove("20990101000000_together");
    await expect(withClient((client) => applyMigrations(client, { directory, log: silentLog }))).rejects.toMatchObject({
      message:
        "The database is newer than this version: it has the migration 20990101000000_together, which is not known here.",
    });
  });

  test("that the running server has not applied are reported to a command", async () => {
    await withClient((client) => client.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '2099%'"));
    await add("20990103000000_newer", "SELECT 1;");
    await expect(withClient((client) => requireMigrated(client, directory))).rejects.toThrow(
      /restart the server first/,
    );
  });
});
