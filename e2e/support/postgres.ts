import { randomBytes } from "node:crypto";
import pg from "pg";

const SERVER_URL = process.env.SPOTLINE_TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database for one test, empty or a copy of `template`. Resolves with null where no PostgreSQL answers. */
export async function createDatabase(template = "template1"): Promise<TestDatabase | null> {
  const name = `spotline_test_${randomBytes(6).toString("hex")}`;
  try {
    await execute(`create database ${name} template ${template}`);
  } catch (error) {
    if ((error as { code?: string }).code === "ECONNREFUSED") return null;
    throw error;
  }
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => dropDatabase(name) };
}

export async function renameDatabase(from: string, to: string): Promise<void> {
  await execute(`alter database ${from} rename to ${to}`);
}

export async function dropDatabase(name: string): Promise<void> {
  await execute(`drop database if exists ${name} with (force)`);
}

/** The databases whose name begins with `prefix`; none where no PostgreSQL answers. */
export async function listDatabases(prefix: string): Promise<string[]> {
  try {
    const rows = await execute(`select datname as name from pg_database where starts_with(datname, '${prefix}')`);
    return rows.map(({ name }) => name as string);
  } catch (error) {
    if ((error as { code?: string }).code === "ECONNREFUSED") return [];
    throw error;
  }
}

async function execute(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: SERVER_URL, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
