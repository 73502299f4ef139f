import { expect, test } from "vitest";
import { readPermissions } from "@/cli/commands/key";

const read = (given: Record<string, string>) => readPermissions({ optional: (name) => given[name] });

test("Only the given options become settings", () => {
  expect(read({})).toEqual({});
  expect(read({ symbols: "forex, XAUUSD", "per-day": "500" })).toEqual({ symbols: ["forex", "XAUUSD"], perDay: 500 });
});

test("The words any and none remove a restriction", () => {
  const given = { endpoints: "any", symbols: "any", origins: "any", "per-minute": "none", "per-day": "none" };
  expect(read(given)).toEqual({ endpoints: [], symbols: [], origins: [], perMinute: null, perDay: null });
});

test.each(["-1", "1.5", "many", ""])("The limit %j is refused", (text) =>
  expect(() => read({ "per-minute": text })).toThrow("--per-minute must be a whole number, or none."),
);
