import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = ["app", "components", "features"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|css)$/.test(path) && !/\.test\./.test(path))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(folder, path), "utf8") })),
);

/** Set by Next's fonts, or composed of a part and a variable. */
const OTHERS = /^(font-geist-|has-|layers-$|tools-$|colour-$|line-$)/;

test("Every colour and size that a page names is defined in a style sheet or beside it", () => {
  const defined = new Set(
    SOURCES.flatMap(({ text }) => [...text.matchAll(/--([a-z][\w-]*)["']?\]?\s*:/g)].map(([, name]) => name)),
  );
  const used = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:var\(|["'`(])--([a-z][\w-]*)/g)].map(([, name = ""]) => ({ path, name })),
  );
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter(({ name }) => !defined.has(name) && !OTHERS.test(name))).toEqual([]);
});
