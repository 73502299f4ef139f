import { type Database, openDatabase } from "../database/database";
import { silentLog } from "../log/log";
import { createTestPlace, type TestPlace } from "./places";
import { isPostgresAvailable } from "./postgres-server";
import { borrowDatabase } from "./shared-databases";

/** Temporary databases for tests, of each kind, so that tests run on both. */

/** The kinds of database that can be tested here: `describe.each(databaseKinds)`. */
export const databaseKinds: readonly Database["kind"][] = isPostgresAvailable
  ? ["embedded", "postgresql"]
  : ["embedded"];

export interface TestDatabase extends TestPlace {
  db: Database;
  /** Closes `db` and releases its place. */
  cleanup(): Promise<void>;
}

/**
 * A migrated database with no rows but those of the migrations. Call `cleanup` in afterAll. Its server is shared with
 * other tests: a test that closes and reopens it needs `openOwnTestDatabase`.
 */
export async function openTestDatabase(kind: Database["kind"]): Promise<TestDatabase> {
  const { place, db, giveBack } = await borrowDatabase(kind);
  return { ...place, db, cleanup: giveBack };
}

/** The same in a place that no other test uses. */
export async function openOwnTestDatabase(kind: Database["kind"]): Promise<TestDatabase> {
  const place = await createTestPlace(kind);
  const db = await openDatabase({ ...place, log: silentLog });
  const cleanup = async () => {
    await db.close();
    await place.remove();
  };
  return { ...place, db, cleanup };
}
