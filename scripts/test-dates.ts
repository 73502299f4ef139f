import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SECOND_MS } from "@/lib/time/units";
import { findChromium } from "@/scripts/chromium";
import { runTool } from "@/scripts/run";
import { prepareTestPlace } from "@/scripts/test-place";

/**
 * Runs all tests with a shifted clock, at unusual times, each for about ten minutes. Arguments choose other times:
 * `npm run test:dates -- 2028-02-29T10:00Z`.
 */

/** Each time is tested in another time zone, because results must not depend on the zone of the machine either. */
const TIMES: readonly (readonly [time: string, zone: string])[] = [
  // A Sunday, and a Friday after the week's close.
  ["2027-06-13T12:00Z", "Asia/Kolkata"],
  ["2026-12-04T23:30Z", "Australia/Sydney"],
  // When New York closes, brokers quote a fifth as often.
  ["2026-11-24T21:59Z", "UTC"],
  // Shortly before the clocks change in New York and in London, in spring and in autumn, and between the two.
  ["2026-03-08T06:58Z", "America/New_York"],
  ["2026-03-11T12:00Z", "America/New_York"],
  ["2026-03-29T00:58Z", "Europe/London"],
  ["2026-10-25T00:58Z", "Europe/London"],
  ["2026-10-28T12:00Z", "America/New_York"],
  ["2026-11-01T05:58Z", "America/New_York"],
  // The ends of a month and of a year, and the leap day.
  ["2027-04-30T23:55Z", "Pacific/Auckland"],
  ["2026-12-31T23:55Z", "UTC"],
  ["2027-01-01T10:00Z", "Pacific/Honolulu"],
  ["2028-02-29T10:00Z", "Pacific/Auckland"],
];

const STEPS: readonly (readonly [tool: string, ...args: string[]])[] = [
  ["vitest", "run", "--project", "unit"],
  ["vitest", "run", "--project", "api"],
  ["vitest", "run", "--project", "process"],
  ["vitest", "run", "--project", "nightly"],
  ["@playwright/test", "test"],
];

/** Finds libfaketime, which shifts the clock of a process and its children; null if it is not installed. */
function findLibfaketime(): string | null {
  const folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].filter((folder) => existsSync(folder));
  const nested = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const files = [...folders, ...nested].flatMap((folder) => [
    join(folder, "faketime", "libfaketime.so.1"),
    join(folder, "libfaketime.so.1"),
  ]);
  return files.find((file) => existsSync(file)) ?? null;
}

/** Returns the environment of a whole run in which the clock starts at a time and runs on. Timers are not shifted. */
function shiftClock(library: string, time: string, zone: string): Record<string, string> {
  const offsetSeconds = Math.round((Date.parse(time) - Date.now()) / SECOND_MS);
  return {
    LD_PRELOAD: library,
    SPOTLINE_TEST_WHOLE: "1",
    FAKETIME: `${offsetSeconds < 0 ? "" : "+"}${offsetSeconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    // Without this, Chromium hangs.
    FAKETIME_FORCE_MONOTONIC_FIX: "0",
    TZ: zone,
  };
}

const library = findLibfaketime();
if (library === null) {
  console.warn("SKIPPED: no test ran under another date, because libfaketime is not installed (Debian: faketime)");
  process.exit(0);
}
const chosen = process.argv.slice(2).map((time) => [time, process.env.TZ ?? "UTC"] as const);
const [unreadable] = chosen.find(([time]) => Number.isNaN(Date.parse(time))) ?? [];
if (unreadable !== undefined) throw new Error(`${unreadable} is not a time like 2028-02-29T10:00Z`);
const removePlace = await prepareTestPlace({ whole: true });
const failures: string[] = [];
try {
  await findChromium();
  if (!(await runTool("tsx", ["scripts/build.ts"]))) throw new Error("The build failed");
  for (const [time, zone] of chosen.length > 0 ? chosen : TIMES) {
    for (const [tool, ...args] of STEPS) {
      console.log(`\nAt ${time} in ${zone}:`);
      const passed = await runTool(tool, args, { env: shiftClock(library, time, zone) });
      if (!passed) failures.push(`${time} in ${zone}: ${tool} ${args.join(" ")}`);
    }
  }
} finally {
  removePlace();
}
console.log(failures.length === 0 ? "\nNothing failed" : `\nFailed:\n${failures.join("\n")}`);
process.exitCode = failures.length === 0 ? 0 : 1;
