import fc from "fast-check";
import { expect, test } from "vitest";
import { BOARD_FILTERS, SORT_COLUMNS } from "@/features/quotes/board-view";
import { readBoardChoice, toBoardHref } from "@/features/quotes/url";

const read = (href: string) => readBoardChoice(Object.fromEntries(new URL(href, "http://localhost").searchParams));

test("The search, the category, the order and the open rows are read from the address written for them", () => {
  const choice = fc.record({
    search: fc.constantFrom("", "gold", "s&p 500", "100% +1,2"),
    filter: fc.constantFrom(...BOARD_FILTERS),
    sort: fc.oneof(
      fc.constant({ column: null, descending: false }),
      fc.record({ column: fc.constantFrom(...SORT_COLUMNS), descending: fc.boolean() }),
    ),
    open: fc.subarray(["EURUSD", "XAUUSD", "GER40"]),
  });
  fc.assert(
    fc.property(choice, (given) => {
      expect(read(toBoardHref(given))).toEqual(given);
    }),
  );
  expect(toBoardHref(readBoardChoice({}))).toBe("/quotes");
});

test("Invalid values of an address are ignored", () => {
  expect(toBoardHref(read("/quotes?show=bonds&sort=-volume&open=NOSUCH,EURUSD,EURUSD"))).toBe("/quotes?open=EURUSD");
  expect(readBoardChoice({ q: ["a", "b"], sort: "-" })).toEqual(readBoardChoice({}));
});
