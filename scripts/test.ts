import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECOND_MS } from "@/lib/time/units";
import { findChromium } from "@/scripts/chromium";
import { findTests, type FoundTests } from "@/scripts/find-tests";
import { startPostgres } from "@/scripts/postgres";
import { runScript, runTool } from "@/scripts/run";

/**
 * Runs every check and every test, and ends with one line of totals. A step that fails does not stop the next, so one
 * run finds every failure. `npm test -- NAME` runs only the tests of the files with NAME in their path; if there
 * are none, the tests with NAME in their title.
 */

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const reports = mkdtempSync(join(tmpdir(), "spotline-tests-"));

/** A step that passes or fails as a whole. */
async function check(script: string): Promise<Count> {
  const passed = await runScript(script);
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

async function runVitest(project: string, filters: readonly string[]): Promise<Count> {
  const file = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const succeeded = await runTool("vitest", ["run", "--project", project, ...reporters, ...filters]);
  if (!existsSync(file)) return NO_REPORT;
  const report = JSON.parse(readFileSync(file, "utf8")) as Record<
    "numPassedTests" | "numFailedTests" | "numPendingTests" | "numTodoTests",
    number
  >;
  return withExit(succeeded, {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    // A title filter leaves the other tests of a file out, which is not worth a word.
    skipped: filters.includes("-t") ? 0 : report.numPendingTests + report.numTodoTests,
  });
}

async function runPlaywright(filters: readonly string[]): Promise<Count> {
  const file = join(reports, "journeys.json");
  const succeeded = await runTool("@playwright/test", ["test", "--reporter=list,json", ...filters], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  if (!existsSync(file)) return NO_REPORT;
  const { stats } = JSON.parse(readFileSync(file, "utf8")) as {
    stats: Record<"expected" | "unexpected" | "flaky" | "skipped", number>;
  };
  return withExit(succeeded, {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  });
}

const NO_REPORT: Count = { passed: 0, failed: 1, skipped: 0 };

/** A runner can fail outside of any test, which must not count as a success. */
function withExit(succeeded: boolean, count: Count): Count {
  return succeeded || count.failed > 0 ? count : { ...count, failed: 1 };
}

const counts: Count[] = [];
const times: string[] = [];

async function step(name: string, run: () => Promise<Count>): Promise<void> {
  const startedAtMs = performance.now();
  const count = await run();
  counts.push(count);
  times.push(`${name} ${Math.round((performance.now() - startedAtMs) / SECOND_MS)} s`);
}

async function runAll(): Promise<void> {
  // The build generates the database client, which the types and the tests need.
  await step("build", () => check("build"));
  // Should this fail, the tests of servers do it themselves, and fail with the reason.
  const preparation = runTool("tsx", ["e2e/support/prepare.ts"]);
  await Promise.all([step("types", () => check("types")), step("lint", () => check("lint")), preparation]);
  for (const project of ["unit", "api", "process"]) await step(project, () => runVitest(project, []));
  await step("journeys", () => runPlaywright([]));
}

async function runFound({ files, title }: FoundTests): Promise<void> {
  if (files.api.length + files.process.length + files.journeys.length > 0) await step("build", () => check("build"));
  for (const project of ["unit", "api", "process"] as const) {
    const filters = [...files[project], ...(title === null ? [] : ["-t", title])];
    if (files[project].length > 0) await step(project, () => runVitest(project, filters));
  }
  const filters = [...files.journeys, ...(title === null ? [] : ["-g", title])];
  if (files.journeys.length > 0) await step("journeys", () => runPlaywright(filters));
}

async function runTests(name: string): Promise<void> {
  if (name === "") {
    await findChromium();
    return runAll();
  }
  const found = findTests(name);
  if (found === null) return console.error(`No test has “${name}” in its path or its title.`);
  if (found.files.journeys.length > 0) await findChromium();
  return runFound(found);
}

const stopPostgres = await startPostgres();
try {
  await runTests(process.argv.slice(2).join(" "));
} finally {
  await stopPostgres();
  rmSync(reports, { recursive: true, force: true });
}
// A name may be in the text of a file, but in no title.
if (counts.every(({ passed, failed }) => passed + failed === 0)) counts.push(NO_REPORT);
const sum = (part: keyof Count) => counts.reduce((total, count) => total + count[part], 0);
console.log(`\n${times.join(", ")}`);
if (sum("skipped") > 0) console.log(`${sum("skipped")} SKIPPED: the output above says what is missing`);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;
