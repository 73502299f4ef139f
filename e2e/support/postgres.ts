import { randomBytes } from "node:crypto";
import pg from "pg";

const SERVER_URL = process.env.SPOTLINE_TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** An empty database of one's own on the PostgreSQL server of this machine; null where none answers. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> } | null> {
  const name = `spotline_test_${randomBytes(6).toString("hex")}`;
  try {
    await execute(`create database ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code === "ECONNREFUSED") return null;
    throw error;
  }
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`drop database if exists ${name} with (force)`) };
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
