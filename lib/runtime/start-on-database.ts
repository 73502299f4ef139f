import { type Database, openDatabase } from "@/lib/platform/database/database";
import { DatabaseUnavailable, isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { openProcess } from "@/lib/runtime/services";
import { MINUTE_MS } from "@/lib/time/units";

/** How long a start waits for a PostgreSQL that is unavailable, for example because it is starting itself. */
const START_WAIT_MS = MINUTE_MS;

/** Opens the database of a server and starts the server on it. Throws DatabaseUnavailable, which names the database. */
export async function startOnDatabase<Server>(
  { config, log }: ReturnType<typeof openProcess>,
  start: (database: Database) => Promise<Server>,
): Promise<Server> {
  const { databaseUrl, dataDir, sessionSecret: secret } = config;
  const database = await openDatabase({ databaseUrl, dataDir, secret, log, waitMs: START_WAIT_MS });
  try {
    const server = await start(database);
    database.started();
    return server;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? new DatabaseUnavailable(database.place, error) : error;
  }
}
