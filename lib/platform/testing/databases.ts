import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { type Database, openDatabase } from "../database";
import { createEmbeddedFolder } from "../embedded/embedded-server";
import { silentLog } from "../log";

/** Throw-away databases for tests, of each kind there is, so that every promise is held on both. */

const testServerUrl = process.env["SPOTLINE_TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const testServerAnswers = await answers(testServerUrl);
if (!testServerAnswers) {
  process.stderr.write(
    `\nNO POSTGRESQL at ${new URL(testServerUrl).host}: its tests are SKIPPED. Set SPOTLINE_TEST_DATABASE_URL to run them.\n`,
  );
}

/** The kinds of database that can be tested here: `describe.each(databaseKinds)`. */
export const databaseKinds: readonly Database["kind"][] = testServerAnswers ? ["embedded", "postgresql"] : ["embedded"];

/** What `openDatabase` needs to open the same place again. */
export interface TestPlace {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Removes the database and its folder; whatever uses it must be closed before. */
  remove(): Promise<void>;
}

export interface TestDatabase extends TestPlace {
  db: Database;
  /** Closes `db` and removes everything. */
  cleanup(): Promise<void>;
}

/** An empty, migrated database. Call `cleanup` in afterAll. */
export async function openTestDatabase(kind: Database["kind"]): Promise<TestDatabase> {
  const place = await createTestPlace(kind);
  const db = await openDatabase({ ...place, log: silentLog });
  const cleanup = async () => {
    await db.close();
    await place.remove();
  };
  return { ...place, db, cleanup };
}

/** A place for a database that has not been opened, so not migrated, yet. */
export async function createTestPlace(kind: Database["kind"]): Promise<TestPlace> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "spotline-test-"));
  const removeDir = () => rm(dataDir, { recursive: true, force: true });
  if (kind === "embedded") {
    await cp(await embeddedTemplate(), path.join(dataDir, "postgres"), { recursive: true });
    return { databaseUrl: undefined, dataDir, remove: removeDir };
  }
  const name = `spotline_test_${randomUUID().replaceAll("-", "")}`;
  await onTestServer(`CREATE DATABASE ${name}`);
  const url = new URL(testServerUrl);
  url.pathname = `/${name}`;
  const remove = async () => {
    await onTestServer(`DROP DATABASE ${name} WITH (FORCE)`);
    await removeDir();
  };
  return { databaseUrl: url.href, dataDir, remove };
}

/**
 * Creating an embedded database takes seconds, copying one a fraction: one is made per machine and version of PGlite.
 * Two processes that make it at once each make their own, and the first to finish gives it its name.
 */
async function embeddedTemplate(): Promise<string> {
  const manifest = path.join(process.cwd(), "node_modules", "@electric-sql", "pglite", "package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const template = path.join(os.tmpdir(), `spotline-test-template-${version}-${os.userInfo().uid}`);
  const exists = () => stat(template).then(Boolean, () => false);
  if (await exists()) return template;
  const workshop = await mkdtemp(`${template}-`);
  try {
    const made = path.join(workshop, "postgres");
    await mkdir(workshop, { recursive: true });
    await createEmbeddedFolder(made);
    await rename(made, template).catch(async (error: unknown) => {
      if (!(await exists())) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return template;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function onTestServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
