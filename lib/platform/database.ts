import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "@/prisma/generated/client";
import { claimDataFolder, type DataFolder, type DataFolderInUse, type Role } from "./data-folder/data-folder";
import { DatabaseUnavailable, isDatabaseUnavailable } from "./database-errors";
import { startEmbeddedServer } from "./embedded/embedded-server";
import { getPostgresSocketPath, getPostgresSocketSettings } from "./local-socket";
import type { Logger } from "./log";
import { applyMigrations, requireMigrated } from "./migrations";

/**
 * A connection to the database: a PostgreSQL given by its address, or the embedded one. Prisma and raw SQL share one
 * pool of the same driver in both cases.
 *
 * The embedded database serves all connections from a single session. Transactions are isolated, but run one at a time:
 * while one is open, all other connections wait, so transactions must be short. Session state is shared: no named
 * prepared statements, temporary tables, session-level advisory locks or LISTEN.
 */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  readonly kind: "embedded" | "postgresql";
  /** Waits for running work, then disconnects and releases the data folder. Safe to call twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Undefined: the embedded database in the data folder. */
  databaseUrl: string | undefined;
  dataDir: string;
  log: Logger;
}

const POOL_SIZE = 8;
const DRAIN_TIMEOUT_MS = 5_000;
const JOIN_TIMEOUT_MS = 20_000;
const MIGRATING_TIMEOUT_MS = 10_000;
const JOIN_POLL_MS = 100;

// Together these report "unavailable" within two seconds, whether a server refuses, drops packets or has stopped
// answering on an open connection. Longer work sets its own timeout: { text, query_timeout }.
const REMOTE_TIMEOUTS = { connectionTimeoutMillis: 1_500, query_timeout: 1_500 };
// The embedded database is in the same process: it is never unreachable, only busy.
const EMBEDDED_TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 15_000 };

/**
 * Opens the database and applies pending migrations. Throws DataFolderInUse if another server uses the data folder,
 * DatabaseUnavailable if the address does not answer, MigrationRefused if the schema does not match this version.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === undefined ? openEmbedded(options, "server") : openRemote(options, options.databaseUrl);
}

/** For commands: uses the running server's embedded database, or opens the folder if no server runs. */
export async function joinDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl !== undefined) return openRemote(options, options.databaseUrl);
  try {
    return await openEmbedded(options, "command");
  } catch (error) {
    const inUse = error as DataFolderInUse;
    if (inUse.code !== "DATA_FOLDER_IN_USE" || inUse.role !== "server") throw error;
    return joinEmbedded(options, inUse.socketDir);
  }
}

async function openRemote({ log }: DatabaseOptions, databaseUrl: string): Promise<Database> {
  const settings = { connectionString: databaseUrl, ...REMOTE_TIMEOUTS };
  try {
    await migrate(settings, log);
  } catch (error) {
    throw isDatabaseUnavailable(error) ? new DatabaseUnavailable(removePassword(databaseUrl), error) : error;
  }
  return connect("postgresql", settings, log, async () => {});
}

async function openEmbedded({ dataDir, log }: DatabaseOptions, role: Role): Promise<Database> {
  const folder = await claimDataFolder(dataDir, role);
  try {
    const server = await startEmbeddedServer(folder.databaseDir, getPostgresSocketPath(folder.socketDir), log);
    const settings = embeddedSettings(folder.socketDir);
    const stop = async () => {
      await server.stop();
      await folder.release();
    };
    try {
      await migrate(settings, log);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return connect("embedded", settings, log, stop);
  } catch (error) {
    await releaseQuietly(folder);
    throw error;
  }
}

async function joinEmbedded({ dataDir, log }: DatabaseOptions, socketDir: string): Promise<Database> {
  const settings = embeddedSettings(socketDir);
  const startedAtMs = Date.now();
  const deadline = startedAtMs + JOIN_TIMEOUT_MS;
  // The server owns the folder from its start, but listens some seconds later.
  for (;;) {
    try {
      await withClient(settings, (client) => requireMigrated(client));
      return connect("embedded", settings, log, async () => {});
    } catch (error) {
      const { code } = error as { code?: unknown };
      // While a starting server migrates, its schema looks like an older version's.
      const migrating = code === "MIGRATION_REFUSED" && Date.now() < startedAtMs + MIGRATING_TIMEOUT_MS;
      const stillStarting = isDatabaseUnavailable(error) || code === "42P01" || migrating;
      if (!stillStarting) throw error;
      if (Date.now() > deadline) throw new DatabaseUnavailable(`of the server on ${dataDir}`, error);
      await new Promise((resolve) => setTimeout(resolve, JOIN_POLL_MS));
    }
  }
}

const embeddedSettings = (socketDir: string): pg.PoolConfig => ({
  ...getPostgresSocketSettings(socketDir),
  user: "postgres",
  database: "postgres",
  ssl: false,
  idleTimeoutMillis: 0,
  ...EMBEDDED_TIMEOUTS,
});

async function migrate(settings: pg.PoolConfig, log: Logger): Promise<void> {
  const applied = await withClient(settings, (client) => applyMigrations(client));
  if (applied.length > 0) log.info({ migrations: applied }, "migrations applied");
}

/** A connection outside the pool, whose queries have no time limit. */
async function withClient<T>(settings: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...settings, query_timeout: undefined });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(SESSION);
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

// Prisma's adapter sends and reads timestamps without a zone, so any zone but UTC would shift them.
const SESSION = "SET TIME ZONE 'UTC'";

function connect(kind: Database["kind"], settings: pg.PoolConfig, log: Logger, release: () => Promise<void>): Database {
  const pool = new pg.Pool({
    ...settings,
    max: POOL_SIZE,
    onConnect: async (client) => {
      await client.query(SESSION);
    },
  });
  // Without listeners, a connection that is lost while idle or between two queries of a transaction ends the process.
  pool.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  pool.on("connect", (client) => client.on("error", () => {}));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  let closed: Promise<void> | null = null;
  const close = async () => {
    await prisma.$disconnect();
    await Promise.race([pool.end(), pause(DRAIN_TIMEOUT_MS)]);
    await release();
  };
  return { prisma, pool, kind, close: () => (closed ??= close()) };
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

const releaseQuietly = (folder: DataFolder) => folder.release().catch(() => {});

function removePassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  return `${url.hostname}:${url.port || "5432"}${url.pathname}`;
}
