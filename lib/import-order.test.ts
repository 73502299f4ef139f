import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Each place may import from itself and from those before it. */
const ORDER = [
  "lib/market",
  "lib/platform",
  "lib/feeds",
  "lib/book",
  "lib/history",
  "lib/analytics",
  "lib/calendar",
  "lib/access",
  "lib/api",
  "lib/pages",
  "lib/runtime.ts",
  "components",
  "app",
  "cli",
  "server.ts",
  "pages-server.ts",
];

function rankOf(path: string): number {
  return ORDER.findIndex(
    (place) => path === place || path === place.replace(/\.ts$/, "") || path.startsWith(`${place}/`),
  );
}

/** One readable sentence per wrong import. */
function wrongImports(path: string, source: string): string[] {
  const rank = rankOf(path);
  return [...source.matchAll(/\bfrom "@\/([^"]+)"/g)].flatMap(([, target = ""]) => {
    const targetRank = rankOf(target);
    if (targetRank === -1 || targetRank <= rank) return [];
    return [`${path} must not import ${target}: ${ORDER[rank]} comes before ${ORDER[targetRank]}.`];
  });
}

describe("the import order", () => {
  it("holds everywhere", () => {
    const files = ["lib", "components", "app", "cli"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    );
    const sources = [...files, "server.ts", "pages-server.ts"].filter((path) => /(?<!\.test)\.tsx?$/.test(path));
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter((path) => rankOf(path) === -1)).toEqual([]);
    expect(sources.flatMap((path) => wrongImports(path, readFileSync(path, "utf8")))).toEqual([]);
  });

  it("answers a wrong import with one readable sentence", () => {
    expect(wrongImports("lib/book/book.ts", 'import { x } from "@/lib/api/errors";')).toEqual([
      "lib/book/book.ts must not import lib/api/errors: lib/book comes before lib/api.",
    ]);
  });
});
