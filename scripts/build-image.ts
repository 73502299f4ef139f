import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { listImageFiles } from "@/scripts/image-files";

/**
 * `npm run build:image -- FOLDER`: copies what running needs from a finished build into an empty folder, for an image or
 * for a machine that does not build.
 */

/** Returns the bytes that were copied. */
export async function buildImage(root: string, folder: string): Promise<number> {
  if (!existsSync(join(root, "dist/server.mjs"))) throw new Error("There is no build: run npm run build first.");
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  let bytes = 0;
  for (const name of await listImageFiles(root)) {
    const [from, to] = [join(root, name), join(folder, name)];
    mkdirSync(dirname(to), { recursive: true });
    const stats = lstatSync(from);
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to);
    bytes += stats.size;
  }
  return bytes;
}

if (process.argv[1]?.endsWith("build-image.ts") === true) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Name the folder to write: npm run build:image -- FOLDER");
  const bytes = await buildImage(process.cwd(), folder);
  console.log(`${(bytes / 1e6).toFixed(1)} MB in ${folder}`);
}
