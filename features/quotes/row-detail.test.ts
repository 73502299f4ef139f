import { expect, test } from "vitest";
import { listSymbolLinks } from "@/features/quotes/row-detail";

const findCalendar = (currencies: readonly string[]) =>
  listSymbolLinks("ABC", currencies).find(({ kind }) => kind === "calendar");

test("A symbol's links lead to its own pages", () => {
  expect(listSymbolLinks("EURUSD", ["EUR", "USD"]).map(({ href }) => href)).toEqual([
    "/symbols/EURUSD",
    "/spreads?symbols=EURUSD",
    "/indicators?symbol=EURUSD",
    "/alerts?kind=price&symbol=EURUSD",
    "/calendar?range=week&currencies=EUR,USD",
  ]);
});

test("The calendar shows the events of the symbol's currencies, and is left out without any", () => {
  expect(findCalendar(["USD"])).toMatchObject({ text: "Events of USD" });
  expect(findCalendar(["USD", "JPY"])).toMatchObject({ text: "Events of USD and JPY" });
  expect(findCalendar([])).toBeUndefined();
});
