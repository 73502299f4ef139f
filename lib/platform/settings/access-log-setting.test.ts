import { expect, test } from "vitest";
import { loadConfig } from "@/lib/platform/config";

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
