import { describe, expect, test } from "vitest";
import { FieldError } from "@/features/forms/action-state";
import { createFormReader } from "@/features/forms/form-reader";
import { readAddressLines, readExpiry, readKeyRequest } from "@/features/keys/form-values";

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

test("A limit is read with the separators of any country, and a fraction is refused", () => {
  const read = (perDay: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ label: "Limits", scopes: "quotes", expiry: "never", perDay })) {
      form.append(name, value);
    }
    return readKeyRequest(createFormReader(form), now).perDay;
  };
  expect(["", "500", "1,500", "1.500", "1 500", "1’500", "１５００"].map(read)).toEqual([
    null,
    500,
    1_500,
    1_500,
    1_500,
    1_500,
    1_500,
  ]);
  for (const typed of ["1,5", "1.5", "-1", "many", "1e3", "9".repeat(10)])
    expect(() => read(typed)).toThrow(FieldError);
});

describe("readAddressLines", () => {
  test("Blank lines are skipped and the others are trimmed", () => {
    expect(readAddressLines("\n 192.0.2.1 \r\n\r\n10.0.0.0/8\n")).toMatchObject({
      addresses: ["192.0.2.1", "10.0.0.0/8"],
      cidrs: ["192.0.2.1/32", "10.0.0.0/8"],
      problems: [],
      warnings: [],
      verdict: null,
    });
  });

  test("A problem has the line number of the editor, blank lines included", () => {
    const { problems } = readAddressLines("192.0.2.1\n\n\nexample.com");
    expect(problems).toMatchObject([{ line: 4, text: "example.com" }]);
  });

  test("The verdict on an address names the line that admits it", () => {
    const formatVerdict = (tried: string, typed = "203.0.113.0/29\n10.0.0.0/8") =>
      readAddressLines(typed, tried).verdict;
    expect(formatVerdict(" 203.0.113.7 ")).toBe("203.0.113.7 is allowed by 203.0.113.0/29.");
    expect(formatVerdict("203.0.113.8")).toBe("203.0.113.8 is refused: no line includes it.");
    expect(formatVerdict("203.0.113.8", "")).toBe("203.0.113.8 is allowed: the list is empty.");
    expect(formatVerdict("010.0.0.1")).toBe("“010.0.0.1” is not an address.");
  });

  test("A list that is too long is not compared line by line", () => {
    const typed = Array.from({ length: 101 }, (_, at) => `10.0.0.${at}/8`).join("\n");
    expect(readAddressLines(typed).warnings).toEqual([
      "A key may have 100 addresses and ranges at most; this list has 101.",
    ]);
  });
});
