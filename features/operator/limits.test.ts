import { expect, test } from "vitest";
import { formatLimit, readLimit } from "@/features/operator/limits";
import { NO_LIMIT } from "@/lib/access/plans";

test.each([
  ["", null],
  ["  ", null],
  ["none", NO_LIMIT],
  [" None ", NO_LIMIT],
  ["1", 1],
  ["1,000", 1_000],
  ["10 000", 10_000],
  ["1.200", 1_200],
  ["10’000", 10_000],
])("The text %j is read as the limit %j", (text, limit) => {
  expect(readLimit(text)).toBe(limit);
  expect(readLimit(formatLimit(limit))).toBe(limit);
});

test.each(["0", "-1", "1.5", "1,5", "1e3", "0x10", "many", "99999999999"])(
  "The text %j is refused as a limit",
  (text) => {
    expect(() => readLimit(text)).toThrow("A limit is a whole number from 1 up");
  },
);
