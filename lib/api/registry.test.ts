import { expect, test } from "vitest";
import { endpoints, matchPath } from "@/lib/api/registry";

test.each([
  ["/v1/%71uote", "/v1/quote"],
  ["/%76%31/quote", "/v1/quote"],
  ["/v1/%71%55ote", null],
  ["/v1/quote/", "/v1/quote"],
  ["/v1/spread/compare/", "/v1/spread/compare"],
  ["/v1/symbols/%45URUSD/", "/v1/symbols/{symbol}"],
  ["/v1/%73ymbols/EUR%2FUSD", "/v1/symbols/{symbol}"],
  ["/v1/quote//", null],
  ["/v1//quote", null],
  ["/v1/%2571uote", null],
  ["/v1%2fquote", null],
  ["/v1/%2e%2e/v1/quote", null],
  ["/v1/", null],
  ["/health/", null],
  ["/%68ealth", null],
])("The path %s is that of %s", (path, template) => {
  expect(matchPath(path)?.path ?? null).toBe(template);
});

test("Every path of /v1 is found as it is documented, and with a slash at its end", () => {
  for (const { path } of endpoints.filter((each) => each.path.startsWith("/v1/"))) {
    const own = path.replace(/\{\w+\}/, "EURUSD");
    expect([matchPath(own)?.path, matchPath(`${own}/`)?.path]).toEqual([path, path]);
  }
});
