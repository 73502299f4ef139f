import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const README = readFileSync("lib/README.md", "utf8");

/** Code spans that name a file or a folder, and the code span of a name right after it. */
const MENTIONS = [...README.matchAll(/`((?:[\w.()[\]-]+\/)+(?:[\w.-]+\.tsx?)?)`(?:\s+`(\w+)`)?/g)].map(
  ([, path = "", name]) => ({ path, name }),
);

/** A function, class, component, constant or method of that name. */
function defines(source: string, name: string): boolean {
  return new RegExp(`\\b(function\\*?|class|const|interface)\\s+${name}\\b|^ +(async )?${name}\\(`, "m").test(source);
}

test("Every file and folder that lib/README.md names exists", () => {
  expect(MENTIONS.length).toBeGreaterThan(50);
  expect(MENTIONS.filter(({ path }) => !existsSync(path)).map(({ path }) => path)).toEqual([]);
});

test("Every function that lib/README.md names stands in the file beside it", () => {
  const named = MENTIONS.filter(({ path, name }) => name !== undefined && existsSync(path));
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(({ path, name = "" }) => !defines(readFileSync(path, "utf8"), name));
  expect(missing.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});

test("No walk has more than seven stations", () => {
  const walks = README.split(/^## /m).filter((section) => section.startsWith("From "));
  expect(walks).toHaveLength(4);
  for (const walk of walks) expect(walk.match(/^\d+\. /gm)?.length).toBeLessThanOrEqual(7);
});
