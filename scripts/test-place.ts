import { chmodSync, rmSync } from "node:fs";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import { findMemoryFolder } from "@/lib/platform/testing/memory-folder";

/**
 * Provides the temporary folder of a `whole` run, in memory where there is room for it. Returns a function that removes what
 * was created, also called when the run is interrupted.
 */
export async function prepareTestPlace({ whole = false } = {}): Promise<() => void> {
  const removals: (() => void)[] = [];
  const remove = () =>
    removals
      .splice(0)
      .reverse()
      .forEach((removal) => removal());
  const interrupt = () => {
    remove();
    process.exit(1);
  };
  // npm and tsx repeat the signal, which must not end the removal.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);

  const memory = whole ? findMemoryFolder() : null;
  if (memory !== null) {
    const folder = createTemporaryFolder("spotline-run-", memory);
    // The processes of an interrupted run write until they end.
    removals.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    // PostgreSQL can run as a user of its own.
    chmodSync(folder, 0o755);
    process.env.TMPDIR = folder;
    console.log(`The files of this run are in memory, in ${folder}`);
  }
  return remove;
}
