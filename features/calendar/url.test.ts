import fc from "fast-check";
import { expect, test } from "vitest";
import { CURRENCIES, RANGES, readChoice, writeChoice } from "@/features/calendar/url";
import { IMPACTS } from "@/lib/calendar/event";

test("A choice is read from the address that is written for it", () => {
  const choice = fc.record({
    range: fc.constantFrom(...RANGES),
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
  expect(writeChoice(readChoice(""))).toBe("");
});

test("Invalid values of an address are ignored", () => {
  expect(readChoice("range=year&zone=Mars/Base&currencies=usd,usd,x,1&impact=huge,low")).toEqual({
    ...{ range: "week", zone: "UTC", currencies: ["USD"], impacts: ["low"], search: "" },
  });
});
