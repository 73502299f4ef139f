import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "@/scripts/chromium";
import { startPostgres } from "@/scripts/postgres";
import { runScript, runTool } from "@/scripts/run";

/**
 * Runs every check and every test, and ends with one line of totals. A step that fails does not stop the next, so one
 * run finds every failure.
 */

interface Count {
  passed: number;
  failed: number;
}

const reports = mkdtempSync(join(tmpdir(), "spotline-tests-"));

/** A step that passes or fails as a whole. */
async function check(script: string): Promise<Count> {
  const passed = await runScript(script);
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1 };
}

async function runVitest(project: string): Promise<Count> {
  const file = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const succeeded = await runTool("vitest", ["run", "--project", project, ...reporters]);
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, "utf8")) as { numPassedTests: number; numFailedTests: number };
  return withExit(succeeded, { passed: report.numPassedTests, failed: report.numFailedTests });
}

async function runPlaywright(): Promise<Count> {
  const file = join(reports, "journeys.json");
  const succeeded = await runTool("@playwright/test", ["test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(file, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  return withExit(succeeded, { passed: stats.expected, failed: stats.unexpected + stats.flaky });
}

/** A runner can fail outside of any test, which must not count as a success. */
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
  counts.push(await runVitest("unit"));
  counts.push(await runVitest("api"));
  counts.push(await runVitest("process"));
  counts.push(await runPlaywright());
} finally {
  await stopPostgres();
  rmSync(reports, { recursive: true, force: true });
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
