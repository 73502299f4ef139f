import { describe, expect, test } from "vitest";
import { readExpiry } from "@/features/keys/form-values";

const now = Date.UTC(2026, 0, 5, 12);

describe("readExpiry", () => {
  test("counts preset days from now", () => {
    expect(readExpiry({ expiry: "7", expiryDate: "" }, now)).toBe(Date.UTC(2026, 0, 12, 12));
  });

  test("keeps a key alive to the end of the chosen day", () => {
    expect(readExpiry({ expiry: "date", expiryDate: "2026-02-28" }, now)).toBe(Date.UTC(2026, 2, 1));
  });

  test("knows keys that never expire", () => {
    expect(readExpiry({ expiry: "never", expiryDate: "2026-02-28" }, now)).toBeNull();
  });

  test.each([
    ["date", ""],
    ["date", "2026-02-30"],
    ["date", "tomorrow"],
    ["8", ""],
    ["", ""],
  ])("does not guess what %j with %j means", (expiry, expiryDate) => {
    expect(readExpiry({ expiry, expiryDate }, now)).toBeUndefined();
  });
});
