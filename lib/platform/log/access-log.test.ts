import { expect, test } from "vitest";
import { AccessLog } from "@/lib/platform/log/access-log";

const log = () =>
  new AccessLog({
    share: 0.1,
    paths: new Map([
      ["/v1/quote", 0.01],
      ["/health", 0],
      ["/ready", 1],
    ]),
  });

test.each([
  ["/v1/ticks", 100],
  ["/v1/quote", 10],
  ["/health", 0],
  ["/ready", 1_000],
])("Of a thousand calls of %s, %i are logged", (path, expected) => {
  const access = log();
  const selected = Array.from({ length: 1_000 }, () => access.selects(path, 200));
  expect(selected.filter(Boolean)).toHaveLength(expected);
});

test("The first call of an endpoint is logged, and so is every answer that failed on our side", () => {
  const access = log();
  expect([200, 200, 404, 503, 500].map((status) => access.selects("/v1/ticks", status))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
  expect(access.selects("/health", 503)).toBe(true);
});
