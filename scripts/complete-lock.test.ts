import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findMissing, findUnchecked, type Lock } from "@/scripts/complete-lock";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;

test("The lock file has every optional package of every package (if not: npm run complete-lock)", () => {
  expect([...findMissing(lock).keys()]).toEqual([]);
});

test("Every package of the lock file has a checksum (if not: npm run complete-lock)", () => {
  expect(findUnchecked(lock)).toEqual([]);
});

test("The lock file names no registry", () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
