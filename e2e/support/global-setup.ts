import { existsSync } from "node:fs";
import { build } from "esbuild";
import { preparePast } from "@/e2e/support/prepared-past";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

const OUT = "dist/testing";

/** Runs once before the tests, so that no test waits for it. */
export default async function setup(): Promise<void> {
  await Promise.all([buildNextHost(), preparePast()]);
}

/** Builds Next's host once after each `npm run build`, which removes it: tests beside this may be running it. */
async function buildNextHost(): Promise<void> {
  if (existsSync(`${OUT}/next-host-server.mjs`)) return;
  const entryPoints = ["e2e/support/next-host-server.ts", "e2e/support/next-host-pages.ts"];
  await build({ ...SERVER_BUNDLE, entryPoints, outdir: OUT });
}
