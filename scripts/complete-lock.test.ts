import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findMissing, findUnchecked, type Lock, readSystems } from "@/scripts/complete-lock";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;

test("The lock file has every optional package of every package (if not: npm run complete-lock)", () => {
  expect([...findMissing(lock).keys()]).toEqual([]);
});

test("Every package of the lock file has a checksum (if not: npm run complete-lock)", () => {
  expect(findUnchecked(lock)).toEqual([]);
});

test("The lock file names no registry", () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test("The systems in the name of a build equal those in its description", () => {
  let compared = 0;
  for (const [path, { os, cpu, libc }] of Object.entries(lock.packages)) {
    const systems = os === undefined && cpu === undefined ? null : readSystems(path);
    // The builds of sharp for Linux need a C library that their names leave out.
    if (systems === null || path.includes("@img/")) continue;
    expect({ path, os, cpu, libc }).toEqual({ path, libc: undefined, os: undefined, ...systems });
    compared++;
  }
  expect(compared).toBeGreaterThan(60);
});

test("A missing package gets an entry for its system, and is a development dependency if its owner is", () => {
  const packages = {
    "node_modules/tool": { version: "1.0.0", dev: true, optionalDependencies: { "tool-linux-x64-musl": "1.0.0" } },
    "node_modules/app": { version: "2.0.0", optionalDependencies: { "app-darwin-arm64": "2.0.0", nested: "3.0.0" } },
    "node_modules/app/node_modules/nested": { version: "3.0.0" },
  };
  expect(Object.fromEntries(findMissing({ packages }))).toEqual({
    "node_modules/tool-linux-x64-musl": {
      version: "1.0.0",
      cpu: ["x64"],
      dev: true,
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    },
    "node_modules/app-darwin-arm64": { version: "2.0.0", cpu: ["arm64"], optional: true, os: ["darwin"] },
  });
});

test.each([
  ["@next/swc-win32-x64-msvc", { os: ["win32"], cpu: ["x64"] }],
  ["@esbuild/darwin-arm64", { os: ["darwin"], cpu: ["arm64"] }],
  ["@oxc-parser/binding-linux-arm-gnueabihf", { os: ["linux"], cpu: ["arm"] }],
  ["@tailwindcss/oxide-wasm32-wasi", { cpu: ["wasm32"] }],
  ["pg-cloudflare", null],
])("The systems of %s are read from its name", (name, systems) => {
  expect(readSystems(name)).toEqual(systems);
});

test("A package without a system in its name, or with a range as its version, is refused", () => {
  const owner = (optionalDependencies: Record<string, string>) => ({
    packages: { "node_modules/a": { optionalDependencies } },
  });
  expect(() => findMissing(owner({ native: "1.0.0" }))).toThrow(/does not say/);
  expect(() => findMissing(owner({ "native-linux-x64": "^1.0.0" }))).toThrow(/is a range/);
});
