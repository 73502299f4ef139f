import { spawn } from "node:child_process";
import { vi } from "vitest";
import { runCommandLine } from "@/cli/run";
import { bundle } from "@/lib/platform/testing/bundle";
import type { TestPlace } from "@/lib/platform/testing/databases";
import { SHORT_RUN_FLAGS } from "@/lib/platform/testing/node-flags";

/** Runs commands in tests. */

interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Settings of the shell that runs the tests, which a command under test must not see. */
const SETTING = /^(SPOTLINE_|DATABASE_URL$|REDIS_URL$|PORT$)/;

/** Returns the settings of a server on this installation. */
function createSettings(installation: TestPlace): Record<string, string> {
  const { databaseUrl, dataDir } = installation;
  return { SPOTLINE_DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
}

/** Runs a command in its own process, as an operator does. */
export async function spotline(
  installation: TestPlace,
  words: string[],
  { stdin = "", env = {} }: Options = {},
): Promise<CommandResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !SETTING.test(name));
  const { file } = await bundle("cli/main.ts");
  const child = spawn(process.execPath, [...SHORT_RUN_FLAGS, file, ...words], {
    env: { ...Object.fromEntries(inherited), NODE_ENV: "test" as const, ...createSettings(installation), ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr })));
}

/**
 * Runs a command in this process, which is much faster. Run only one at a time, because it replaces the settings in the
 * environment.
 */
export async function run(
  installation: TestPlace,
  words: string[],
  { env = {} }: Options = {},
): Promise<CommandResult> {
  const others = Object.keys(process.env).filter((name) => SETTING.test(name));
  for (const name of others) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...createSettings(installation), ...env })) vi.stubEnv(name, value);
  let stdout = "";
  let stderr = "";
  try {
    const exitCode = await runCommandLine(words, {
      write: (text) => void (stdout += text),
      writeError: (text) => void (stderr += text),
    });
    return { exitCode, stdout, stderr };
  } finally {
    vi.unstubAllEnvs();
  }
}
