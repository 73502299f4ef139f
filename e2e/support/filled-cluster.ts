import { execFileSync } from "node:child_process";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import { createTestCluster, type TestCluster } from "@/lib/platform/testing/cluster";

/** A new PostgreSQL cluster whose database has a past. The server of the tests must be installed on this machine. */
export async function createFilledCluster(parent?: string): Promise<TestCluster> {
  const past = await createFilledDatabase();
  const cluster = await createTestCluster(parent);
  if (past === null || cluster === null) throw new Error("The server of the tests answers, but is not installed here.");
  execFileSync("sh", ["-c", 'pg_dump -Fc -d "$0" | pg_restore -d "$1"', past.url, cluster.url]);
  await past.drop();
  return cluster;
}
