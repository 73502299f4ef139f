#!/usr/bin/env node
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Runs the built command line, or its sources if there is no build or they are newer. */

const SOURCES = ["cli", "components", "features", "lib", "prisma"];

// Settings, migrations and the build are found relative to the project's folder, not to the caller's.
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
if (isBuildCurrent()) {
  await import("../dist/spotline.mjs");
} else {
  const { register } = await import("tsx/esm/api");
  register();
  await import("./main.ts");
}

function isBuildCurrent() {
  const builtAtMs = statSync("dist/spotline.mjs", { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // An image has the build without its sources.
  if (!existsSync("cli/main.ts")) return true;
  return builtAtMs > 0 && SOURCES.every((folder) => findNewestFileMs(folder) <= builtAtMs);
}

function findNewestFileMs(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((file) => statSync(join(file.parentPath ?? file.path, file.name)).mtimeMs));
}
