import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files whose tests take over half a minute, most of which they wait. */
const LONG_FILES = [
  "e2e/api/hosts.test.ts",
  "e2e/process/actions.test.ts",
  "e2e/process/api-processes.test.ts",
  "e2e/process/connections.test.ts",
  "e2e/process/disk-full.test.ts",
  "e2e/process/ending.test.ts",
  "e2e/process/hardening.test.ts",
  "e2e/process/health.test.ts",
  "e2e/process/limits-restart.test.ts",
  "e2e/process/machines.test.ts",
  "lib/history/recording/kills.process.test.ts",
  "lib/platform/embedded/embedded-server.process.test.ts",
];

const isLong = ({ moduleId }: TestSpecification) => LONG_FILES.some((name) => moduleId.endsWith(name));

/**
 * Starts the long files early, because one that starts last runs alone at the end, and two short ones after each, because
 * both cores would be idle while only long ones run.
 */
export class EarlySequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const short = sorted.filter((file) => !isLong(file));
    const early = sorted.filter(isLong).flatMap((file) => [file, ...short.splice(0, 2)]);
    return [...early, ...short];
  }
}
