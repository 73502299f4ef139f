import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { SECOND_MS } from "@/lib/time/units";
import { findChromium } from "@/scripts/chromium";
import { findTests, type FoundTests, listNightly } from "@/scripts/find-tests";
import { runScript, runTool } from "@/scripts/run";
import { prepareTestPlace } from "@/scripts/test-place";
import { REPORT_FILE, type TestReport } from "@/scripts/test-report";

/**
 * Runs every check and every test, and ends with one line of totals. A step that fails does not stop the next, so one
 * run finds every failure. `npm test -- NAME` runs only the tests of the files with NAME in their path; if there
 * are none, the tests with NAME in their title. `npm run test:all` also runs the nightly tests, and every property as
 * often as it says.
 */

const reports = mkdtempSync(join(tmpdir(), "spotline-tests-"));

/** A step that passes or fails as a whole. */
async function check(script: string, label?: string): Promise<TestReport> {
  const passed = await runScript(script, { label });
  return { passed: passed ? 1 : 0, skipped: 0, failures: passed ? [] : [`npm run ${script}`], repeated: [] };
}

async function runVitest(project: string, filters: readonly string[]): Promise<TestReport> {
  const args = ["run", "--project", project, "--reporter=default", "--reporter=./scripts/vitest-reporter.ts"];
  const report = await runTests("vitest", project, [...args, ...filters]);
  // A title filter leaves the other tests of a file out, which is not worth a word.
  return filters.includes("-t") ? { ...report, skipped: 0 } : report;
}

function runPlaywright(project: "journeys" | "nightly", filters: readonly string[]): Promise<TestReport> {
  const args = ["test", `--project=${project}`, "--reporter=list,./scripts/playwright-reporter.ts"];
  return runTests("@playwright/test", `${project} in a browser`, [...args, ...filters]);
}

async function runTests(tool: string, name: string, args: readonly string[]): Promise<TestReport> {
  const file = join(reports, `${name}.json`);
  const succeeded = await runTool(tool, args, { env: { [REPORT_FILE]: file } });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TestReport) : NOTHING;
  // A runner can fail outside of any test, which must not count as a success.
  return succeeded || report.failures.length > 0 ? report : { ...report, failures: [`${name}: the runner failed`] };
}

const NOTHING: TestReport = { passed: 0, skipped: 0, failures: [], repeated: [] };

const found: TestReport[] = [];
const times: string[] = [];
const leftOut: string[] = [];

async function step(name: string, run: () => Promise<TestReport>): Promise<void> {
  const startedAtMs = performance.now();
  found.push(await run());
  times.push(`${name} ${Math.round((performance.now() - startedAtMs) / SECOND_MS)} s`);
}

async function runAll(): Promise<void> {
  // The build generates the database client, which the types and the tests need. The types generate the clients.
  await step("build", () => check("build"));
  // Should this fail, the tests of servers do it themselves, and fail with the reason.
  const preparation = runTool("tsx", ["e2e/support/prepare.ts"], { label: "prepare" });
  await Promise.all(["types", "lint"].map((script) => step(script, () => check(script, script))));
  await step("unit", () => runVitest("unit", []));
  await preparation;
  // Two suites at once would take as long as one after the other: both cores are busy.
  for (const project of ["api", "process"]) await step(project, () => runVitest(project, []));
  await step("journeys", () => runPlaywright("journeys", []));
  if (!isWhole) return void leftOut.push(...listNightly());
  await step("nightly", () => runVitest("nightly", []));
  await step("unit on the installed PostgreSQL", runUnitsOnInstalled);
  await step("nightly journeys", () => runPlaywright("nightly", []));
}

/** A PostgreSQL that runs on this machine, of another version than the one that comes with Spotline. */
const INSTALLED_URL = "postgres://postgres@127.0.0.1:5432/postgres";

async function runUnitsOnInstalled(): Promise<TestReport> {
  const client = new Client({ connectionString: INSTALLED_URL, connectionTimeoutMillis: SECOND_MS });
  try {
    await client.connect();
    await client.end();
  } catch {
    console.warn("SKIPPED: no PostgreSQL answers at 127.0.0.1:5432, so units are tested on the own version only");
    return { ...NOTHING, skipped: 1 };
  }
  process.env.SPOTLINE_TEST_DATABASE_URL = INSTALLED_URL;
  return runVitest("unit", []).finally(() => delete process.env.SPOTLINE_TEST_DATABASE_URL);
}

/** What git does not have and tests import. */
const GENERATED = [
  "prisma/generated",
  "clients/typescript/src/generated.ts",
  "clients/python/src/spotline/generated.py",
];

async function runFound({ files, title }: FoundTests): Promise<void> {
  if (Object.entries(files).some(([project, found]) => project !== "unit" && found.length > 0))
    await step("build", () => check("build"));
  // The clients are tested as they follow from the present API.
  const concernsClients = Object.values(files).some((paths) => paths.some((path) => path.includes("clients")));
  if (concernsClients || !GENERATED.every((path) => existsSync(path)))
    await step("generate", () => check("generate:clients"));
  for (const project of ["unit", "api", "process", "nightly"] as const) {
    const filters = [...files[project], ...(title === null ? [] : ["-t", title])];
    if (files[project].length > 0) await step(project, () => runVitest(project, filters));
  }
  for (const project of ["journeys", "nightly"] as const) {
    const chosen = project === "journeys" ? files.journeys : files.nightlyJourneys;
    const filters = [...chosen, ...(title === null ? [] : ["-g", title])];
    if (chosen.length > 0) await step(`${project} in a browser`, () => runPlaywright(project, filters));
  }
}

async function runNamed(name: string): Promise<void> {
  if (name === "") {
    await findChromium();
    return runAll();
  }
  const tests = findTests(name);
  if (tests === null) return console.error(`No test has “${name}” in its path or its title.`);
  if (tests.files.journeys.length + tests.files.nightlyJourneys.length > 0) await findChromium();
  return runFound(tests);
}

const words = process.argv.slice(2);
const isWhole = words[0] === "--all";
if (isWhole) process.env.SPOTLINE_TEST_WHOLE = "1";
const name = (isWhole ? words.slice(1) : words).join(" ");
const removePlace = await prepareTestPlace({ whole: name === "" });
try {
  await runNamed(name);
} finally {
  removePlace();
  rmSync(reports, { recursive: true, force: true });
}
const all = <Part extends "failures" | "repeated">(part: Part) => found.flatMap((report) => report[part]);
const sum = (part: "passed" | "skipped") => found.reduce((total, report) => total + report[part], 0);
const failures = all("failures");
// A name may be in the text of a file, but in no title.
if (sum("passed") + failures.length === 0) failures.push("No test ran");
console.log(`\n${times.join(", ")}`);
if (sum("skipped") > 0) console.log(`${sum("skipped")} SKIPPED: the output above says what is missing`);
if (leftOut.length > 0) console.log(`Left to npm run test:all: ${leftOut.join(", ")}`);
for (const test of all("repeated")) console.log(`PASSED WHEN REPEATED: ${test}`);
for (const test of failures) console.log(`FAILED: ${test}`);
console.log(`${sum("passed")} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
