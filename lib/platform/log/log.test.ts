import { expect, test } from "vitest";
import { loadConfig } from "@/lib/platform/config";
import { AccessLog } from "@/lib/platform/log/log";

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

const read = (text: string) => loadConfig({ SPOTLINE_ACCESS_LOG: text }).accessLog;

test("All calls are logged by default", () => {
  expect(loadConfig({}).accessLog).toEqual({ share: 1, paths: new Map() });
});

test("A share of all calls and of single endpoints can be set", () => {
  expect(read("0")).toEqual({ share: 0, paths: new Map() });
  expect(read("0.01, /v1/quote=0.001,/health=0,unmatched=1")).toEqual({
    share: 0.01,
    paths: new Map([
      ["/v1/quote", 0.001],
      ["/health", 0],
      ["unmatched", 1],
    ]),
  });
});

test.each(["2", "-1", "1.5", "none", "/health", "health=0", "0.5,", "/health=0 /ready=0"])("refuses %j", (text) => {
  expect(() => read(text)).toThrow("SPOTLINE_ACCESS_LOG: must be a share from 0 to 1");
});
