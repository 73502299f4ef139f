import fc from "fast-check";
import { expect, test } from "vitest";
import { CURRENCIES, findChoice, RANGES, readChoice, writeChoice } from "@/features/calendar/url";
import { EVENT_KINDS, IMPACTS } from "@/lib/calendar/event";

test("A choice is read from the address that is written for it", () => {
  const choice = fc.record({
    range: fc.constantFrom(...RANGES),
    date: fc.constantFrom(null, "2026-11-22", "2028-02-29"),
    zone: fc.constantFrom("UTC", "Asia/Tokyo", "America/Argentina/Buenos_Aires"),
    currencies: fc.subarray([...CURRENCIES]),
    impacts: fc.subarray([...IMPACTS]),
    kinds: fc.subarray([...EVENT_KINDS]),
    search: fc.constantFrom("", "cpi", "a&b=c", "100% +1"),
    event: fc.constantFrom(null, "0123456789abcdef"),
    pair: fc.constantFrom(null, "EURUSD"),
  });
  fc.assert(
    fc.property(choice, (given) => {
      for (const own of ["UTC", "Asia/Tokyo"]) expect(readChoice(writeChoice(given, own), own)).toEqual(given);
    }),
  );
  expect(writeChoice(readChoice("", "UTC"), "UTC")).toBe("range=week");
});

test("Invalid values of an address are ignored", () => {
  expect(
    readChoice(
      "range=year&date=2026-02-30&zone=Mars/Base&currencies=usd,usd,x,1&impact=huge,low&kind=auction,x&event=7&pair=a/b",
      "UTC",
    ),
  ).toEqual({
    range: "week",
    date: null,
    zone: "UTC",
    currencies: ["USD"],
    impacts: ["low"],
    kinds: ["auction"],
    search: "",
    event: null,
    pair: null,
  });
});

test("An address with any choice has priority over the choice of the last visit", () => {
  const remembered = "range=month&date=2026-10-01&currencies=NZD";
  const { choice, isNamed } = findChoice({ range: "week", zone: "UTC" }, remembered, "UTC");
  expect(choice).toEqual(readChoice("range=week", "UTC"));
  expect(isNamed).toBe(true);
  expect(findChoice({ impact: "high" }, remembered, "UTC").choice.currencies).toEqual([]);
});

test("An address without a choice shows the choice of the last visit at the present", () => {
  const remembered = "range=month&date=2026-10-01&currencies=NZD&zone=UTC&event=0123456789abcdef&pair=EURUSD";
  const { choice, isNamed } = findChoice({ utm_source: "mail" }, remembered, "Asia/Tokyo");
  expect(choice).toEqual(readChoice("range=month&currencies=NZD", "Asia/Tokyo"));
  expect(isNamed).toBe(false);
});

test("The address of a first visit gets its choice too, so that a cookie of its receiver does not replace it", () => {
  const first = findChoice({}, undefined, "UTC");
  expect(first).toEqual({ choice: readChoice("", "UTC"), isNamed: false });
  const sent = Object.fromEntries(new URLSearchParams(writeChoice(first.choice, "UTC")));
  expect(findChoice(sent, "range=month&currencies=NZD", "UTC")).toEqual({ choice: first.choice, isNamed: true });
});
