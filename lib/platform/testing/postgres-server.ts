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

export interface EmptyDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const name = `${prefix()}${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  await execute(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => drop(name) };
}

/** Drops every database whose name begins with the prefix. */
export async function dropDatabases(namePrefix: string): Promise<void> {
  const rows = await execute(`SELECT datname FROM pg_database WHERE starts_with(datname, '${namePrefix}')`);
  for (const { datname } of rows as { datname: string }[]) await drop(datname);
}

async function drop(name: string): Promise<void> {
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
