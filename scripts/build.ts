import { rmSync } from "node:fs";
import { build } from "esbuild";
import { compressStatic } from "@/scripts/compress-static";
import { hintCompilation } from "@/scripts/hint-compilation";
import { runTool } from "@/scripts/run";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** `npm run build`: builds the database client, the server and the command line in dist/, and the pages in .next/. */

async function main(): Promise<boolean> {
  if (!(await runTool("tsx", ["scripts/generate.ts"]))) return false;
  rmSync("dist", { recursive: true, force: true });
  await build({
    ...SERVER_BUNDLE,
    entryPoints: {
      server: "server.ts",
      "pages-server": "pages-server.ts",
      "api-server": "api-server.ts",
      "backfill-thread": "lib/history/backfill/backfill-thread.ts",
      spotline: "cli/main.ts",
    },
    chunkNames: "chunks/[name]-[hash]",
    outdir: "dist",
    sourcemap: true,
  });
  if (!(await runTool("next", ["build"], { env: { NEXT_TELEMETRY_DISABLED: "1" } }))) return false;
  await hintCompilation(".next");
  await compressStatic(".next/static");
  return true;
}

process.exitCode = (await main()) ? 0 : 1;
