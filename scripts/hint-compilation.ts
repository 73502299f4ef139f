import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Browsers with V8 then compile every function of the file while it loads, beside the main thread. Others ignore it. */
const HINT = "//# allFunctionsCalledOnLoad\n";

/** Marks the scripts of every page, which React and Next.js are, in a built `.next` folder. */
export async function hintCompilation(folder: string): Promise<void> {
  const manifest = await readFile(join(folder, "build-manifest.json"), "utf8");
  const { rootMainFiles } = JSON.parse(manifest) as { rootMainFiles: readonly string[] };
  await Promise.all(rootMainFiles.map((name) => hintFile(join(folder, name))));
}

async function hintFile(file: string): Promise<void> {
  const content = await readFile(file, "utf8");
  if (!content.startsWith(HINT)) await writeFile(file, HINT + content);
}
