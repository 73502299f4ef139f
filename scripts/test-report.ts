/** What a test runner found, as both its reporters write it to the file REPORT_FILE names. */
export interface TestReport {
  readonly passed: number;
  readonly skipped: number;
  /** The failures, each with its file, its title and the first line of its error. */
  readonly failures: readonly string[];
  /** Tests that failed at first and passed when they were repeated. They count as passed. */
  readonly repeated: readonly string[];
}

/** The environment variable with the path of the report. */
export const REPORT_FILE = "SPOTLINE_TEST_REPORT";

/** Describes a test and why it failed in one line without colours. */
export function describeTest(file: string, title: string, error = ""): string {
  // The first line says what failed; the rest is in the output above.
  const [reason = ""] = error.replaceAll(/\u001B\[[\d;]*m/g, "").split("\n");
  return `${file} › ${title}${reason === "" ? "" : `: ${reason}`}`;
}
