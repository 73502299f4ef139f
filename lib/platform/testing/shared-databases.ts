import type pg from "pg";
import { MINUTE_MS } from "../../time/units";
import { type Database, joinDatabase, openDatabase } from "../database/database";
import { silentLog } from "../log/log";
import { createTestPlace, type TestPlace } from "./places";

/**
 * Databases that the test files of one worker use in turn. Starting and migrating one takes a second; emptying it takes
 * milliseconds, but on a busy machine longer than a server waits for a query, so queries have a minute. They end with
 * the worker, and the run removes their folders.
 */

interface SharedDatabase {
  readonly place: TestPlace;
  /** Keeps the embedded server running, and empties the database. */
  readonly owner: Database;
  /** The rows that the migrations wrote, by table. */
  readonly seeds: ReadonlyMap<string, unknown>;
  readonly schema: string;
}

interface BorrowedDatabase {
  readonly place: TestPlace;
  readonly db: Database;
  giveBack(): Promise<void>;
}

/** The rows of a table up to this size are deleted, which takes a hundredth of the time that truncating takes. */
const MOST_DELETED_BYTES = 500_000;

/** The embedded database has one session for all of its connections; at PostgreSQL later ones follow its setting. */
const WITHOUT_WAITING_FOR_THE_DISK = `SET synchronous_commit = off;
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`;

const idle: Record<Database["kind"], SharedDatabase[]> = { embedded: [], postgresql: [] };

export async function borrowDatabase(kind: Database["kind"]): Promise<BorrowedDatabase> {
  const shared = idle[kind].pop() ?? (await start(kind));
  const db = await joinDatabase({ ...shared.place, log: silentLog, waitMs: MINUTE_MS });
  const giveBack = async () => {
    await db.close();
    if (await isReusable(shared)) {
      await empty(shared);
      idle[kind].push(shared);
    } else {
      await shared.owner.close();
      await shared.place.remove();
    }
  };
  return { place: shared.place, db, giveBack };
}

async function start(kind: Database["kind"]): Promise<SharedDatabase> {
  const place = await createTestPlace(kind);
  const owner = await openDatabase({ ...place, log: silentLog, waitMs: MINUTE_MS });
  await owner.pool.query(WITHOUT_WAITING_FOR_THE_DISK);
  const seeds = new Map<string, unknown>();
  for (const { name } of await listFilledTables(owner.pool)) {
    const { rows } = await owner.pool.query<{ rows: unknown }>(`SELECT jsonb_agg(t) AS rows FROM ${name} t`);
    seeds.set(name, rows[0]?.rows);
  }
  return { place, owner, seeds, schema: await readSchema(owner.pool) };
}

async function empty({ owner: { pool }, seeds }: SharedDatabase): Promise<void> {
  const filled = await listFilledTables(pool);
  const clear = filled.map(({ name, size }) =>
    size > MOST_DELETED_BYTES ? `TRUNCATE ${name} CASCADE` : `DELETE FROM ${name}`,
  );
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // Triggers are disabled, because one of them prevents removing rows of the audit log.
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query(clear.join(";"));
    await client.query("SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence");
    for (const [table, rows] of seeds) {
      const insert = `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`;
      await client.query(insert, [JSON.stringify(rows)]);
    }
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

/** A test that changed the schema or a setting has made the database unusable for others. */
async function isReusable({ owner, schema }: SharedDatabase): Promise<boolean> {
  return (await readSchema(owner.pool)) === schema;
}

/** The tables that have rows, with their sizes in bytes. */
async function listFilledTables(pool: pg.Pool): Promise<{ name: string; size: number }[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  const filled = await pool.query<{ name: string; size: string }>(
    rows
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, pg_relation_size('${name}') AS size WHERE EXISTS (SELECT FROM ${name})`,
      )
      .join(" UNION ALL "),
  );
  return filled.rows.map(({ name, size }) => ({ name, size: Number(size) }));
}

async function readSchema(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ schema: string }>(
    `SELECT concat(
       (SELECT string_agg(concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull), ',' ORDER BY attrelid, attnum)
          FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
         WHERE relnamespace = 'public'::regnamespace AND NOT attisdropped),
       (SELECT string_agg(concat_ws(' ', conname, convalidated), ',' ORDER BY oid) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace),
       (SELECT string_agg(concat_ws(' ', tgname, tgenabled), ',' ORDER BY oid) FROM pg_trigger),
       (SELECT string_agg(proname, ',' ORDER BY oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
       (SELECT string_agg(setconfig::text, ',') FROM pg_db_role_setting
          JOIN pg_database ON pg_database.oid = setdatabase WHERE datname = current_database()),
       (SELECT count(*) FROM _prisma_migrations)
     ) AS schema`,
  );
  return rows[0]?.schema ?? "";
}
