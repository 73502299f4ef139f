import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** The file that defines endpoints. Its copy opens all of them, so that no call needs a key or is counted. */
const DEFINITION = /[\\/]lib[\\/]api[\\/]engine[\\/]endpoint\.ts$/;

function openEndpoints(source: string): string {
  const opened = source.replace("...definition,", '...definition, access: "open",');
  if (opened === source) throw new Error("lib/api/engine/endpoint.ts no longer copies the definition");
  return opened;
}

const NAMESPACE = "unchecked";

/** Loads imports of "unchecked:@/lib/api/…" from a copy of lib/api without checks of keys. */
const uncheckedCopy: Plugin = {
  name: "unchecked-copy",
  setup({ onResolve, onLoad }) {
    const copied = (path: string) => ({ path: resolve(`${path.replace("@/", "")}.ts`), namespace: NAMESPACE });
    onResolve({ filter: /^unchecked:/ }, ({ path }) => copied(path.slice("unchecked:".length)));
    onResolve({ filter: /^@\/lib\/api\//, namespace: NAMESPACE }, ({ path }) => copied(path));
    onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return {
        contents: DEFINITION.test(path) ? openEndpoints(source) : source,
        loader: "ts",
        resolveDir: resolve("."),
      };
    });
  },
};

/** Builds bench/keys-server.ts as `npm run build` builds the server, and returns the module's path. */
export async function buildKeysServer(): Promise<string> {
  const { metafile } = await build({
    ...SERVER_BUNDLE,
    entryPoints: ["bench/keys-server.ts"],
    outdir: "dist/bench",
    metafile: true,
    plugins: [uncheckedCopy],
  });
  const inputs = Object.keys(metafile.inputs);
  const isCopied = inputs.some((path) => path.startsWith(`${NAMESPACE}:`) && DEFINITION.test(path));
  if (!isCopied) throw new Error("endpoints are defined in another file now");
  return "dist/bench/keys-server.mjs";
}
