import pg from "pg";
import { CLUSTERS_FOLDER, createTestCluster } from "@/lib/platform/testing/cluster";

/** The PostgreSQL of the tests. */
export interface TestPostgres {
  /** Whether it has connections for several suites at once. */
  readonly isLarge: boolean;
  stop(): Promise<void>;
}

const RUNNING = "postgres://postgres@127.0.0.1:5432/postgres";
const CONNECT_TIMEOUT_MS = 2_000;
/** Two suites at once have used 104. */
const MANY_CONNECTIONS = 300;
/** A power cut may damage a cluster that is removed at the end. Waiting for the disk would cost a suite minutes. */
const CLUSTER_SETTINGS = [
  `max_connections=${MANY_CONNECTIONS}`,
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
];

/**
 * Provides a PostgreSQL for the tests: that of SPOTLINE_TEST_DATABASE_URL if it is set, else a temporary cluster of the
 * installed one or the one that is running, in the preferred order. The running one has the prepared past of earlier
 * runs. Prints a warning if there is none.
 */
export async function startPostgres(preferred: "temporary" | "running"): Promise<TestPostgres> {
  const url = process.env.SPOTLINE_TEST_DATABASE_URL ?? RUNNING;
  const running = await readMaxConnections(url);
  const found = { isLarge: (running ?? Infinity) >= MANY_CONNECTIONS, stop: async () => {} };
  if (process.env.SPOTLINE_TEST_DATABASE_URL !== undefined) return found;
  if (preferred === "running" && running !== null) return found;
  const cluster = await createTestCluster(CLUSTERS_FOLDER, CLUSTER_SETTINGS);
  if (cluster === null) {
    if (running === null)
      console.warn(
        "SKIPPED: PostgreSQL is neither running nor installed; everything is tested on the embedded database only",
      );
    return found;
  }
  process.env.SPOTLINE_TEST_DATABASE_URL = cluster.url;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // A run that is interrupted leaves no cluster behind.
    process.once(signal, () => {
      cluster.remove();
      process.exit(1);
    });
  }
  return { isLarge: true, stop: async () => cluster.remove() };
}

/** Reads how many connections a PostgreSQL accepts; null if none answers. */
async function readMaxConnections(connectionString: string): Promise<number | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ max_connections: string }>("SHOW max_connections");
    return Number(rows[0]?.max_connections);
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
