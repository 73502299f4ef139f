import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files whose tests take over half a minute, most of which they wait. */
const LONG = [
  "e2e/process/connections",
  "e2e/process/disk-full",
  "e2e/process/hardening",
  "e2e/process/api-processes",
  "e2e/process/machines",
  "e2e/process/actions",
  "e2e/process/limits-restart",
  "e2e/process/health",
  "lib/history/recording/kills",
  "e2e/process/image",
  "lib/platform/embedded/embedded-server",
];

const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`${name}.`));

/** Starts the long files first: one that starts last runs alone at the end, while a core is idle. */
export class LongFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
