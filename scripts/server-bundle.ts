import type { BuildOptions } from "esbuild";

/** Build options of programs outside of Next: each is one file, which loads its packages from node_modules. */
export const SERVER_BUNDLE = {
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  target: "node20",
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
} satisfies BuildOptions;
