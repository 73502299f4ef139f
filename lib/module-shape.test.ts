import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";

/** See "Modules" in CONTRIBUTING.md. */
const FEWEST_LINES = 40;

interface Module {
  readonly path: string;
  readonly lines: number;
  readonly directive: string | undefined;
  readonly isEndpoint: boolean;
  readonly imports: readonly { readonly path: string; readonly isLazy: boolean }[];
}

const FOLDERS = ["lib", "cli", "components", "features", "app"];
const isProduct = (path: string) =>
  /\.tsx?$/.test(path) && !/\.(test|fixture)\./.test(path) && !path.includes("/testing/");
const PROGRAMS = ["server.ts", "pages-server.ts", "api-server.ts", "proxy.ts"];
const inFolders = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name).replaceAll("\\", "/")),
);
const paths = [...inFolders.filter(isProduct), ...PROGRAMS];
const known = new Set(paths);

/** The module that an import names, or undefined for a package or another file. */
function resolve(name: string, from: string): string | undefined {
  if (!/^(@\/|\.)/.test(name)) return undefined;
  const path = name.startsWith("@/") ? name.slice(2) : posix.join(dirname(from), name);
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((each) => known.has(each));
}

function readModule(path: string): Module {
  const source = readFileSync(path, "utf8");
  const named = [...source.matchAll(/\b(?:from|import) "([^"]+)"|\bimport\("([^"]+)"\)/g)];
  return {
    path,
    lines: source.split("\n").length - 1,
    isEndpoint: path.startsWith("lib/api/") && source.includes(" = defineEndpoint("),
    directive: /^"use (\w+)"/.exec(source)?.[1],
    imports: named.flatMap(([, name = "", lazy]) => {
      const imported = resolve(lazy ?? name, path);
      return imported === undefined || imported === path ? [] : { path: imported, isLazy: lazy !== undefined };
    }),
  };
}

const modules = paths.map(readModule);
const byPath = new Map(modules.map((module) => [module.path, module]));
/** "lib/api", "features/keys", "components/ui". */
const readRoom = (path: string) => path.split("/").slice(0, 2).join("/");

/** Finds one circle of imports, from a module back to itself; null if there is none. */
function findCircle(): readonly string[] | null {
  const finished = new Set<string>();
  const walk = (path: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (finished.has(path)) return null;
    for (const imported of byPath.get(path)?.imports ?? []) {
      const circle = walk(imported.path, [...way, path]);
      if (circle !== null) return circle;
    }
    finished.add(path);
    return null;
  };
  for (const path of paths) {
    const circle = walk(path, []);
    if (circle !== null) return circle;
  }
  return null;
}

/**
 * Whether the only importer of a small module could have it inside: both are in one room and on the same side of the
 * network, and the module is not loaded later. An endpoint has a file of its own, as the recipe in lib/README.md says.
 */
function belongsInside({ path, lines, directive, isEndpoint }: Module): boolean {
  if (lines >= FEWEST_LINES || path.startsWith("app/") || isEndpoint) return false;
  const importers = modules.filter((each) => each.imports.some((imported) => imported.path === path));
  const [only] = importers;
  return (
    importers.length === 1 &&
    only !== undefined &&
    readRoom(only.path) === readRoom(path) &&
    only.directive === directive &&
    !only.imports.some((imported) => imported.path === path && imported.isLazy)
  );
}

test("No module imports itself by way of others", () => {
  expect(paths.length).toBeGreaterThan(500);
  expect(findCircle()).toBeNull();
});

test("A small module that one module imports is inside it", () => {
  expect(modules.filter(belongsInside).map(({ path }) => path)).toEqual([]);
});
