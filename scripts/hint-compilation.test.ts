import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hintCompilation } from "@/scripts/hint-compilation";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spotline-build-"));
  await mkdir(join(folder, "static"));
  const rootMainFiles = ["static/main.js"];
  await writeFile(join(folder, "build-manifest.json"), JSON.stringify({ rootMainFiles }));
  for (const name of ["main", "page"]) await writeFile(join(folder, "static", `${name}.js`), `start("${name}");`);
});
afterAll(() => rm(folder, { recursive: true }));

test("The scripts of every page are marked once, and those of single pages are not", async () => {
  await hintCompilation(folder);
  await hintCompilation(folder);
  expect(await readFile(join(folder, "static/main.js"), "utf8")).toBe('//# allFunctionsCalledOnLoad\nstart("main");');
  expect(await readFile(join(folder, "static/page.js"), "utf8")).toBe('start("page");');
});
