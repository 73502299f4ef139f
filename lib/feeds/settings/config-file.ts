import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

/** The file of settings: TypeScript, JavaScript or JSON. */

const NAMES = ["ts", "mts", "mjs", "js", "json"].map((extension) => `spotline.config.${extension}`);
/** What the file imports from "spotline". The types are those of define-spotline.ts. */
const HELPER = "export const defineSpotline = (config) => config;";

/**
 * Finds the file: the named one, or spotline.config.ts and its other forms in the folder of the project. Returns null if
 * there is none. Throws an Error if a named file does not exist.
 */
export function findConfigFile(named: string | null): string | null {
  if (named !== null) {
    if (!existsSync(named)) throw new Error(`SPOTLINE_CONFIG: there is no file ${path.resolve(named)}`);
    return path.resolve(named);
  }
  const found = NAMES.filter((name) => existsSync(/* turbopackIgnore: true */ name));
  if (found.length > 1) throw new Error(`${found.join(" and ")} both exist; remove one of them`);
  return found[0] === undefined ? null : path.resolve(found[0]);
}

/** Reads what the file exports. A later call reads it again. Throws an Error that names the file and the fault. */
export async function readConfigFile(file: string): Promise<unknown> {
  const name = path.basename(file);
  try {
    if (file.endsWith(".json")) return JSON.parse(await readFile(file, "utf8")) as unknown;
    const code = await bundle(file);
    // Each version has an address of its own, so that an earlier one is not taken from memory.
    const url = `data:text/javascript;base64,${Buffer.from(`${code}\n// ${Date.now()}`).toString("base64")}`;
    const loaded = (await import(/* turbopackIgnore: true */ /* @vite-ignore */ url)) as { readonly default?: unknown };
    if (loaded.default === undefined) throw new Error('it has no "export default"');
    return loaded.default;
  } catch (error) {
    const [first] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new Error(`${name}: ${first ?? "it cannot be read"}`, { cause: error });
  }
}

/** The file and what it imports, as one JavaScript module. */
async function bundle(file: string): Promise<string> {
  const { build } = await import(/* turbopackIgnore: true */ "esbuild");
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    plugins: [
      {
        name: "spotline",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^spotline$/ }, () => ({ path: "spotline", namespace: "spotline" }));
          onLoad({ filter: /.*/, namespace: "spotline" }, () => ({ contents: HELPER }));
        },
      },
    ],
  }).catch((error: unknown) => {
    throw describeBuildFailure(error);
  });
  return result.outputFiles[0]?.text ?? "";
}

interface BuildMessage {
  readonly text: string;
  readonly location: { readonly line: number } | null;
}

function describeBuildFailure(error: unknown): Error {
  const { errors = [] } = error as { readonly errors?: readonly BuildMessage[] };
  const [first] = errors;
  if (first === undefined) return error instanceof Error ? error : new Error(String(error));
  const line = first.location === null ? "" : `line ${first.location.line}: `;
  return new Error(`${line}${first.text}`);
}
