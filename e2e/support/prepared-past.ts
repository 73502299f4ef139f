import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import type { Pool } from "pg";
import { fillPairs } from "@/e2e/support/pairs-past";
import { type Place, startSpotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { createEventStore } from "@/lib/calendar/event-store";
import { listSimulatedPast } from "@/lib/calendar/simulated/simulated-connector";
import { rememberBars } from "@/lib/history/bars/bar-memory";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { instruments } from "@/lib/market/catalog";
import { loadConfig } from "@/lib/platform/config";
import { openDatabase } from "@/lib/platform/database/database";
import { DATABASE_FOLDER } from "@/lib/platform/embedded/place";
import { silentLog } from "@/lib/platform/log/log";
import { createOpenFolder, createTestCluster, FILLED_TEMPLATE, type TestCluster } from "@/lib/platform/testing/cluster";
import { createDatabase, type CreatedDatabase, startTestPostgres } from "@/lib/platform/testing/postgres-server";
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

/** A database with a past, for one server after another. */
export interface PreparedPlace {
  readonly place: Place;
  remove(): Promise<void>;
}

/** Creates a place whose embedded database has a past. */
export async function createEmbeddedPlace(): Promise<PreparedPlace> {
  const SPOTLINE_DATA_DIR = createOpenFolder(join(tmpdir(), "spotline-"));
  await cp(join(await preparePast(), DATABASE_FOLDER), join(SPOTLINE_DATA_DIR, DATABASE_FOLDER), { recursive: true });
  return {
    place: { SPOTLINE_DATA_DIR },
    remove: () => rm(SPOTLINE_DATA_DIR, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Creates a place on the PostgreSQL of the run. */
export async function createPlace(): Promise<PreparedPlace> {
  const database = await createFilledDatabase();
  const SPOTLINE_DATA_DIR = await mkdtemp(join(tmpdir(), "spotline-"));
  return {
    place: { SPOTLINE_DATA_DIR, DATABASE_URL: database.url },
    async remove() {
      await rm(SPOTLINE_DATA_DIR, { recursive: true, force: true, maxRetries: 5 });
      await database.drop();
    },
  };
}

/** A new database with a past on the PostgreSQL of the run, which `startFilledPostgres` has started. */
export const createFilledDatabase = (): Promise<CreatedDatabase> => createDatabase(FILLED_TEMPLATE);

/** Starts the PostgreSQL of a run, on a copy of the prepared folder. Returns what removes it. */
export async function startFilledPostgres(): Promise<() => Promise<void>> {
  // A run has temporary files in a folder of its own.
  process.env.SPOTLINE_TEST_TEMPLATES ??= tmpdir();
  return startTestPostgres(await preparePast());
}

/** A new PostgreSQL whose database has a past. */
export const createFilledCluster = async (parent?: string): Promise<TestCluster> =>
  createTestCluster(parent, await preparePast());

let folder: Promise<string> | undefined;
/** Returns a data folder whose database has a past, and prepares it unless it is prepared already. */
export const preparePast = (): Promise<string> => (folder ??= findOrPrepareFolder());

/** Where prepared folders are kept. */
const keptIn = () => process.env.SPOTLINE_TEST_TEMPLATES ?? tmpdir();

async function findOrPrepareFolder(): Promise<string> {
  const name = `spotline-past-${userInfo().uid}-${await readVersion()}-`;
  const { current, expired } = sortOut(await readdir(keptIn()), `spotline-past-${userInfo().uid}-`, name);
  for (const each of expired) await rm(join(keptIn(), each), { recursive: true, force: true });
  if (current !== undefined) return join(keptIn(), current);
  // Beside the prepared folders, because a folder cannot be renamed to one on another disk.
  const dataDir = createOpenFolder(join(keptIn(), "spotline-"));
  try {
    await fill({ SPOTLINE_DATA_DIR: dataDir });
    const prepared = join(keptIn(), `${name}${Date.now()}`);
    await rename(dataDir, prepared);
    return prepared;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

export const listOthers = (wanted: readonly string[]): string[] =>
  instruments.map(({ symbol }) => symbol).filter((symbol) => !wanted.includes(symbol));

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
  for (const file of ["prepared-past.ts", "pairs-past.ts"]) hash.update(await readFile(join("e2e/support", file)));
  for (const migration of (await readdir("prisma/migrations")).sort()) hash.update(migration);
  return hash.digest("hex").slice(0, 12);
}
