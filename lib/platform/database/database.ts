import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "@/prisma/generated/client";
import { claimDataFolder, type DataFolderInUse, type Role } from "../data-folder";
import { type EmbeddedServer, readEmbeddedSettings, startEmbeddedServer } from "../embedded/embedded-server";
import type { Logger } from "../log/log";
import { loadSecretFile } from "../secret-file";
import {
  DatabaseRefused,
  DatabaseUnavailable,
  isAccessRefused,
  isDatabaseUnavailable,
  isReadOnlyDatabase,
  READ_ONLY,
} from "./database-errors";
import { applyMigrations, requireMigrated } from "./migrations";
import { createClientClass, requireSession, retryWithoutOptions, type SessionSetup } from "./session";

/**
 * A connection to the database: a PostgreSQL given by its address, or the embedded one. Prisma and raw SQL share one
 * pool of the same driver in both cases. A pooler may stand in between, so that no statement may rely on an earlier one's
 * connection: no named prepared statements, temporary tables, session-level advisory locks or LISTEN.
 */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  readonly kind: "embedded" | "postgresql";
  /** Where it is, without a password, for messages. */
  readonly place: string;
  /** A secret of the installation that is not in the database; see `DatabaseOptions.secret`. */
  readSecret(): Promise<string>;
  /** Call it once the server has started: from then on an unavailable PostgreSQL is reported within two seconds. */
  started(): void;
  /** Waits for running work, then disconnects and releases the data folder. Safe to call twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Undefined: the embedded database in the data folder. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** The secret for `readSecret`. Undefined: the data folder's, which is created when it is first needed. */
  secret?: string | undefined;
  log: Logger;
  /** How long to wait for a PostgreSQL that is unavailable, and for each query until `started`; 0 unless given. */
  waitMs?: number;
}

interface Timeouts {
  readonly connectionTimeoutMillis: number;
  readonly query_timeout: number;
}

const POOL_SIZE = 8;
const DRAIN_TIMEOUT_MS = 5_000;
const JOIN_TIMEOUT_MS = 20_000;
const MIGRATING_TIMEOUT_MS = 10_000;
const JOIN_POLL_MS = 100;

// Together these report "unavailable" within two seconds, whether a server refuses, drops packets or has stopped
// answering on an open connection. Longer work sets its own timeout: { text, query_timeout }.
export const REMOTE_TIMEOUTS: Timeouts = { connectionTimeoutMillis: 1_500, query_timeout: 1_500 };
// The embedded database is watched by its server: one that does not answer is busy, as its whole machine is.
const EMBEDDED_TIMEOUTS: Timeouts = { connectionTimeoutMillis: 5_000, query_timeout: 10_000 };
const TIMEOUTS: Readonly<Record<Database["kind"], Timeouts>> = {
  embedded: EMBEDDED_TIMEOUTS,
  postgresql: REMOTE_TIMEOUTS,
};
const RETRY_MS = 500;
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
    return joinEmbedded(options);
  }
}

async function openRemote(options: DatabaseOptions, databaseUrl: string): Promise<Database> {
  const { log, waitMs = 0 } = options;
  const place = removePassword(databaseUrl);
  const address = { connectionString: databaseUrl };
  const deadline = performance.now() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openAt(address, { ...options, kind: "postgresql", place, release: async () => {} });
    } catch (error) {
      if (isReadOnlyDatabase(error)) throw new DatabaseRefused(new Error(READ_ONLY));
      if (isAccessRefused(error)) throw new DatabaseRefused(error);
      if (!isDatabaseUnavailable(error)) throw error;
      if (performance.now() > deadline) throw new DatabaseUnavailable(place, error);
      if (attempt === 1) log.warn({ err: error, database: place }, "the database is unavailable; waiting for it");
      await pause(RETRY_MS);
    }
  }
}

async function openEmbedded(options: DatabaseOptions, role: Role): Promise<Database> {
  const { dataDir, log } = options;
  const folder = await claimDataFolder(dataDir, role);
  let server: EmbeddedServer | null = null;
  const release = async () => {
    await server?.stop();
    await folder.release();
  };
  try {
    server = await startEmbeddedServer(dataDir, log);
    return await openAt(server.settings, { ...options, kind: "embedded", place: `in ${dataDir}`, release });
  } catch (error) {
    await release().catch(() => {});
    throw server === null ? error : server.explain(error);
  }
}

/** Migrates the database of an address, and connects to it. */
async function openAt(
  address: pg.PoolConfig,
  { waitMs = 0, ...options }: Omit<Connection, "settings"> & Pick<DatabaseOptions, "waitMs">,
): Promise<Database> {
  const setup: SessionSetup = { sendsOptions: true };
  const settings = { ...address, ...TIMEOUTS[options.kind], Client: createClientClass(setup) };
  const applied = await retryWithoutOptions(setup, () =>
    withClient(settings, (client) => applyMigrations(client, { log: options.log })),
  );
  if (applied.length > 0) options.log.info({ migrations: applied }, "migrations applied");
  const starting = waitMs === 0 ? {} : { connectionTimeoutMillis: waitMs, query_timeout: waitMs };
  return connect({ ...options, settings: { ...settings, ...starting } });
}

async function joinEmbedded(options: DatabaseOptions): Promise<Database> {
  const { dataDir } = options;
  const startedAtMs = Date.now();
  const deadline = startedAtMs + JOIN_TIMEOUT_MS;
  const Client = createClientClass({ sendsOptions: true });
  // The server owns the folder from its start, but listens some seconds later.
  for (;;) {
    try {
      const settings = { ...(await readEmbeddedSettings(dataDir)), ...EMBEDDED_TIMEOUTS, Client };
      await withClient(settings, (client) => requireMigrated(client));
      return connect({ ...options, kind: "embedded", place: `in ${dataDir}`, settings, release: async () => {} });
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

/**
 * Connects to a PostgreSQL with the session that Spotline needs. The caller ends the connection. Rejects with
 * SessionRefused where the defaults of its role or database do not suit.
 */
export async function connectRemote(settings: pg.ClientConfig): Promise<pg.Client> {
  const setup: SessionSetup = { sendsOptions: true };
  const connect = async (): Promise<pg.Client> => {
    const client = new (createClientClass(setup))(settings);
    client.on("error", () => {});
    try {
      await client.connect();
      await requireSession(client);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  };
  return retryWithoutOptions(setup, connect);
}

/** A connection outside the pool, whose queries have no time limit. */
async function withClient<T>(settings: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const Client = (settings.Client ?? pg.Client) as typeof pg.Client;
  const client = new Client({ ...settings, query_timeout: undefined });
  client.on("error", () => {});
  try {
    await client.connect();
    await requireSession(client);
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

interface Connection extends Pick<Database, "kind" | "place">, Pick<DatabaseOptions, "dataDir" | "secret" | "log"> {
  readonly settings: pg.PoolConfig;
  readonly release: () => Promise<void>;
}

function connect({ kind, place, settings, dataDir, secret, log, release }: Connection): Database {
  // oxlint-disable-next-line typescript/no-misused-promises -- pg waits for it, whatever its type says
  const pool = new pg.Pool({ ...settings, max: POOL_SIZE, onConnect: requireSession });
  // Without listeners, a connection that is lost while idle or between two queries of a transaction ends the process.
  pool.on("error", ({ message }) => {
    // The end of a connection that is closed may overtake its own.
    if (closed === null) log.warn({ reason: message }, "a database connection was lost");
  });
  const clients = new Set<pg.PoolClient>();
  let closed: Promise<void> | null = null;
  pool.on("connect", (client) => void clients.add(client.on("error", () => {})));
  pool.on("remove", (client) => void clients.delete(client));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const close = async () => {
    await prisma.$disconnect();
    await Promise.race([pool.end(), pause(DRAIN_TIMEOUT_MS)]);
    await release();
  };
  const started = () => setTimeouts(pool, clients, TIMEOUTS[kind]);
  const readSecret = async () => secret ?? loadSecretFile(dataDir);
  return { prisma, pool, kind, place, readSecret, started, close: () => (closed ??= close()) };
}

/** Changes the timeouts of a pool, also for its open connections. */
function setTimeouts(pool: pg.Pool, clients: Iterable<pg.PoolClient>, timeouts: Timeouts): void {
  Object.assign(pool.options, timeouts);
  for (const client of clients) {
    Object.assign((client as unknown as { connectionParameters: object }).connectionParameters, timeouts);
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

function removePassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) throw new DatabaseRefused(new Error("it is not an address"));
  const url = new URL(databaseUrl);
  return `${url.hostname}:${url.port || "5432"}${url.pathname}`;
}
