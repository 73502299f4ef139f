import { connect } from "node:net";
import { createTestCluster } from "@/lib/platform/testing/cluster";

/**
 * Provides a PostgreSQL for the tests: the one that is running, or else a temporary cluster of the installed one. Prints
 * a warning if there is neither. Resolves with a function that stops the cluster.
 */
export async function startPostgres(): Promise<() => Promise<void>> {
  if (process.env.SPOTLINE_TEST_DATABASE_URL !== undefined || (await answers(5432))) return async () => {};
  const cluster = await createTestCluster();
  if (cluster === null) {
    console.warn(
      "SKIPPED: PostgreSQL is neither running nor installed; everything is tested on the embedded database only",
    );
    return async () => {};
  }
  process.env.SPOTLINE_TEST_DATABASE_URL = cluster.url;
  return async () => cluster.remove();
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
