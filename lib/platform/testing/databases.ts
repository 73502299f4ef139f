import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MINUTE_MS } from "../../time/units";
import { type Database, openDatabase } from "../database/database";
import { silentLog } from "../log/log";
import { createOpenFolder } from "./cluster";
import { createDatabase, type CreatedDatabase, createMigratedDatabase } from "./postgres-server";

/** Temporary databases for tests, each on the PostgreSQL of the run, or embedded in a folder of its own. */

/** The options with which `openDatabase` opens the same database again. */
export interface TestPlace {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Removes the database and its folder. Close everything that uses them first. */
  remove(): Promise<void>;
}

export interface TestDatabase extends TestPlace {
  databaseUrl: string;
  db: Database;
  /** Closes `db` and removes its place. */
  cleanup(): Promise<void>;
}

/** A migrated database with no rows but those of the migrations. Call `cleanup` in afterAll. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const place = await createPlace(await createMigratedDatabase());
  // On a busy machine, a query can take longer than a server waits for it.
  const db = await openDatabase({ ...place, log: silentLog, waitMs: MINUTE_MS });
  const cleanup = async () => {
    await db.close();
    await place.remove();
  };
  return { ...place, db, cleanup };
}

/** A place whose database is empty and has not been opened. */
export async function createTestPlace(): Promise<TestPlace & { databaseUrl: string }> {
  return createPlace(await createDatabase());
}

async function createPlace({ url, drop }: CreatedDatabase) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "spotline-test-"));
  const remove = async () => {
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { databaseUrl: url, dataDir, remove };
}

/** A place for an embedded database, which the first start creates. */
export function createEmbeddedTestPlace(): TestPlace {
  const dataDir = createOpenFolder(path.join(os.tmpdir(), "spotline-test-"));
  return {
    databaseUrl: undefined,
    dataDir,
    remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }),
  };
}
