import { build } from "esbuild";
import { preparePast } from "@/e2e/support/prepared-past";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** Runs once before the tests, so that no test waits for it. */
export default async function setup(): Promise<void> {
  const entryPoints = ["e2e/support/next-host-server.ts", "e2e/support/next-host-pages.ts"];
  await Promise.all([build({ ...SERVER_BUNDLE, entryPoints, outdir: "dist/testing" }), preparePast()]);
}
