import { constants, existsSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { checkRecording } from "@/cli/recording-check";
import { serverAddress } from "@/cli/server-address";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { systemClock } from "@/lib/platform/clock";
import { type Config, loadConfig } from "@/lib/platform/config";
import { joinDatabase } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";
import { requireMigrated } from "@/lib/platform/migrations";

/** One thing looked at. A note is worth knowing and nothing to repair. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "note" | "wrong";
  readonly detail: string;
}

const healthTimeoutMs = 3_000;
const databaseTimeoutMs = 3_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Every check that applies, in the order in which a start would meet them. Never rejects. */
export async function examine(env: Environment): Promise<Finding[]> {
  const findings = [await checked("node", checkNode)];
  const { finding, config } = readConfig(env);
  findings.push(finding);
  if (config === null) return findings;
  if (config.databaseUrl === undefined) findings.push(await checked("data folder", () => checkDataFolder(config)));
  findings.push(...(await examineDatabase(config)));
  findings.push(await checked("server", () => checkServer(config)));
  return findings;
}

type Verdict = Omit<Finding, "check">;

async function checked(check: string, look: () => Promise<Verdict>): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, state: "wrong", detail: messageOf(error) };
  }
}

async function checkNode(): Promise<Verdict> {
  const { engines } = JSON.parse(await readFile("package.json", "utf8")) as { engines: { node: string } };
  const least = engines.node.replace(/^>=/, "");
  const isEnough = process.versions.node.localeCompare(least, "en", { numeric: true }) >= 0;
  const detail = `${process.version}${isEnough ? "" : ` is too old: ${least} or newer is needed`}`;
  return { state: isEnough ? "ok" : "wrong", detail };
}

function readConfig(env: Environment): { finding: Finding; config: Config | null } {
  const check = "configuration";
  try {
    const config = loadConfig(env);
    const source = existsSync(".env") ? "the environment and .env" : "the environment";
    return { finding: { check, state: "ok", detail: `read from ${source}` }, config };
  } catch (error) {
    return { finding: { check, state: "wrong", detail: messageOf(error) }, config: null };
  }
}

async function checkDataFolder({ dataDir }: Config): Promise<Verdict> {
  const folder = path.resolve(dataDir);
  if (!existsSync(folder)) return { state: "note", detail: `${folder} is not there yet; the first start makes it` };
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  return { state: "ok", detail: folder };
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const found = await checked("database", () =>
    withDatabase(config, async (verdict, queryable) => {
      if (queryable !== null) {
        const folder = config.databaseUrl === undefined ? path.resolve(config.dataDir) : null;
        findings.push(await checked("recording", () => checkRecording(queryable, folder, systemClock())));
      }
      return verdict;
    }),
  );
  return [found, ...findings];
}

/** Null where there is nothing yet that could be asked. */
type Queryable = Pick<pg.Pool | pg.Client, "query"> | null;
type Look = (verdict: Verdict, queryable: Queryable) => Promise<Verdict>;

async function withDatabase(config: Config, look: Look): Promise<Verdict> {
  if (config.databaseUrl !== undefined) return withRemote(config.databaseUrl, look);
  if (!existsSync(path.join(config.dataDir, "postgres"))) {
    return look({ state: "note", detail: "embedded; there is none yet, the first start makes it" }, null);
  }
  const database = await joinDatabase({ databaseUrl: undefined, dataDir: config.dataDir, log: silentLog });
  try {
    const accounts = await createAccounts(database, { now: systemClock }).count();
    const detail = `embedded, schema up to date, accounts: ${accounts}`;
    return await look({ state: "ok", detail }, database.pool);
  } finally {
    await database.close();
  }
}

/** Looks at a PostgreSQL without migrating it: an older server may be at work on it. */
async function withRemote(databaseUrl: string, look: Look): Promise<Verdict> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: databaseTimeoutMs });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; migrated: boolean }>(
      "SELECT current_setting('server_version') AS version, to_regclass('_prisma_migrations') IS NOT NULL AS migrated",
    );
    const name = `PostgreSQL ${rows[0]?.version ?? ""}`.trim();
    if (rows[0]?.migrated !== true) {
      return await look({ state: "note", detail: `${name}; it is empty, the first start fills it` }, null);
    }
    try {
      await requireMigrated(client);
    } catch {
      const detail = `${name}; its schema is not this version's, starting the server brings it up to date`;
      return await look({ state: "wrong", detail }, null);
    }
    return await look({ state: "ok", detail: `${name}, schema up to date` }, client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkServer(config: Config): Promise<Verdict> {
  const { port } = config;
  const url = `${serverAddress(config)}/health`;
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(healthTimeoutMs), redirect: "manual" });
  } catch (error) {
    const isRefused = error instanceof Error && JSON.stringify(error.cause ?? {}).includes("ECONNREFUSED");
    if (isRefused) return { state: "note", detail: `none is running on port ${port}` };
    return { state: "wrong", detail: `port ${port} is taken, but ${url} does not answer` };
  }
  const health = (await answer.json().catch(() => null)) as { status?: unknown } | null;
  if (typeof health?.status !== "string") {
    return { state: "wrong", detail: `something other than Spotline answers on port ${port}` };
  }
  return { state: health.status === "ok" ? "ok" : "wrong", detail: `${url} says ${health.status}` };
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
