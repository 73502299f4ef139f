import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { SERVER_BUNDLE } from "@/scripts/server-bundle";

/** Where the checks of a key are, and what stands there instead: nobody is asked for a key, so nobody is counted. */
const CHECKS = /[\\/]lib[\\/]api[\\/]authorise\.ts$/;
const NO_CHECKS = `
  export const KEY_NOT_KNOWN_YET = Symbol("never thrown");
  export const authenticate = () => null;
  export const requireAccess = () => {};
`;
const namespace = "unchecked";

/** Gives what is imported as "unchecked:@/lib/api/…" a copy of all of lib/api that has no checks. */
const uncheckedCopy: Plugin = {
  name: "unchecked-copy",
  setup({ onResolve, onLoad }) {
    const copied = (path: string) => ({ path: resolve(`${path.replace("@/", "")}.ts`), namespace });
    onResolve({ filter: /^unchecked:/ }, ({ path }) => copied(path.slice("unchecked:".length)));
    onResolve({ filter: /^@\/lib\/api\//, namespace }, ({ path }) => copied(path));
    onLoad({ filter: /./, namespace }, async ({ path }) => ({
      contents: CHECKS.test(path) ? NO_CHECKS : await readFile(path, "utf8"),
      loader: "ts",
      resolveDir: resolve("."),
    }));
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
  const isCopied = inputs.some((path) => path.startsWith(`${namespace}:`) && CHECKS.test(path));
  if (!isCopied || !inputs.includes("lib/api/engine/authorise.ts")) {
    throw new Error("the checks of keys are somewhere else now");
  }
  return "dist/bench/keys-server.mjs";
}
