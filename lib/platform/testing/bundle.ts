import { rmSync } from "node:fs";
import { mkdtemp, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";

/** A script that tests run in separate processes. */
export interface Bundle {
  readonly file: string;
  /** The packages that it loads at its start. */
  readonly packages: readonly string[];
}

const bundles = new Map<string, Promise<Bundle>>();

/**
 * Bundles a script, given by its path from the project's folder. A bundle starts much faster than a script under `tsx`.
 */
export function bundle(script: string): Promise<Bundle> {
  const existing = bundles.get(script) ?? createBundle(script);
  bundles.set(script, existing);
  return existing;
}

async function createBundle(script: string): Promise<Bundle> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spotline-bundle-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Packages are resolved from the bundle's folder upwards.
  await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
  const { metafile } = await build({
    entryPoints: [{ in: script, out: "main" }],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  const file = path.join(folder, "main.mjs");
  const packages = new Set<string>();
  const visit = (output: string) => {
    for (const { path: target, kind, external } of metafile.outputs[output]?.imports ?? []) {
      if (kind === "dynamic-import") continue;
      if (external) packages.add(target);
      else visit(target);
    }
  };
  visit(path.relative(process.cwd(), file));
  return { file, packages: [...packages] };
}
