import { rmSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";
import { hintCompilation } from "@/scripts/hint-compilation";
import { runTool } from "@/scripts/run";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** `npm run build`: builds the database client, the server and the command line in dist/, and the pages in .next/. */

async function main(): Promise<boolean> {
  // Pages import only types of the database client.
  const built = await Promise.all([buildPrograms(), buildPages()]);
  return built.every(Boolean);
}

async function buildPrograms(): Promise<boolean> {
  rmSync("dist", { recursive: true, force: true });
  if (!(await runTool("tsx", ["scripts/generate.ts"]))) return false;
  await build({
    ...SERVER_BUNDLE,
    entryPoints: {
      server: "server.ts",
      "pages-server": "pages-server.ts",
      "api-server": "api-server.ts",
      "import-process": "lib/runtime/import-process.ts",
      standalone: "lib/runtime/standalone.ts",
      "export-process": "lib/runtime/export-process.ts",
      "backfill-thread": "lib/history/backfill/backfill-thread.ts",
      spotline: "cli/main.ts",
    },
    chunkNames: "chunks/[name]-[hash]",
    outdir: "dist",
    sourcemap: true,
  });
  return true;
}

async function buildPages(): Promise<boolean> {
  if (!(await runTool("next", ["build"], { env: { NEXT_TELEMETRY_DISABLED: "1" } }))) return false;
  await hintCompilation(".next");
  await compressStatic(".next/static");
  return true;
}

const compress = promisify(brotliCompress);
/** The slowest of all compresses most; each file is compressed once and loaded often. */
const QUALITY = 11;

/** Writes a compressed copy beside each script and each style in the folder. */
async function compressStatic(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => /\.(js|css)$/.test(name)).map((name) => join(folder, name));
  await Promise.all(files.map(compressFile));
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await compress(content, { params }));
}

process.exitCode = (await main()) ? 0 : 1;
