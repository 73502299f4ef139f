import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "@/scripts/chromium";
import { startPostgres } from "@/scripts/postgres";

/**
 * Runs every test there is and ends with one line over all of them. A step that fails does not stop the next: one run
 * tells everything.
 */

interface Count {
  passed: number;
  failed: number;
}

const reports = mkdtempSync(join(tmpdir(), "spotline-tests-"));

/** Runs a command to its end with its output shown, and resolves with whether it succeeded. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n▶ ${command} ${args.join(" ")}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** A step that is one check as a whole. */
async function check(script: string): Promise<Count> {
  const passed = await run("npm", ["run", "-s", script]);
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1 };
}

async function vitest(project: string): Promise<Count> {
  const file = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const succeeded = await run("npx", ["vitest", "run", "--project", project, ...reporters]);
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, "utf8")) as { numPassedTests: number; numFailedTests: number };
  return withExit(succeeded, { passed: report.numPassedTests, failed: report.numFailedTests });
}

async function playwright(): Promise<Count> {
  const file = join(reports, "journeys.json");
  const succeeded = await run("npx", ["playwright", "test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(file, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  return withExit(succeeded, { passed: stats.expected, failed: stats.unexpected + stats.flaky });
}

/** A runner may fail outside of any test; that must not read as a success. */
function withExit(succeeded: boolean, count: Count): Count {
  return succeeded || count.failed > 0 ? count : { ...count, failed: 1 };
}

const stopPostgres = await startPostgres();
await findChromium();
const counts: Count[] = [];
try {
  // The build comes first: it generates the database client that the types need.
  counts.push(await check("build"));
  counts.push(await check("types"));
  counts.push(await check("lint"));
  counts.push(await vitest("unit"));
  counts.push(await vitest("api"));
  counts.push(await vitest("process"));
  counts.push(await playwright());
} finally {
  await stopPostgres();
  rmSync(reports, { recursive: true, force: true });
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
