import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { env } from "node:process";
import type { Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";
import { describeTest, REPORT_FILE, type TestReport } from "@/scripts/test-report";

/** Writes what a run of Playwright found as a {@link TestReport}. */
export default class ReportWriter implements Reporter {
  private root: Suite | null = null;
  private readonly errors: string[] = [];

  onBegin(_: unknown, root: Suite): void {
    this.root = root;
  }

  /** An error outside of all tests. */
  onError(error: TestError): void {
    this.errors.push(describeTest("Playwright", "outside of all tests", error.message));
  }

  onEnd(): void {
    const tests = this.root?.allTests() ?? [];
    const find = (outcome: ReturnType<TestCase["outcome"]>) => tests.filter((test) => test.outcome() === outcome);
    const report: TestReport = {
      passed: find("expected").length + find("flaky").length,
      skipped: find("skipped").length,
      failures: [...find("unexpected").map(describe), ...this.errors],
      repeated: find("flaky").map(describe),
    };
    writeFileSync(env[REPORT_FILE] ?? "", JSON.stringify(report));
  }
}

function describe({ location, title, results }: TestCase): string {
  const failed = results.find(({ error }) => error !== undefined);
  return describeTest(relative(process.cwd(), location.file), title, failed?.error?.message);
}
