import { expect, test } from "vitest";
import { loadConfig } from "@/lib/platform/config";

const TOKEN = "t".repeat(32);
const read = (env: Record<string, string>) => loadConfig(env).metrics;

test("Metrics are off, at the public port with a token, or at a port of their own.", () => {
  expect(read({})).toBeNull();
  expect(read({ SPOTLINE_METRICS_HOST: "0.0.0.0" })).toBeNull();
  expect(read({ SPOTLINE_METRICS_TOKEN: TOKEN })).toEqual({ token: TOKEN, own: null });
  const own = { port: 9464, host: "127.0.0.1" };
  expect(read({ SPOTLINE_METRICS_PORT: "9464" })).toEqual({ token: null, own });
  expect(read({ SPOTLINE_METRICS_PORT: "9464", SPOTLINE_METRICS_TOKEN: TOKEN })).toEqual({ token: TOKEN, own });
});

test.each([
  ["SPOTLINE_METRICS_PORT", "65536"],
  ["SPOTLINE_METRICS_PORT", "-1"],
  ["SPOTLINE_METRICS_PORT", "no"],
  ["SPOTLINE_METRICS_TOKEN", "short"],
  ["SPOTLINE_METRICS_TOKEN", `${TOKEN} x`],
])("%s refuses %j by its name.", (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name);
});
