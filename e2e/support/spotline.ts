import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@/lib/platform/testing/free-port";

/** A server that runs, as tests use it that do not end it. */
export interface RunningSpotline {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** The environment in which commands and tests find its database. */
  readonly place: Place;
  /** Everything the process has written so far. */
  output(): string;
  /** Runs an operator's command against this server and reads its JSON. */
  cli<Result>(...args: string[]): Promise<Result>;
}

/** The built server as a process, with its own data folder, port and environment. */
export interface Spotline extends RunningSpotline {
  /** Resolves with the exit code when the process ends. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Where a server has its database: in its data folder, or at the address of a PostgreSQL database. */
export type Place = Readonly<Record<"SPOTLINE_DATA_DIR", string> & Partial<Record<"DATABASE_URL", string>>>;

export interface SpotlineOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The arguments of node, by default those of our own server, and the port it listens on. */
  readonly command?: readonly string[];
  readonly port?: number;
  /** The folder with the build to run, by default that of this project. */
  readonly folder?: string;
  /** An existing data folder, which stays. By default the server gets a new one, which is removed. */
  readonly dataDir?: string;
  /** A command that runs node, such as taskset with a core. */
  readonly wrapper?: readonly string[];
  /** Where the log is written, so that other processes can read it too. */
  readonly logFile?: string;
  /** Discards the log, where writing a line for each request would affect a measurement. */
  readonly discardLog?: boolean;
}

/** The token with which tests report events, as a trading terminal does. */
export const INGEST_TOKEN = "a token of tests, which is long enough";

/** The commands whose servers answer the API by our own host or by Next's route handlers. */
export const HOST_COMMANDS = {
  node: ["dist/server.mjs"],
  next: ["dist/testing/next-host-server.mjs"],
} as const;

/** The setting of a server of our own host that nobody visits. It starts in half the time. */
export const WITHOUT_PAGES = { SPOTLINE_ROLES: "writer,api" } as const;

const START_TIMEOUT_MS = 120_000;

/** What each server has written so far, by its address. */
const outputs = new Map<string, () => string>();

/** The path of the form that creates an account: that of the setup link while there is none. */
export async function findSignUpPath(url: string): Promise<string> {
  const { status, headers } = await fetch(`${url}/sign-up`, { redirect: "manual" });
  if (status !== 307 || headers.get("location") !== "/setup") return "/sign-up";
  const path = /\/setup\?code=[\w-]+/.exec(outputs.get(url)?.() ?? "")?.[0];
  if (path === undefined) throw new Error(`The server at ${url} has written no setup link.`);
  return path;
}

/** The environment without the settings of the shell that runs the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(SPOTLINE_|OTEL_|DATABASE_URL|REDIS_URL|NEXTAUTH_|PORT$|VITEST|NODE_ENV$)/.test(name),
  );
  return Object.fromEntries(entries) as NodeJS.ProcessEnv;
}

export async function startSpotline(options: SpotlineOptions = {}): Promise<Spotline> {
  const given = options.dataDir ?? options.env?.["SPOTLINE_DATA_DIR"];
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), "spotline-")));
  const removeData = async () => {
    if (given === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const port = options.port ?? (await findFreePort());
  const env: NodeJS.ProcessEnv = {
    ...cleanEnvironment(),
    NODE_ENV: "production" as const,
    PORT: String(port),
    SPOTLINE_DATA_DIR: dataDir,
    SPOTLINE_LOG_LEVEL: "info",
    SPOTLINE_INGEST_TOKEN: INGEST_TOKEN,
    // No load balancer needs to notice that a server of tests ends.
    SPOTLINE_STOP_DELAY_MS: "0",
    SPOTLINE_SIGN_UP: "open",
    // By default it would depend on the machine.
    SPOTLINE_API_PROCESSES: "1",
    ...options.env,
  };
  const [command = "", ...args] = [
    ...(options.wrapper ?? []),
    process.execPath,
    ...(options.command ?? HOST_COMMANDS.node),
  ];
  const { logFile } = options;
  const log = logFile === undefined ? "pipe" : openSync(logFile, "a");
  const child = spawn(command, args, {
    env,
    cwd: options.folder,
    stdio: ["ignore", options.discardLog ? "ignore" : log, log],
  });
  if (log !== "pipe") closeSync(log);
  let output = "";
  const keep = (chunk: Buffer) => {
    // A load test writes a line for each request; the latest are enough to explain a failure.
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = `http://127.0.0.1:${port}`;
  const readOutput = () => (logFile === undefined ? output : readFileSync(logFile, "utf8"));
  outputs.set(url, readOutput);
  try {
    await untilReady(url, child, readOutput);
  } catch (error) {
    child.kill("SIGKILL");
    await removeData();
    throw error;
  }
  return {
    url,
    pid: child.pid as number,
    dataDir,
    place: { SPOTLINE_DATA_DIR: dataDir, ...(env.DATABASE_URL !== undefined && { DATABASE_URL: env.DATABASE_URL }) },
    output: readOutput,
    async cli<Result>(...words: string[]): Promise<Result> {
      return runCommand<Result>(env, ...words);
    },
    ended: exited,
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      await removeData();
      return code;
    },
  };
}

/** Runs an operator's command over the settings of a server, and reads its JSON. */
export async function runCommand<Result>(
  settings: Readonly<NodeJS.ProcessEnv | Record<string, string>>,
  ...words: string[]
): Promise<Result> {
  const script = ["cli/launch.mjs", ...words, "--json"];
  const env = { ...cleanEnvironment(), ...settings, NODE_ENV: "production" as const };
  const { stdout } = await promisify(execFile)(process.execPath, script, { env });
  return JSON.parse(stdout) as Result;
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}:\n${output()}`);
    const ready = await fetch(`${url}/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The server was not ready within ${START_TIMEOUT_MS} ms:\n${output()}`);
}
