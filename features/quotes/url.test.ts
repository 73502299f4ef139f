import fc from "fast-check";
import { expect, test } from "vitest";
import { BOARD_FILTERS, SORT_COLUMNS } from "@/features/quotes/board-view";
import { BOARD_COLUMNS, DENSITIES } from "@/features/quotes/columns";
import { readBoardChoice } from "@/features/quotes/read-choice";
import { toBoardHref, toLookCookie, toSharedHref } from "@/features/quotes/url";

const read = (href: string) => readBoardChoice(Object.fromEntries(new URL(href, "http://localhost").searchParams));

test("Every choice is read from the address written for them", () => {
  const choice = fc.record({
    search: fc.constantFrom("", "gold", "s&p 500", "100% +1,2"),
    filter: fc.constantFrom(...BOARD_FILTERS),
    sort: fc.oneof(
      fc.constant({ column: null, descending: false }),
      fc.record({ column: fc.constantFrom(...SORT_COLUMNS), descending: fc.boolean() }),
    ),
    open: fc.subarray(["EURUSD", "XAUUSD", "GER40"]),
    columns: fc.subarray([...BOARD_COLUMNS]),
    density: fc.constantFrom(...DENSITIES),
    place: fc.constantFrom(
      { list: null, shared: null },
      { list: "majors", shared: null },
      { list: null, shared: { name: "Ä & B, 100 %", symbols: ["EURUSD", "BTCUSD"] } },
    ),
  });
  fc.assert(
    fc.property(choice, ({ place, ...others }) => {
      const given = { ...others, ...place };
      expect(read(toBoardHref(given))).toEqual(given);
    }),
  );
  expect(toBoardHref(readBoardChoice({}))).toBe("/quotes");
});

test("Invalid values of an address are ignored", () => {
  expect(toBoardHref(read("/quotes?show=bonds&sort=-volume&open=NOSUCH,EURUSD,EURUSD"))).toBe("/quotes?open=EURUSD");
  expect(readBoardChoice({ q: ["a", "b"], sort: "-" })).toEqual(readBoardChoice({}));
});

test("The look of the last visit is used where the address has none", () => {
  const cookie = toLookCookie({ columns: ["bid", "percent"], density: "compact" });
  expect(readBoardChoice({ q: "gold" }, cookie)).toMatchObject({ columns: ["bid", "percent"], density: "compact" });
  expect(readBoardChoice({ cols: "ask" }, cookie)).toMatchObject({ columns: ["ask"], density: "compact" });
  expect(readBoardChoice({}, "cols=nonsense&%zz")).toEqual(readBoardChoice({}));
  expect(toLookCookie(readBoardChoice({}))).toBe("");
});

test("The address of a shared list has the list itself", () => {
  const shared = { name: "Majors", symbols: ["EURUSD", "USDJPY"] };
  expect(toSharedHref(shared)).toBe("/quotes?symbols=EURUSD,USDJPY&name=Majors");
  expect(read(toSharedHref(shared)).shared).toEqual(shared);
  expect(read("/quotes?symbols=NOSUCH&name=x").shared).toBeNull();
  expect(read("/quotes?symbols=EURUSD&list=mine")).toMatchObject({ list: null, shared: { name: "Shared list" } });
  expect(read("/quotes?show=starred")).toMatchObject({ list: "starred", filter: "all" });
});
