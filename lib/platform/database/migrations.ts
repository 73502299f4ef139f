import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";
import type { Logger } from "../log/log";
import { type Clock, monotonicClock } from "../timing/clock";

/**
 * Migrates a database to the schema of this version. Files and bookkeeping are in Prisma Migrate's format, so that
 * `prisma migrate deploy` works too. Prisma's engine is not used, because it is a native download that an installation
 * without a network cannot make.
 */

class MigrationRefused extends Error {
  readonly code = "MIGRATION_REFUSED";
  constructor(sentence: string) {
    super(sentence);
    this.name = "MigrationRefused";
  }
}

/** Other work held locks on the tables of a migration for too long. */
class MigrationBlocked extends Error {
  constructor(cause: unknown) {
    super(
      "The database could not be migrated within a minute: other work, such as a backup, holds locks on tables that a " +
        "migration changes. That migration changed nothing. Start again when that work has ended.",
      { cause },
    );
    this.name = "MigrationBlocked";
  }
}

interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma records it. */
  checksum: string;
}

/** The lock of Prisma Migrate, so that both cannot run at the same time. */
const ADVISORY_LOCK = 72_707_369;

/**
 * How long a migration waits for a lock before it is rolled back and tried again. Queries of the version that still runs
 * wait behind it for as long.
 */
const LOCK_TIMEOUT_MS = 500;
const RETRY_MS = 2 * SECOND_MS;
const MAX_BLOCKED_MS = MINUTE_MS;
/** PostgreSQL's lock_not_available. */
const LOCK_TIMED_OUT = "55P03";

interface Options {
  readonly log: Pick<Logger, "warn">;
  /** The folder of the migrations; that of this version unless given. */
  readonly directory?: string;
  /** The migrations of another database: only these are applied. They are refused as if they were of this one. */
  readonly like?: readonly AppliedRow[];
  readonly monotonic?: Clock;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const migrationsDir = () => path.join(process.cwd(), "prisma", "migrations");

/**
 * Applies pending migrations, each in its own transaction, and returns their names. Throws MigrationBlocked if other work
 * holds locks on their tables for a minute.
 */
export async function applyMigrations(client: pg.ClientBase, options: Options): Promise<string[]> {
  const all = await readMigrations(options.directory ?? migrationsDir());
  const left = options.like === undefined ? [] : findPending(all, options.like);
  const migrations = all.filter((migration) => !left.includes(migration));
  const applied: string[] = [];
  for (;;) {
    const name = await applyNextUnlocked(client, migrations, options);
    if (name === null) return applied;
    applied.push(name);
  }
}

/** Throws MigrationRefused unless the database has exactly the migrations of this version. Changes nothing. */
export async function requireMigrated(client: pg.ClientBase, directory = migrationsDir()): Promise<void> {
  const migrations = await readMigrations(directory);
  const pending = findPending(migrations, await readApplied(client));
  if (pending.length > 0) {
    throw new MigrationRefused("The running server is older than this command: restart the server first.");
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(directory, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Tries again while other work holds locks on the tables of the next migration. */
async function applyNextUnlocked(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  { log, monotonic = monotonicClock, pause = wait }: Options,
): Promise<string | null> {
  const deadlineMs = monotonic() + MAX_BLOCKED_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyNext(client, migrations);
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_TIMED_OUT) throw error;
      if (monotonic() >= deadlineMs) throw new MigrationBlocked(error);
      if (attempt === 1) log.warn("other work holds locks on tables that a migration changes; waiting for its end");
      await pause(RETRY_MS);
    }
  }
}

async function applyNext(client: pg.ClientBase, migrations: readonly Migration[]): Promise<string | null> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
    // Not for the lock above: another server that migrates may take longer, and holds nothing up by it.
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Only if it is missing, so that a database which is up to date may be read-only.
    const { rows } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
    );
    if (rows[0]?.exists !== true) await client.query(BOOKKEEPING);
    const [next] = findPending(migrations, await readApplied(client));
    if (next !== undefined) {
      const startedAt = new Date();
      await client.query(next.sql);
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
        [randomUUID(), next.checksum, next.name, startedAt],
      );
    }
    await client.query("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

// As Prisma Migrate creates it.
const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

export interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** The statement that reads what a database has, as rows of AppliedRow. */
export const READ_APPLIED = `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
  FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`;

async function readApplied(client: pg.ClientBase): Promise<AppliedRow[]> {
  return (await client.query<AppliedRow>(READ_APPLIED)).rows;
}

function findPending(migrations: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = known.get(row.migration_name);
    if (migration === undefined) {
      throw new MigrationRefused(
        `The database is newer than this version: it has the migration ${row.migration_name}, which is not known here.`,
      );
    }
    if (!row.finished) {
      throw new MigrationRefused(
        `The migration ${row.migration_name} failed half-way earlier: put the database right, then mark it with "prisma migrate resolve".`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationRefused(`The migration ${row.migration_name} was changed after it had been applied.`);
    }
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return migrations.filter((migration) => !done.has(migration.name));
}
