import type { BuildOptions } from "esbuild";

/** How programs outside of Next are built: our own code in one file each, and packages loaded from node_modules. */
export const SERVER_BUNDLE = {
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  target: "node20",
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
} satisfies BuildOptions;
