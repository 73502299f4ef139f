import { describe, expect, test } from "vitest";
import { readExpiry } from "@/features/keys/form-values";

const now = Date.UTC(2026, 0, 5, 12);

describe("readExpiry", () => {
  test("Preset days count from now", () => {
    expect(readExpiry({ expiry: "7", expiryDate: "" }, now)).toBe(Date.UTC(2026, 0, 12, 12));
  });

  test("A key lasts until the end of the chosen day", () => {
    expect(readExpiry({ expiry: "date", expiryDate: "2026-02-28" }, now)).toBe(Date.UTC(2026, 2, 1));
  });

  test("A key may never expire", () => {
    expect(readExpiry({ expiry: "never", expiryDate: "2026-02-28" }, now)).toBeNull();
  });

  test.each([
    ["date", ""],
    ["date", "2026-02-30"],
    ["date", "tomorrow"],
    ["8", ""],
    ["", ""],
  ])("The choice %j with the date %j has no expiry", (expiry, expiryDate) => {
    expect(readExpiry({ expiry, expiryDate }, now)).toBeUndefined();
  });
});
