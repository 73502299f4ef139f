import { writeFileSync } from "node:fs";
import { env } from "node:process";
import type { Reporter, TestModule } from "vitest/node";
import { describeTest, REPORT_FILE, type TestReport } from "./test-report";

/** Writes what a run of Vitest found as a {@link TestReport}. */
export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failures = tests
      .filter((test) => test.result().state === "failed")
      .map((test) => describeTest(test.module.relativeModuleId, test.fullName, test.result().errors?.[0]?.message));
    // A file fails outside of its tests when it cannot be loaded or when a hook of it fails.
    for (const module of modules) {
      const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
      failures.push(
        ...errors.map(({ message }) => describeTest(module.relativeModuleId, "outside of its tests", message)),
      );
    }
    failures.push(...unhandled.map(({ message }) => describeTest("Unhandled error", message)));
    const report: TestReport = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      skipped: tests.filter((test) => test.result().state === "skipped").length,
      failures,
      repeated: tests
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => describeTest(test.module.relativeModuleId, test.fullName, test.result().errors?.[0]?.message)),
    };
    writeFileSync(env[REPORT_FILE] ?? "", JSON.stringify(report));
  }
}
