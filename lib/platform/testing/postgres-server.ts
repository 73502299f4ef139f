import { randomUUID } from "node:crypto";
import pg from "pg";

/** The PostgreSQL server on which tests create databases. */

const SERVER_URL = process.env["SPOTLINE_TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const CONNECT_TIMEOUT_MS = 2_000;

/** A test run shares a prefix, by which it can drop all its databases at the end. */
const prefix = () => process.env["SPOTLINE_TEST_PREFIX"] ?? "spotline_test_";

export const isPostgresAvailable = await canConnect();
if (!isPostgresAvailable) {
  process.stderr.write(
    `\nNO POSTGRESQL at ${new URL(SERVER_URL).host}: its tests are SKIPPED. Set SPOTLINE_TEST_DATABASE_URL to run them.\n`,
  );
}

export interface CreatedDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database, empty or a copy of the database `template`. */
export async function createDatabase(template = "template1"): Promise<CreatedDatabase> {
  const name = `${prefix()}${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await execute(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => dropDatabase(name) };
}

export async function renameDatabase(from: string, to: string): Promise<void> {
  await execute(`ALTER DATABASE ${from} RENAME TO ${to}`);
}

/** Returns the names of the databases that begin with `namePrefix`. */
export async function listDatabases(namePrefix: string): Promise<string[]> {
  const rows = await execute(`SELECT datname FROM pg_database WHERE starts_with(datname, '${namePrefix}')`);
  return (rows as { datname: string }[]).map(({ datname }) => datname);
}

/** Drops every database whose name begins with the prefix. */
export async function dropDatabases(namePrefix: string): Promise<void> {
  for (const name of await listDatabases(namePrefix)) await dropDatabase(name);
}

export async function dropDatabase(name: string): Promise<void> {
  await execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function execute(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: SERVER_URL, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

function canConnect(): Promise<boolean> {
  return execute("SELECT 1").then(
    () => true,
    () => false,
  );
}
