import { expect, test } from "vitest";
import { claimReload, isMissingScript } from "@/components/shared/server-build";
import { MINUTE_MS as MINUTE } from "@/lib/time/units";

function createStore() {
  const entries = new Map<string, string>();
  return { getItem: (name: string) => entries.get(name) ?? null, setItem: entries.set.bind(entries) };
}

test("A tab between servers of two builds loads its page once for each, and never twice in a minute", () => {
  const store = createStore();
  const claims = Array.from({ length: 60 }, (_, second) => claimReload(store, second % 2 ? "a" : "b", second * 1_000));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(claimReload(store, "a", MINUTE)).toBe(true);
  expect(claimReload(store, "b", 3 * MINUTE)).toBe(false);
  expect(claimReload(store, "b", 11 * MINUTE)).toBe(true);
});

test("A clock that was set back does not forbid loading for long", () => {
  const store = createStore();
  expect(claimReload(store, "a", 300 * MINUTE)).toBe(true);
  expect(claimReload(store, "a", 120 * MINUTE)).toBe(true);
});

test("A script that could not be loaded is told from other errors", () => {
  const missing = Object.assign(new Error("Failed to load chunk /_next/static/chunks/a.js from module 1"), {
    name: "ChunkLoadError",
  });
  expect(isMissingScript(missing)).toBe(true);
  expect(isMissingScript(new TypeError("x is undefined"))).toBe(false);
  expect(isMissingScript("Failed to load chunk")).toBe(false);
});
