import { constants, existsSync } from "node:fs";
import { access, readFile, statfs } from "node:fs/promises";
import path from "node:path";
import type { Client, ClientBase, Pool } from "pg";
import { getServerAddress } from "@/cli/fetch-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { healthReply } from "@/lib/api/service/health";
import { listProblems } from "@/lib/api/service/health-check";
import { loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { readKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { type Config, loadConfig, LOCAL_CONTACT } from "@/lib/platform/config";
import { connectRemote, joinDatabase } from "@/lib/platform/database/database";
import { describeFault } from "@/lib/platform/database/database-errors";
import { READ_ONLY } from "@/lib/platform/database/database-errors";
import { requireMigrated } from "@/lib/platform/database/migrations";
import { findDatabaseFolder, listAbandoned, OLD_DATABASE_FOLDER } from "@/lib/platform/embedded/place";
import { silentLog } from "@/lib/platform/log/log";
import { adviseOnProxies } from "@/lib/platform/settings/proxy-settings";
import { systemClock } from "@/lib/platform/timing/clock";
import { describeUnreadable, readUnreadableAddress } from "@/lib/platform/unreadable-addresses";
import { formatBytes } from "@/lib/text/text";
import { formatUptime } from "@/lib/time/duration";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The result of one check. A note needs no repair. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "note" | "wrong";
  readonly detail: string;
}

const HEALTH_TIMEOUT_MS = 3_000;
const DATABASE_TIMEOUT_MS = 3_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs every check that applies, in the order of a start. Never rejects. */
export async function examine(env: Environment): Promise<Finding[]> {
  const findings = [await runCheck("node", checkNode)];
  const { finding, config } = readConfig(env);
  findings.push(finding);
  if (config === null) return findings;
  findings.push(await runCheck("sources", () => checkSources(config, env)));
  if (config.keepTicks.length > 0) findings.push({ check: "every tick", ...checkKeptTicks(config) });
  findings.push(...examineProxies(config), ...examineAddress(config));
  if (config.databaseUrl === undefined) findings.push(await runCheck("data folder", () => checkDataFolder(config)));
  findings.push(...(await examineDatabase(config)));
  findings.push(await runCheck("server", () => checkServer(config)));
  return findings;
}

type Verdict = Omit<Finding, "check">;

async function runCheck(check: string, inspect: () => Promise<Verdict>): Promise<Finding> {
  try {
    return { check, ...(await inspect()) };
  } catch (error) {
    return { check, state: "wrong", detail: describeFault(error) };
  }
}

async function checkNode(): Promise<Verdict> {
  const { engines } = JSON.parse(await readFile("package.json", "utf8")) as { engines: { node: string } };
  const minimum = engines.node.replace(/^>=/, "");
  const isEnough = process.versions.node.localeCompare(minimum, "en", { numeric: true }) >= 0;
  const detail = `${process.version}${isEnough ? "" : ` is too old: ${minimum} or newer is needed`}`;
  return { state: isEnough ? "ok" : "wrong", detail };
}

function readConfig(env: Environment): { finding: Finding; config: Config | null } {
  const check = "configuration";
  try {
    const config = loadConfig(env);
    const source = existsSync(".env") ? "the environment and .env" : "the environment";
    return { finding: { check, state: "ok", detail: `read from ${source}` }, config };
  } catch (error) {
    return { finding: { check, state: "wrong", detail: describeFault(error) }, config: null };
  }
}

/** What a start would refuse. The feeds themselves are not started. */
async function checkSources(config: Config, env: Environment): Promise<Verdict> {
  const { feeds, file } = await loadFeedSettings(config, env);
  const names = feeds.map(({ name }) => name).join(", ");
  return { state: "ok", detail: file === null ? names : `${names}, set up in ${path.basename(file)}` };
}

/** Symbols that sources have added are known to a running server alone. */
function checkKeptTicks({ keepTicks, keepDays }: Config): Verdict {
  try {
    const { names } = readKeptTicks(keepTicks, catalogResolver);
    return { state: "ok", detail: `kept of ${names.join(", ")}, for ${keepDays.ticks} days` };
  } catch (error) {
    return {
      state: "note",
      detail: `${describeFault(error)}. Only symbols that a source or an operator has added may be so`,
    };
  }
}

const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What people read from outside: the links of messages, and whom push services may write to. */
function examineAddress({ publicUrl, pushContact }: Config): Finding[] {
  const [check, state] = ["address", "note"] as const;
  const findings: Finding[] = [];
  if (LOCAL_HOST.test(new URL(publicUrl).hostname)) {
    const detail = `links in mails, chats and the log begin with ${publicUrl}, which opens on this machine alone. Set SPOTLINE_URL`;
    findings.push({ check, state, detail });
  }
  if (pushContact !== LOCAL_CONTACT) return findings;
  const detail =
    "Apple’s devices get no push messages without a contact. Set SPOTLINE_PUSH_CONTACT to mailto: and your address";
  return [...findings, { check: "push", state, detail }];
}

/** The server itself does not use TLS, so an https address is that of a proxy. */
function examineProxies({ url, host, trustedProxies }: Config): Finding[] {
  const check = "proxies";
  const { count, addresses } = trustedProxies;
  const advice = adviseOnProxies(trustedProxies, { host });
  if (advice !== null) return [{ check, state: "note", detail: advice }];
  if (url?.startsWith("https:") !== true) return [];
  if (count > 0 || addresses !== null) return [{ check, state: "ok", detail: "the proxy in front is trusted" }];
  const detail =
    "SPOTLINE_URL is an https address, but no proxy is trusted: all callers seem to have the proxy's address. " +
    "Set SPOTLINE_TRUSTED_PROXY_ADDRESSES";
  return [{ check, state: "wrong", detail }];
}

/** What a proxy sent to the running server, in place of addresses. */
async function examineCallers(database: NonNullable<Queryable>, nowMs: number): Promise<Finding[]> {
  const found = await readUnreadableAddress(database as Pool, nowMs);
  if (found === null) return [];
  const detail = `at ${new Date(found.atMs).toISOString()}, ${describeUnreadable(found.text)}`;
  return [{ check: "callers", state: "wrong", detail }];
}

async function checkDataFolder({ dataDir }: Config): Promise<Verdict> {
  const folder = path.resolve(dataDir);
  if (!existsSync(folder)) return { state: "note", detail: `${folder} does not exist yet; the first start creates it` };
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  return { state: "ok", detail: folder };
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const database = await runCheck("database", () =>
    withDatabase(config, async (verdict, queryable) => {
      if (queryable !== null) {
        const folder = config.databaseUrl === undefined ? await findDatabaseFolder(config.dataDir) : null;
        findings.push(await runCheck("recording", () => checkRecording(queryable, folder, systemClock())));
        findings.push(...(await examineCallers(queryable, systemClock())));
      }
      return verdict;
    }),
  );
  return [database, ...findings];
}

/** Null if there is no database yet. */
type Queryable = Pick<Pool | Client, "query"> | null;
type Inspect = (verdict: Verdict, queryable: Queryable) => Promise<Verdict>;

async function withDatabase(config: Config, inspect: Inspect): Promise<Verdict> {
  if (config.databaseUrl !== undefined) return inspectRemote(config.databaseUrl, inspect);
  const folder = await findDatabaseFolder(config.dataDir);
  if (!existsSync(folder) && !existsSync(path.join(config.dataDir, OLD_DATABASE_FOLDER))) {
    return inspect({ state: "note", detail: "embedded; it does not exist yet, the first start creates it" }, null);
  }
  const database = await joinDatabase({ databaseUrl: undefined, dataDir: config.dataDir, log: silentLog });
  try {
    const accounts = await createAccounts(database, { now: systemClock }).count();
    const left = await listAbandoned();
    const where = path.dirname(folder) === path.resolve(config.dataDir) ? "" : ` in ${folder}`;
    const others = left.length === 0 ? "" : `; databases of data folders that are gone: ${left.join(", ")}`;
    const detail = `embedded${where}, schema up to date, accounts: ${accounts}${others}`;
    return await inspect({ state: "ok", detail }, database.pool);
  } finally {
    await database.close();
  }
}

/** Inspects a PostgreSQL without migrating it, because an older server may be using it. */
async function inspectRemote(databaseUrl: string, inspect: Inspect): Promise<Verdict> {
  const client = await connectRemote({
    connectionString: databaseUrl,
    connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
  });
  try {
    const { rows } = await client.query<{ version: string; migrated: boolean; readOnly: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('transaction_read_only') AS "readOnly",
              to_regclass('_prisma_migrations') IS NOT NULL AS migrated`,
    );
    const name = `PostgreSQL ${rows[0]?.version ?? ""}`.trim();
    if (rows[0]?.migrated !== true) {
      return await inspect({ state: "note", detail: `${name}; it is empty, the first start creates the schema` }, null);
    }
    try {
      await requireMigrated(client);
    } catch {
      const detail = `${name}; its schema is of another version, a start of the server migrates it`;
      return await inspect({ state: "wrong", detail }, null);
    }
    if (rows[0].readOnly === "on") return await inspect({ state: "wrong", detail: `${name}; ${READ_ONLY}` }, client);
    return await inspect({ state: "ok", detail: `${name}, schema up to date` }, client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkServer(config: Config): Promise<Verdict> {
  const { port } = config;
  const url = `${getServerAddress(config)}/health`;
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS), redirect: "manual" });
  } catch (error) {
    const isRefused = error instanceof Error && JSON.stringify(error.cause ?? {}).includes("ECONNREFUSED");
    if (isRefused) return { state: "note", detail: `none is running on port ${port}` };
    return { state: "wrong", detail: `port ${port} is taken, but ${url} does not answer` };
  }
  const health = healthReply.safeParse(await answer.json().catch(() => null));
  if (!health.success) {
    return { state: "wrong", detail: `something other than Spotline answers on port ${port}` };
  }
  const { status, components } = health.data;
  const says = [status, ...listProblems(components)].join("; ");
  return { state: status === "ok" ? "ok" : "wrong", detail: `${url} says ${says}` };
}

/** Checks the progress of the recording, its gaps, and the free disk space. */

interface RecordingVerdict {
  readonly state: "ok" | "note" | "wrong";
  readonly detail: string;
}

interface Recorded {
  /** Unix time of the newest second; null before the first. */
  readonly newest: number | null;
  readonly open: number;
  readonly closed: number;
  /** Hours without a tick among the 24 that end with the newest second. */
  readonly missing: number;
  /** Seconds that a clock which was ahead has dated after the present. */
  readonly aside: number;
  readonly bytes: string;
}

/** An hour of ticks takes about ten megabytes, so this is enough for a few days. */
const MIN_FREE_BYTES = 1_000_000_000;
/** The clocks of brokers may be ahead of this machine's. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;

/** @param folder the folder of the database, or null if it is unknown */
export async function checkRecording(
  database: Pick<Pool | ClientBase, "query">,
  folder: string | null,
  nowMs: number,
): Promise<RecordingVerdict> {
  const { rows } = await (database as Pool).query<Recorded>(
    `WITH newest AS (
       SELECT greatest((SELECT max(second) FROM tick_second), (SELECT max(hour) * 3600 + 3599 FROM tick_hour)) AS second
     ), wanted AS (
       SELECT generate_series(second / 3600 - 23, second / 3600) AS hour FROM newest
     ), known AS (
       SELECT DISTINCT hour FROM tick_hour, newest WHERE hour > second / 3600 - 24
        UNION SELECT DISTINCT tick_second.second / 3600 FROM tick_second
     )
     SELECT newest.second AS newest,
            (SELECT count(DISTINCT second / 3600)::int FROM tick_second) AS open,
            (SELECT count(DISTINCT hour)::int FROM tick_hour) AS closed,
            (SELECT count(*)::int FROM wanted WHERE hour NOT IN (SELECT hour FROM known)) AS missing,
            (SELECT count(*)::int FROM ahead_second) AS aside,
            pg_database_size(current_database()) AS bytes
       FROM newest`,
  );
  const recorded = rows[0];
  if (recorded === undefined || recorded.newest === null) return { state: "note", detail: "nothing is recorded yet" };
  const { newest, open, closed, missing, aside, bytes } = recorded;
  const ageS = Math.max(0, Math.floor(nowMs / 1000) - newest);
  const { text: freeSpace, isShort } = await readFreeSpace(folder);
  const isAhead = newest * SECOND_MS > nowMs + MAX_AHEAD_MS;
  const detail = [
    `newest second ${new Date(newest * 1000).toISOString().slice(0, 19)}Z, ${formatUptime(ageS * SECOND_MS)} ago`,
    `hours with ticks: ${open} open, ${closed} closed`,
    missing === 0 ? "the last 24 have no gap" : `${missing} of the last 24 have no tick at all`,
    `database ${formatBytes(Number(bytes))}${freeSpace}`,
    ...(isAhead ? ["seconds after now are stored: a clock was ahead; the recorder sets them aside"] : []),
    ...(aside > 0 ? [`${aside} seconds of a clock that was ahead are set aside in the table ahead_second`] : []),
  ].join("; ");
  return { state: isShort || isAhead ? "wrong" : missing + aside > 0 ? "note" : "ok", detail };
}

async function readFreeSpace(folder: string | null): Promise<{ text: string; isShort: boolean }> {
  if (folder === null) return { text: "", isShort: false };
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const isShort = free < MIN_FREE_BYTES;
  return { text: `, ${formatBytes(free)} free${isShort ? ", too little for recording to continue" : ""}`, isShort };
}
