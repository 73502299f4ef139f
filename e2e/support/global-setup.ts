import { build } from "esbuild";
import { startFilledPostgres } from "@/e2e/support/prepared-past";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** Builds what tests of servers start, prepares a past, and starts the PostgreSQL of the run on it. */
export default async function setup(): Promise<() => Promise<void>> {
  const [remove] = await Promise.all([startFilledPostgres(), buildTestServers()]);
  return remove;
}

export async function buildTestServers(): Promise<void> {
  const entryPoints = ["e2e/support/next-host-server.ts", "e2e/support/next-host-pages.ts"];
  await build({ ...SERVER_BUNDLE, entryPoints, outdir: "dist/testing" });
}
