import { randomUUID } from "node:crypto";
import pg from "pg";
import { applyMigrations } from "../database/migrations";
import { silentLog } from "../log/log";
import { createTestCluster } from "./cluster";

/**
 * The PostgreSQL on which tests create databases: that of `SPOTLINE_TEST_DATABASE_URL`, which a run of the tests starts.
 * A program that is not part of a run starts one of its own with the first database.
 */

const URL_NAME = "SPOTLINE_TEST_DATABASE_URL";
const CONNECT_TIMEOUT_MS = 10_000;

/** Starts the server of a run, unless one is given, on a copy of a data folder's database. Returns what removes it. */
export async function startTestPostgres(from?: string): Promise<() => Promise<void>> {
  if (process.env[URL_NAME] !== undefined) return async () => {};
  const cluster = await createTestCluster(undefined, from);
  process.env[URL_NAME] = cluster.url;
  // An interrupted run leaves nothing behind either.
  process.once("exit", cluster.abandon);
  return async () => {
    delete process.env[URL_NAME];
    process.off("exit", cluster.abandon);
    await cluster.remove();
  };
}

/** A test run shares a prefix, by which it can drop all its databases at the end. */
const prefix = () => process.env["SPOTLINE_TEST_PREFIX"] ?? "spotline_test_";

export interface CreatedDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database, empty or a copy of the database `template`, to which nothing may be connected. */
export async function createDatabase(template = "template0"): Promise<CreatedDatabase> {
  const name = `${prefix()}${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await execute(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { name, url: await addressOf(name), drop: () => dropDatabase(name) };
}

/** Creates a copy of a database that has the tables of this version, and no rows but those of the migrations. */
export async function createMigratedDatabase(): Promise<CreatedDatabase> {
  return createDatabase(await (template ??= prepareTemplate()));
}

let template: Promise<string> | undefined;

/** Migrates one database for all processes of a run. The second waits for the lock, and finds it. */
async function prepareTemplate(): Promise<string> {
  const name = `${prefix()}template`;
  const client = await connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
    if ((await listDatabases(name)).includes(name)) return name;
    const unfinished = `${name}_unfinished`;
    await dropDatabase(unfinished);
    await client.query(`CREATE DATABASE ${unfinished} TEMPLATE template0`);
    const migrated = await connect(unfinished);
    await applyMigrations(migrated, { log: silentLog }).finally(() => migrated.end());
    await renameDatabase(unfinished, name);
    return name;
  } finally {
    await client.end();
  }
}

async function renameDatabase(from: string, to: string): Promise<void> {
  await execute(`ALTER DATABASE ${from} RENAME TO ${to}`);
}

/** Returns the names of the databases that begin with `namePrefix`. */
async function listDatabases(namePrefix: string): Promise<string[]> {
  const rows = await execute(`SELECT datname FROM pg_database WHERE starts_with(datname, '${namePrefix}')`);
  return (rows as { datname: string }[]).map(({ datname }) => datname);
}

/** Drops every database whose name begins with the prefix. */
export async function dropDatabases(namePrefix: string): Promise<void> {
  for (const name of await listDatabases(namePrefix)) await dropDatabase(name);
}

async function dropDatabase(name: string): Promise<void> {
  await execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function execute(sql: string): Promise<unknown[]> {
  const client = await connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

async function connect(database = "template1"): Promise<pg.Client> {
  const connectionString = await addressOf(database);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  return client;
}

let ownServer: Promise<unknown> | undefined;

async function addressOf(database?: string): Promise<string> {
  if (process.env[URL_NAME] === undefined) await (ownServer ??= startTestPostgres());
  const url = new URL(process.env[URL_NAME] ?? "");
  if (database !== undefined) url.pathname = `/${database}`;
  return url.href;
}
