import { describe, expect, test } from "vitest";
import { createUnknownPathError } from "@/lib/api/engine/unknown-path";
import { endpoints } from "@/lib/api/registry";

describe("An unknown path is answered with the endpoint that was meant", () => {
  expect(endpoints.length).toBeGreaterThan(20);

  test.each([
    ["/quote", "/v1/quote"],
    ["/v2/quote", "/v1/quote"],
    ["/V1/Quote/", "/v1/quote"],
    ["/v1//quote", "/v1/quote"],
    ["/api/v1/ohlc", "/v1/ohlc"],
    ["/v1/qoute", "/v1/quote"],
    ["/v3/symbols/EURUSD", "/v1/symbols/{symbol}"],
    ["/spread/compare", "/v1/spread/compare"],
    ["/v1/ready", "/ready"],
  ])("%s is %s", (path, expected) => {
    const error = createUnknownPathError(path);
    expect(error).toMatchObject({ code: "NOT_FOUND", extra: { suggestions: [expected] } });
    expect(error.message).toContain(`${expected} exists.`);
  });

  test.each(["/ws/v1/quotes", "/ws/v1/quotes/", "/ws", "/ws/quotes"])("%s is the WebSocket's", (path) => {
    expect(createUnknownPathError(path)).toMatchObject({ code: "UPGRADE_REQUIRED", status: 426 });
  });

  test.each(["/v1", "/v1/", "/v1/nope", "/v2", `/${"v1/quote".repeat(20)}`, "/v1/%00"])("%s is like none", (path) => {
    const error = createUnknownPathError(path);
    expect(error.extra).toEqual({});
    expect(error.message).toContain("GET /v1/openapi.json");
  });
});
