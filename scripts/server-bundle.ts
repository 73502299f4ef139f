import type { BuildOptions } from "esbuild";

/**
 * Build options of programs outside of Next. They carry their packages, because loading hundreds of files takes most of
 * the time that a program needs to start, and each is split into chunks, so that it loads only the code that it needs.
 */
export const SERVER_BUNDLE = {
  bundle: true,
  platform: "node",
  format: "esm",
  // These find files of their own beside them, or are loaded by few.
  external: ["next", "@opentelemetry/*", "esbuild", "pg-native"],
  // Packages in CommonJS form load node's modules with `require`.
  banner: {
    js: 'import { createRequire as createBundleRequire } from "node:module";\nconst require = createBundleRequire(import.meta.url);',
  },
  // Node.js 21 and later have it. Where it is missing, the PostgreSQL driver loads all of fetch to find out where it runs.
  define: { navigator: JSON.stringify({ userAgent: "Node.js" }) },
  splitting: true,
  target: "node20",
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
} satisfies BuildOptions;
