import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isApiTarget } from "@/lib/api/api-target";
import { spellPath } from "@/lib/api/path-spellings.fixture";
import { endpoints, unversionedSegments } from "@/lib/api/registry";
import config from "@/next.config.mjs";

describe("The API answers", () => {
  test.each([
    "/v1",
    "/v1/",
    "/v1?x",
    "/v1/no-such-endpoint",
    "/v2/quote",
    "/v10",
    "/quote?symbol=EURUSD",
    "/spread/compare",
    "/health",
    "/ready?verbose",
    "/ingest/v1/mt5/calendar",
  ])("%s", (target) => expect(isApiTarget(target)).toBe(true));

  test("no address of a page", () => {
    const pages = ["(auth)", "(dashboard)"].flatMap((group) => readdirSync(`app/${group}`));
    expect(pages).toContain("quotes");
    expect(pages.filter((name) => isApiTarget(`/${name}`))).toEqual([]);
  });

  test("paths without a version, which Next must pass on to it as well", async () => {
    const rewrites = (await config.rewrites?.()) as { source: string }[];
    const sources = rewrites.map(({ source }) => source).filter((source) => source.endsWith("/:path*"));
    const names = sources.flatMap((source) => source.replaceAll("\\.", ".").split(/[(|)]/));
    expect([...unversionedSegments].filter((name) => !names.includes(name))).toEqual([]);
  });

  const beside = ["/csv/{token}", "/ingest/v1/mt5/ticks", "/mcp", "/udf/{token}/quotes"];
  test.each([...endpoints.map(({ path }) => path), ...beside])("every spelling of %s", (path) => {
    for (const spelling of spellPath(path.replace(/\{\w+\}/, "EURUSD")))
      expect([spelling, isApiTarget(spelling)]).toEqual([spelling, true]);
  });

  test("a path with more encodings than anyone needs", () => {
    let path = "/v1/quote";
    for (let round = 0; round < 8; round++) path = path.replace(/[\da-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    expect(isApiTarget(path)).toBe(true);
  });
});

test.each([
  "/",
  "/sign-in?next=/v1/quote",
  "/v1x/quote",
  "/quotes/EURUSD",
  "/quotes/%45URUSD",
  "/x/v1/quote",
  "/v1x/../sign-in",
  "/healthy",
  "/%",
  "/%zz",
  "/\xe9",
  "/..%2f",
])("The pages answer %s", (target) => expect(isApiTarget(target)).toBe(false));

test("A long path of percent signs is decided quickly", () => {
  const startedAtMs = performance.now();
  isApiTarget(`/${"%25".repeat(5_000)}41`);
  isApiTarget(`/${"%".repeat(8_000)}41`);
  expect(performance.now() - startedAtMs).toBeLessThan(500);
});
