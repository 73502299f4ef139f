import { expect, test } from "vitest";
import { readUsageView, toUsageHref } from "@/features/usage/url";

const paths = ["/v1/quote", "/v1/ticks"];

test("A view is read from the address that is written for it", () => {
  const view = { period: "30d", keyId: "a-key", endpoint: "/v1/ticks" } as const;
  expect(toUsageHref(view)).toBe("/usage?period=30d&key=a-key&endpoint=/v1/ticks");
  expect(readUsageView({ period: "30d", key: "a-key", endpoint: "/v1/ticks" }, paths)).toEqual(view);
});

test("Invalid values are ignored and defaults are left out", () => {
  const view = readUsageView({ period: "1y", key: "", endpoint: "/v1/nope" }, paths);
  expect(view).toEqual({ period: "24h", keyId: null, endpoint: null });
  expect(readUsageView({ period: ["7d", "30d"], key: ["a", "b"] }, paths)).toEqual(view);
  expect(toUsageHref(view)).toBe("/usage");
});
