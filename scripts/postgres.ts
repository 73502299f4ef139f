import { connect } from "node:net";
import { CLUSTERS_FOLDER, createTestCluster } from "@/lib/platform/testing/cluster";

const PORT = 5_432;
/** A power cut may damage a cluster that is removed at the end. Waiting for the disk would cost a suite minutes. */
const CLUSTER_SETTINGS = ["max_connections=300", "fsync=off", "full_page_writes=off", "synchronous_commit=off"];

/**
 * Provides a PostgreSQL for the tests: that of SPOTLINE_TEST_DATABASE_URL if it is set, else a temporary cluster of the
 * installed one or the one that is running, in the preferred order. The running one has the prepared past of earlier
 * runs. Prints a warning if there is none. Resolves with a function that removes the cluster.
 */
export async function startPostgres(preferred: "temporary" | "running"): Promise<() => Promise<void>> {
  if (process.env.SPOTLINE_TEST_DATABASE_URL !== undefined) return async () => {};
  if (preferred === "running" && (await answers(PORT))) return async () => {};
  const cluster = await createTestCluster(CLUSTERS_FOLDER, CLUSTER_SETTINGS);
  if (cluster === null) {
    if (!(await answers(PORT)))
      console.warn(
        "SKIPPED: PostgreSQL is neither running nor installed; everything is tested on the embedded database only",
      );
    return async () => {};
  }
  process.env.SPOTLINE_TEST_DATABASE_URL = cluster.url;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // A run that is interrupted leaves no cluster behind.
    process.once(signal, () => {
      cluster.remove();
      process.exit(1);
    });
  }
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
