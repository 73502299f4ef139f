import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** Each place may import from itself and from those before it. */
const ORDER = [
  // Programs of others install them, so they import nothing of the project.
  "clients",
  "lib/time",
  "lib/text",
  "lib/market",
  "lib/platform",
  "lib/feeds",
  "lib/book",
  "lib/analytics/indicators",
  "lib/history",
  "lib/analytics",
  "lib/calendar",
  "lib/export",
  "lib/access",
  "lib/alerts",
  "lib/api",
  "lib/http",
  "lib/readers",
  "lib/pages",
  "lib/runtime",
  "cli",
  "components/ui",
  "components/shared",
  "components/shell",
  "features",
  "app",
  "proxy.ts",
  "server.ts",
  "pages-server.ts",
  "api-server.ts",
  "scripts",
  "e2e",
  "bench",
];

/** The features that every other feature may use; each may use those before it. */
const SHARED_FEATURES = ["session", "forms", "sign-in"];
/** The few pairs of which the first may use the second. */
const FEATURE_PAIRS: readonly (readonly [string, string])[] = [
  ["operator", "account"],
  ["operator", "keys"],
  // The overview has a line of each of these pages, with the same marks and figures.
  ["overview", "calendar"],
  ["overview", "quotes"],
  ["overview", "strength"],
  ["overview", "usage"],
  ["status", "quotes"],
  // A screen has panels of each.
  ["screens", "alerts"],
  ["screens", "calendar"],
  ["screens", "quotes"],
  ["screens", "sessions"],
  ["screens", "spreads"],
  ["screens", "strength"],
  ["screens", "symbols"],
  // One stream brings all of them.
  ["live", "alerts"],
  ["live", "quotes"],
  ["live", "symbols"],
];

function findRank(path: string): number {
  return ORDER.findIndex(
    (place) =>
      path === place || path === place.replace(/\.ts$/, "") || path.startsWith(`${place}/`) || `${path}.ts` === place,
  );
}

const readFeature = (path: string) => /^features\/([^/]+)/.exec(path)?.[1];

function mayUseFeature(path: string, target: string): boolean {
  const [from, to] = [readFeature(path), readFeature(target)];
  if (from === undefined || to === undefined || from === to) return true;
  const [fromRank, toRank] = [SHARED_FEATURES.indexOf(from), SHARED_FEATURES.indexOf(to)];
  if (toRank !== -1) return fromRank === -1 || toRank < fromRank;
  return FEATURE_PAIRS.some(([user, used]) => user === from && used === to);
}

/** Returns one readable sentence for each wrong import. */
function findWrongImports(path: string, source: string): string[] {
  const rank = findRank(path);
  return [...source.matchAll(/\b(?:from|import) "@\/([^"]+)"/g)].flatMap(([, target = ""]) => {
    const targetRank = findRank(target);
    if (targetRank > rank)
      return [`${path} must not import ${target}: ${ORDER[rank]} comes before ${ORDER[targetRank]}.`];
    if (!mayUseFeature(path, target)) return [`${path} must not import ${target}: a feature stands alone.`];
    return [];
  });
}

describe("the import order", () => {
  test("every file imports only from its own place and from those before it", () => {
    const folders = ["clients", "lib", "cli", "components", "features", "app", "scripts", "bench", "e2e"];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    );
    const sources = [...files, "server.ts", "pages-server.ts", "api-server.ts", "proxy.ts"].filter((path) =>
      /(?<!\.test)\.tsx?$/.test(path),
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter((path) => findRank(path) === -1)).toEqual([]);
    expect(sources.flatMap((path) => findWrongImports(path, readFileSync(path, "utf8")))).toEqual([]);
  });

  test("a client package imports nothing from outside of it, but for what is of Node.js alone", () => {
    const folder = "clients/typescript/src";
    const sources = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(sources.length).toBeGreaterThan(5);
    const imported = sources.flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/\b(?:from|import) "([^"]+)"/g)].map(
        ([, path]) => `${name} ${path}`,
      ),
    );
    const isAllowed = (each: string) => /^\S+ \.\/(?!node\.js)[\w-]+\.js$|^node\.ts node:/.test(each);
    expect(imported.filter((each) => !isAllowed(each))).toEqual([]);
  });

  test("a wrong import is reported in one readable sentence", () => {
    expect(findWrongImports("lib/book/book.ts", 'import { x } from "@/lib/api/errors";')).toEqual([
      "lib/book/book.ts must not import lib/api/errors: lib/book comes before lib/api.",
    ]);
    expect(findWrongImports("features/ticks/data.ts", 'import { x } from "@/features/keys/types";')).toEqual([
      "features/ticks/data.ts must not import features/keys/types: a feature stands alone.",
    ]);
    expect(
      findWrongImports("features/forms/define-action.ts", 'import { x } from "@/features/sign-in/actions";'),
    ).toEqual(["features/forms/define-action.ts must not import features/sign-in/actions: a feature stands alone."]);
  });
});
