import { rmSync } from "node:fs";
import { build } from "esbuild";
import { runTool } from "@/scripts/run";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** `npm run build`: builds the database client, the server and the command line in dist/, and the pages in .next/. */

async function main(): Promise<boolean> {
  if (!(await runTool("tsx", ["scripts/generate.ts"]))) return false;
  rmSync("dist", { recursive: true, force: true });
  await build({
    ...SERVER_BUNDLE,
    entryPoints: ["server.ts", "pages-server.ts", "lib/history/backfill/backfill-thread.ts"],
    entryNames: "[name]",
    outdir: "dist",
    sourcemap: true,
  });
  // Split into chunks, so that a command loads only the code that it needs.
  await build({
    ...SERVER_BUNDLE,
    entryPoints: [{ in: "cli/main.ts", out: "spotline" }],
    splitting: true,
    chunkNames: "cli/[name]-[hash]",
    outdir: "dist",
    sourcemap: true,
  });
  return runTool("next", ["build"], { NEXT_TELEMETRY_DISABLED: "1" });
}

process.exitCode = (await main()) ? 0 : 1;
