import { chmodSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import { createTestCluster } from "@/lib/platform/testing/cluster";
import { findMemoryFolder } from "@/lib/platform/testing/memory-folder";

/**
 * Provides what tests need besides this project: a temporary folder and a PostgreSQL. A `whole` run has both in memory,
 * where there is room for it. Returns a function that removes what was created, also called when the run is interrupted.
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
    // PostgreSQL can have a user of its own.
    chmodSync(folder, 0o755);
    process.env.TMPDIR = folder;
    console.log(`The files of this run are in memory, in ${folder}`);
  }
  const removePostgres = await startPostgres(memory === null ? undefined : process.env.TMPDIR);
  if (removePostgres !== null) removals.push(removePostgres);
  return remove;
}

/**
 * Starts the installed PostgreSQL, with its data below `parent` if that is given. The tests use the one that is running
 * instead if there is no `parent`, or none is installed. Prints a warning if there is neither. Returns what removes the
 * started one; null if none was started.
 */
async function startPostgres(parent: string | undefined): Promise<(() => void) | null> {
  if (process.env.SPOTLINE_TEST_DATABASE_URL !== undefined) return null;
  const isRunning = await answers(5432);
  const cluster = isRunning && parent === undefined ? null : await createTestCluster(parent);
  if (cluster !== null) {
    process.env.SPOTLINE_TEST_DATABASE_URL = cluster.url;
    return cluster.remove;
  }
  if (!isRunning) {
    console.warn(
      "SKIPPED: PostgreSQL is neither running nor installed; everything is tested on the embedded database only",
    );
  }
  return null;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
