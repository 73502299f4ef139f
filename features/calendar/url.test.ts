import fc from "fast-check";
import { expect, test } from "vitest";
import { CURRENCIES, findChoice, RANGES, readChoice, writeChoice } from "@/features/calendar/url";
import { IMPACTS } from "@/lib/calendar/event";

test("A choice is read from the address that is written for it", () => {
  const choice = fc.record({
    range: fc.constantFrom(...RANGES),
    date: fc.constantFrom(null, "2026-11-22", "2028-02-29"),
    zone: fc.constantFrom("UTC", "Asia/Tokyo", "America/Argentina/Buenos_Aires"),
    currencies: fc.subarray([...CURRENCIES]),
    impacts: fc.subarray([...IMPACTS]),
    search: fc.constantFrom("", "cpi", "a&b=c", "100% +1"),
  });
  fc.assert(
    fc.property(choice, (given) => {
      expect(readChoice(writeChoice(given))).toEqual(given);
    }),
  );
  expect(writeChoice(readChoice(""))).toBe("range=week");
});

test("Invalid values of an address are ignored", () => {
  expect(readChoice("range=year&date=2026-02-30&zone=Mars/Base&currencies=usd,usd,x,1&impact=huge,low")).toEqual({
    range: "week",
    date: null,
    zone: "UTC",
    currencies: ["USD"],
    impacts: ["low"],
    search: "",
  });
});

test("An address with any choice has priority over the choice of the last visit", () => {
  const remembered = "range=month&date=2026-10-01&currencies=NZD";
  const { choice, isRemembered } = findChoice({ range: "week", zone: "UTC" }, remembered);
  expect(choice).toEqual(readChoice("range=week"));
  expect(isRemembered).toBe(false);
  expect(findChoice({ impact: "high" }, remembered).choice.currencies).toEqual([]);
});

test("An address without a choice shows the choice of the last visit at the present", () => {
  const { choice, isRemembered } = findChoice({ utm_source: "mail" }, "range=month&date=2026-10-01&currencies=NZD");
  expect(choice).toEqual(readChoice("range=month&currencies=NZD"));
  expect(isRemembered).toBe(true);
  expect(findChoice({}, undefined)).toEqual({ choice: readChoice(""), isRemembered: false });
});
