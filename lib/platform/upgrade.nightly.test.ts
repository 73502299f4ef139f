import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyDatabase, type OldDatabase, type TableProgress } from "./database/copy-database";
import { openDatabase } from "./database/database";
import { applyMigrations } from "./database/migrations";
import { silentLog } from "./log/log";
import { bundle } from "./testing/bundle";
import { createOpenFolder } from "./testing/cluster";
import { SHORT_RUN_FLAGS } from "./testing/node-flags";
import { createDatabase } from "./testing/postgres-server";
import { readLines } from "./testing/run-child";
import { type Engine, loadEngine } from "./upgrade";

/** The engine of 0.2.0 is fetched, because nothing else needs it. */

const scratch = createOpenFolder(path.join(os.tmpdir(), "spotline-upgrade-"));
const engine = await loadEngine(undefined, scratch).catch((error: Error) => {
  process.stderr.write(`\nNO ENGINE OF 0.2.0: the tests of the upgrade are SKIPPED. ${error.message}\n`);
  return null;
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** The engine computes for seconds, and longer beside other tests. */
const LONG_MS = 150_000;
const REAL = path.join(process.cwd(), "prisma", "migrations");

type Opened = OldDatabase & { exec(sql: string): Promise<{ rows: unknown[] }[]> };
const openOld = (folder: string) => (engine as Engine).PGlite.create(folder) as Promise<Opened>;

/** Applies migrations to the old database as its server did. */
async function migrate(old: Opened, directory: string): Promise<void> {
  const query = (sql: string, values?: unknown[]) =>
    values === undefined
      ? old.exec(sql).then((answers) => answers.at(-1))
      : (old as unknown as pg.Client).query(sql, values);
  await applyMigrations({ query } as unknown as pg.ClientBase, { directory, log: silentLog });
}

describe.runIf(engine !== null)("the copy of a database of 0.2.0", { timeout: LONG_MS }, () => {
  const [before, after, migrated] = ["before", "after", "migrated"].map((name) => path.join(scratch, name)) as [
    string,
    string,
    string,
  ];
  beforeAll(async () => {
    await cp(REAL, before, { recursive: true });
    await addMigration(before, "20990101000000_values", VALUES);
    await cp(before, after, { recursive: true });
    await addMigration(
      after,
      "20990102000000_later",
      `ALTER TABLE value ADD later int NOT NULL DEFAULT 7; DELETE FROM seed WHERE id = 3`,
    );
    const old = await openOld(migrated);
    await migrate(old, before);
    await old.close();
  });

  async function addMigration(directory: string, name: string, sql: string): Promise<void> {
    await mkdir(path.join(directory, name));
    await writeFile(path.join(directory, name, "migration.sql"), sql);
  }

  /** Fills an old database with `fill`, copies it, and passes both to `check`. */
  async function copy(
    fill: string,
    check: (client: pg.Client, old: Opened, progress: TableProgress[]) => Promise<void>,
  ) {
    const folder = await mkdtemp(path.join(scratch, "old-"));
    await cp(migrated, folder, { recursive: true });
    const old = await openOld(folder);
    const created = await createDatabase("template0");
    const client = new pg.Client({ connectionString: created.url });
    try {
      await client.connect();
      await old.exec(fill);
      const progress: TableProgress[] = [];
      await copyDatabase(old, client, { directory: after, onProgress: (each) => void progress.push(each) });
      await check(client, old, progress);
    } finally {
      await client.end();
      await created.drop();
      await old.close();
    }
  }

  test("has every value of every type, and migrations that are new follow it", async () => {
    await copy(
      "INSERT INTO value (e) SELECT repeat(md5(i::text), 3000)::bytea FROM generate_series(1, 300) i",
      async (client, old, progress) => {
        const { rows } = await old.query<{ line: string }>("SELECT whole::text AS line FROM value whole ORDER BY id");
        const copied = await client.query<{ line: string }>("SELECT whole::text AS line FROM value whole ORDER BY id");
        expect(rows).toHaveLength(306);
        expect(copied.rows.map(({ line }) => line)).toEqual(rows.map(({ line }) => line.replace(/\)$/, ",7)")));
        expect(progress.findLast(({ table }) => table === "value")).toMatchObject({ rows: 306, isDone: true });
      },
    );
  });

  test("has what migrations inserted once, as it was since, and its sequences and numbers go on", async () => {
    const fill = `
      UPDATE seed SET text = 'changed' WHERE id = 2; INSERT INTO seed VALUES (4, 'four');
      INSERT INTO value DEFAULT VALUES; SELECT nextval('drawing_version'), nextval('drawing_version')`;
    await copy(fill, async (client) => {
      expect((await client.query("SELECT * FROM seed ORDER BY id")).rows.map((row) => row.text)).toEqual([
        "one",
        "changed",
        "four",
      ]);
      expect((await client.query("INSERT INTO value DEFAULT VALUES RETURNING id")).rows).toEqual([{ id: "8" }]);
      expect(
        (await client.query("SELECT nextval('drawing_version') AS next, nextval('tape_second_id_seq') AS first")).rows,
      ).toEqual([{ next: "3", first: "1" }]);
      const { rows } = await client.query(
        "SELECT count(*)::int AS names, count(DISTINCT migration_name)::int AS different FROM _prisma_migrations",
      );
      expect(rows[0]?.names).toBe(rows[0]?.different);
    });
  });

  test("has the partitions that the server created, and their bounds and foreign keys hold", async () => {
    const fill = `
      CREATE TABLE tick_second_1795788000 PARTITION OF tick_second FOR VALUES FROM (1795788000) TO (1795791600);
      INSERT INTO tick_second (symbol, second, bid, ask, open, high, low, updates)
        SELECT 'EURUSD', 1795788000 + i, 1, 2, 3, 4, 5, 6 FROM generate_series(0, 3599) i;
      INSERT INTO account (id, email, password_hash) VALUES (gen_random_uuid(), 'ada@example.com', '')`;
    await copy(fill, async (client) => {
      const sql = "SELECT count(*)::int AS rows, max(second)::int AS last FROM tick_second_1795788000";
      expect((await client.query(sql)).rows).toEqual([{ rows: 3600, last: 1795791599 }]);
      const outside = client.query("UPDATE tick_second_1795788000 SET second = 0 WHERE second = 1795788000");
      await expect(outside).rejects.toMatchObject({ code: "23514" });
      const orphan = client.query(
        "INSERT INTO screen VALUES (gen_random_uuid(), gen_random_uuid(), '', 0, '{}', 0, now(), now())",
      );
      await expect(orphan).rejects.toMatchObject({ code: "23503" });
    });
  });

  test("is refused with the table's name when a row differs from the original", async () => {
    // The trigger of the migration runs in every session, and so also while rows are copied.
    await expect(copy("INSERT INTO counted VALUES (1)", async () => {})).rejects.toMatchObject({
      code: "UPGRADE_REFUSED",
      message: "The copy of the table counted differs from the original: it has 1 rows of 1. Nothing was changed.",
    });
  });

  test("is refused with the name of what no migration has created", async () => {
    await expect(copy("CREATE SCHEMA mine; CREATE TABLE mine.notes (id int)", async () => {})).rejects.toMatchObject({
      message:
        "The database has something that is not Spotline's: mine.notes. Save it and drop it with the earlier version first.",
    });
  });

  test("is refused when the database is newer than this version", async () => {
    const fill =
      "UPDATE _prisma_migrations SET migration_name = '20990105000000_newest' WHERE migration_name LIKE '%values'";
    await expect(copy(fill, async () => {})).rejects.toMatchObject({
      code: "MIGRATION_REFUSED",
      message: expect.stringContaining("20990105000000_newest") as string,
    });
  });
});

describe.runIf(engine !== null)("the upgrade of a data folder", { timeout: LONG_MS }, () => {
  const ROWS = 100_000;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = createOpenFolder(path.join(scratch, "data-"));
    const old = await openOld(path.join(dataDir, "postgres"));
    await migrate(old, REAL);
    await old.exec(`INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume)
      SELECT 'EURUSD', 1, 60 * i, i, i, i, i, i FROM generate_series(1, ${ROWS}) i`);
    await old.close();
  });

  /** Returns what it printed until it ended, or was killed at the given line. */
  async function upgrade(killAfter?: number): Promise<string[]> {
    const { file } = await bundle("lib/platform/testing/upgrade-child.ts");
    const words = [dataDir, path.join(scratch, "package", "electric-sql-pglite-0.5.14.tgz")];
    const child = spawn(process.execPath, [...SHORT_RUN_FLAGS, file, ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    return readLines(child, killAfter);
  }
  async function hashFiles(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    return Promise.all(
      files.sort().map(async (file) =>
        createHash("sha256")
          .update(await readFile(file))
          .digest("hex"),
      ),
    );
  }
  const list = async () => (await readdir(dataDir)).filter((name) => !name.startsWith("lock.")).sort();

  test("is begun again after it was killed, loses and doubles no row, and leaves the old files as they are", async () => {
    const original = await hashFiles(path.join(dataDir, "postgres"));
    for (const killAfter of [1, 60]) {
      const lines = await upgrade(killAfter);
      expect(lines.length).toBeGreaterThanOrEqual(killAfter);
      expect(await list()).toEqual(["postgres", "upgrade.unfinished"]);
    }
    const lines = await upgrade();
    expect(lines.filter((line) => line.endsWith("done")).length).toBeGreaterThan(50);
    expect(lines).toContain(`bar ${ROWS} done`);
    expect(lines.at(-1)).toBe("upgraded");
    expect(await list()).toEqual(["pg18", "postgres"]);
    expect(await hashFiles(path.join(dataDir, "postgres"))).toEqual(original);
    const db = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
    const { rows } = await db.pool.query(
      "SELECT count(*)::int AS rows, sum(time::bigint * close)::text AS sum FROM bar",
    );
    await db.close();
    const sum = Array.from({ length: ROWS }, (_, at) => 60n * BigInt(at + 1) ** 2n).reduce((all, each) => all + each);
    expect(rows).toEqual([{ rows: ROWS, sum: String(sum) }]);
  });
});

const VALUES = `
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE TABLE value (
    id bigserial PRIMARY KEY, a float8, b float4, c numeric, d bigint, e bytea, f text, g jsonb, h json, i timestamptz,
    j timestamp, k date, l time, m interval, n uuid, o inet, p cidr, q boolean, r text[], s float8[], t mood, u mood[],
    v int4range, w varchar(3), x smallint, y "char", z bigint GENERATED ALWAYS AS (d / 2) STORED);
  INSERT INTO value (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y) VALUES
    ('NaN', 'NaN', 'NaN', 9223372036854775807, '\\x', '', '{}', '{"b":1, "a":1.10}', 'infinity', '-infinity', 'infinity',
     '24:00:00', '-1 year 2 days -03:04:05.678901', '00000000-0000-0000-0000-000000000000', '::1', '10.0.0.0/8', true,
     '{}', '{NaN,-0,Infinity}', 'happy', '{sad,NULL,happy}', '[1,5)', 'äöü', -32768, 'x'),
    ('-0', 1.17549435e-38, 1e-300, -9223372036854775808, '\\x00ff0a5c', E'tab\\t line\\n back\\\\slash \\\\. "quoted" , é 🙂', '[1.10, null, "\\u00e9"]',
     'null', '2026-11-27 14:58:12.123456+00', '0001-01-01 BC', '4713-01-01 BC', '00:00:00.000001', '1 mon', NULL, '192.168.0.1/24',
     NULL, false, '{"a,b",NULL,"NULL","\\"",""}', '{}', 'sad', '{}', 'empty', NULL, 32767, ''),
    (0.1::float8 + 0.2::float8, 16777216, 123456789012345678901234567890.123456789012345678901234567890, 0, decode(repeat('00ff', 20000), 'hex'), E'\\\\N', NULL, NULL, '294276-12-31 23:59:59.999999+00',
     NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{{a,b},{c,d}}', '{{1,2},{3,4}}', NULL, NULL, NULL, NULL, NULL, NULL),
    (5e-324, 3.4028235e38, 0.00, NULL, NULL, NULL, NULL, NULL, '0044-03-15 12:00:00.5+00 BC', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (1.7976931348623157e308, 1e-45, -1.50, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  CREATE TABLE seed (id int PRIMARY KEY, text text);
  INSERT INTO seed VALUES (1, 'one'), (2, 'two'), (3, 'three');
  CREATE TABLE counted (n int);
  CREATE FUNCTION count_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.n = NEW.n + 1; RETURN NEW; END $$;
  CREATE TRIGGER counting BEFORE INSERT ON counted FOR EACH ROW EXECUTE FUNCTION count_up();
  ALTER TABLE counted ENABLE ALWAYS TRIGGER counting;`;
