import { build, type Plugin } from "esbuild";

/** Where the checks of a key are, and what stands there instead: nobody is asked for a key, so nobody is counted. */
const CHECKS = /[\\/]lib[\\/]api[\\/]authorise\.ts$/;
const NO_CHECKS = `
  export const KEY_NOT_KNOWN_YET = Symbol("never thrown");
  export const authenticate = () => null;
  export const requireAccess = () => {};
`;

const withoutChecks: Plugin = {
  name: "without-checks",
  setup({ onLoad }) {
    onLoad({ filter: CHECKS }, () => ({ contents: NO_CHECKS, loader: "ts" }));
  },
};

/** Builds the server as `npm run build:server` does, but for the checks of keys, and returns its path. */
export async function buildUnchecked(): Promise<string> {
  const { metafile } = await build({
    entryPoints: ["server.ts", "pages-server.ts"],
    outdir: "dist/unchecked",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    target: "node20",
    logLevel: "warning",
    metafile: true,
    plugins: [withoutChecks],
  });
  const inputs = Object.keys(metafile.inputs);
  if (!inputs.includes("lib/api/authorise.ts")) throw new Error("the checks of keys are somewhere else now");
  return "dist/unchecked/server.mjs";
}
