import { expect, test } from "vitest";
import { parseMoment, splitList } from "@/cli/access";

test.each([
  ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["2027-01-31T12:30", "2027-01-31T12:30:00.000Z"],
  ["2027-01-31T12:30:15.5Z", "2027-01-31T12:30:15.500Z"],
  ["2027-01-31T12:30+02:00", "2027-01-31T10:30:00.000Z"],
])("The time %s is parsed, as UTC without an offset", (text, iso) => {
  expect(new Date(parseMoment("expires", text)).toISOString()).toBe(iso);
});

test.each([
  "",
  "tomorrow",
  "2027-02-30",
  "2027-13-01",
  "2027-01-31T25:00",
  "31.01.2027",
  "1800000000",
  "2027-01-31 12:30",
])("The text %j is refused as a time", (text) =>
  expect(() => parseMoment("expires", text)).toThrow("--expires must be a date and time"),
);

test("A list is split at commas", () => {
  expect(splitList("quotes, premium")).toEqual(["quotes", "premium"]);
});
