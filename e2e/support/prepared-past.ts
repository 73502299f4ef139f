import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import type { Pool } from "pg";
import { copyPast } from "@/e2e/support/copy-past";
import { fillPairs } from "@/e2e/support/pairs-past";
import { type Place, startSpotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { createEventStore } from "@/lib/calendar/event-store";
import { listSimulatedPast } from "@/lib/calendar/simulated/simulated-connector";
import { rememberBars } from "@/lib/history/bars/bar-memory";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { instruments } from "@/lib/market/catalog";
import { loadConfig } from "@/lib/platform/config";
import { openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { copyEmbeddedTemplate } from "@/lib/platform/testing/embedded-template";
import {
  createDatabase,
  type CreatedDatabase,
  dropDatabase,
  isPostgresAvailable,
  listDatabases,
  renameDatabase,
} from "@/lib/platform/testing/postgres-server";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/**
 * A new installation computes the past of every symbol, which takes minutes. Test servers start on a copy of a database
 * in which one server has already computed it, for the symbols whose past the tests read. Nothing fills the time since
 * then, because that would take each server more than its start does. The prepared databases are kept on this machine for
 * some hours.
 */

export const FEW_SYMBOLS = ["EURUSD", "GBPUSD", "USDJPY", "XAUUSD", "BTCUSD", "US500", "AAPL"];
/** A server on an older copy would have hours to catch up on. */
const MAX_AGE_MS = 6 * HOUR_MS;
const FILL_TIMEOUT_MS = 600 * SECOND_MS;

/** Prepares the past on every kind of database that is available, unless it is prepared already. */
export async function preparePast(): Promise<void> {
  await Promise.all([preparedFolder(), preparedDatabase()]);
}

/** A database with a past, for one server after another. */
export interface PreparedPlace {
  readonly place: Place;
  remove(): Promise<void>;
}

/** Creates a place whose embedded database has a past. */
export async function createEmbeddedPlace(): Promise<PreparedPlace> {
  const SPOTLINE_DATA_DIR = await mkdtemp(join(tmpdir(), "spotline-"));
  await cp(join(await preparedFolder(), "postgres"), join(SPOTLINE_DATA_DIR, "postgres"), { recursive: true });
  return {
    place: { SPOTLINE_DATA_DIR },
    remove: () => rm(SPOTLINE_DATA_DIR, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Creates a place on PostgreSQL, where a server needs half the processor time; an embedded one without PostgreSQL. */
export async function createPlace(): Promise<PreparedPlace> {
  const database = await createFilledDatabase();
  if (database === null) return createEmbeddedPlace();
  const SPOTLINE_DATA_DIR = await mkdtemp(join(tmpdir(), "spotline-"));
  return {
    place: { SPOTLINE_DATA_DIR, DATABASE_URL: database.url },
    async remove() {
      await rm(SPOTLINE_DATA_DIR, { recursive: true, force: true, maxRetries: 5 });
      await database.drop();
    },
  };
}

/** A new PostgreSQL database that has a past; null where no PostgreSQL answers. */
export async function createFilledDatabase(): Promise<CreatedDatabase | null> {
  const template = await preparedDatabase();
  return template === null ? null : createDatabase(template);
}

/** Where prepared folders are kept, also when a run has temporary files in a folder of its own. */
const keptIn = () => process.env.SPOTLINE_TEST_TEMPLATES ?? tmpdir();

let folder: Promise<string> | undefined;
let database: Promise<string | null> | undefined;
const preparedFolder = () => (folder ??= findOrPrepareFolder());
const preparedDatabase = () => (database ??= findOrPrepareDatabase());

async function findOrPrepareFolder(): Promise<string> {
  const name = `spotline-past-${userInfo().uid}-${await readVersion()}-`;
  const { current, expired } = sortOut(await readdir(keptIn()), `spotline-past-${userInfo().uid}-`, name);
  for (const each of expired) await rm(join(keptIn(), each), { recursive: true, force: true });
  if (current !== undefined) return join(keptIn(), current);
  // Beside the prepared folders, because a folder cannot be renamed to one on another disk.
  const dataDir = await mkdtemp(join(keptIn(), "spotline-"));
  try {
    await fillFolder(dataDir);
    const prepared = join(keptIn(), `${name}${Date.now()}`);
    await rename(dataDir, prepared);
    return prepared;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Where PostgreSQL is available, the past on it is copied, which takes a fraction of the time. */
async function fillFolder(dataDir: string): Promise<void> {
  const source = await createFilledDatabase();
  if (source === null) return fill({ SPOTLINE_DATA_DIR: dataDir });
  try {
    await copyEmbeddedTemplate(dataDir);
    await copyPast(source.url, dataDir, FEW_SYMBOLS);
  } finally {
    await source.drop();
  }
  await migrateWithoutPast({ SPOTLINE_DATA_DIR: dataDir }, Date.now());
}

export const listOthers = (wanted: readonly string[]): string[] =>
  instruments.map(({ symbol }) => symbol).filter((symbol) => !wanted.includes(symbol));

async function findOrPrepareDatabase(): Promise<string | null> {
  if (!isPostgresAvailable) return null;
  const name = `spotline_past_${await readVersion()}_`;
  const { current, expired } = sortOut(await listDatabases("spotline_past_"), "spotline_past_", name);
  for (const each of expired) await dropDatabase(each);
  if (current !== undefined) return current;
  const created = await createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "spotline-"));
  try {
    await fill({ SPOTLINE_DATA_DIR: dataDir, DATABASE_URL: created.url });
    const prepared = `${name}${Date.now()}`;
    await renameDatabase(created.name, prepared);
    return prepared;
  } finally {
    await created.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Finds the prepared past of this version, and those of any version that are too old. Another version may be in use by
 * the tests of another clone. Names end with the time at which the past was prepared.
 */
function sortOut(names: readonly string[], prefix: string, version: string): { current?: string; expired: string[] } {
  const ageMs = (name: string) => Date.now() - Number(/\d+$/.exec(name)?.[0]);
  const isFresh = (name: string) => ageMs(name) >= 0 && ageMs(name) < MAX_AGE_MS;
  const all = names.filter((name) => name.startsWith(prefix));
  return {
    current: all.find((name) => name.startsWith(version) && isFresh(name)),
    expired: all.filter((name) => !isFresh(name)),
  };
}

/** Stores the past of the calendar and of the pairs, then starts a server once, until that of the few symbols is complete. */
async function fill(env: Place): Promise<void> {
  const db = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: env.SPOTLINE_DATA_DIR, log: silentLog });
  await skipBackfill(db.pool, listOthers(FEW_SYMBOLS), Date.now());
  const events = createEventStore(db);
  for (const past of listSimulatedPast(loadConfig({}).simulated.seed, Date.now())) await events.report(past);
  await fillPairs(db, FEW_SYMBOLS, Date.now());
  await db.close();
  const server = await startSpotline({ env: { ...env, ...WITHOUT_PAGES }, dataDir: env.SPOTLINE_DATA_DIR });
  try {
    const deadline = performance.now() + FILL_TIMEOUT_MS;
    while (!server.output().includes("backfill finished")) {
      if (server.output().includes("backfill failed") || performance.now() > deadline)
        throw new Error(`The past could not be prepared:\n${server.output()}`);
      await sleep(200);
    }
  } finally {
    await server.stop();
  }
  await rememberPast(env);
}

/** Creates the tables of a database, if it is empty. A server whose clock is near `nowMs` computes no past on it. */
export async function migrateWithoutPast(place: Place, nowMs: number): Promise<void> {
  const db = await openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.SPOTLINE_DATA_DIR, log: silentLog });
  await skipBackfill(db.pool, listOthers([]), nowMs);
  await db.close();
}

/** Marks the past of these symbols as computed, hours after `nowMs` included, so that no server of tests computes it. */
async function skipBackfill(pool: Pool, symbols: readonly string[], nowMs: number): Promise<void> {
  const until = Math.floor((nowMs + 2 * MAX_AGE_MS) / SECOND_MS);
  await pool.query(
    `INSERT INTO backfill (symbol, until) SELECT unnest($1::text[]), $2
     ON CONFLICT (symbol) DO UPDATE SET until = excluded.until`,
    [symbols, until],
  );
}

/** Stores what indicators remember, which a server does after a minute, and ends the back-fill: servers of tests do neither. */
async function rememberPast(env: Place) {
  const db = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: env.SPOTLINE_DATA_DIR, log: silentLog });
  const keeper = new HistoryKeeper({ pool: db.pool, instruments, marketNow: Date.now });
  await keeper.restore();
  keeper.onRecorded([], Date.now());
  await rememberBars(db.pool, instruments, keeper.findGrowthStarts());
  await skipBackfill(db.pool, listOthers([]), Date.now());
  await db.close();
}

/** Changes with what computes the past, with what is prepared, and with the tables that hold it. */
async function readVersion(): Promise<string> {
  const entryPoints = ["lib/history/backfill/backfill-thread.ts", "lib/calendar/simulated/simulated-connector.ts"];
  const { outputFiles } = await build({
    ...SERVER_BUNDLE,
    entryPoints,
    splitting: false,
    packages: "external",
    write: false,
    outdir: "dist",
  });
  const hash = createHash("sha256");
  for (const { contents } of outputFiles) hash.update(contents);
  for (const file of ["prepared-past.ts", "copy-past.ts", "pairs-past.ts"])
    hash.update(await readFile(join("e2e/support", file)));
  // The symbols of an embedded database depend on it.
  hash.update(String(isPostgresAvailable));
  for (const migration of (await readdir("prisma/migrations")).sort()) hash.update(migration);
  return hash.digest("hex").slice(0, 12);
}
