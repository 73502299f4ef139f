import { expect, test } from "vitest";
import { listSymbolLinks } from "@/features/quotes/row-detail";

const findCalendar = (symbol: string) => listSymbolLinks(symbol).find(({ kind }) => kind === "calendar");

test("A symbol's links lead to its own pages", () => {
  expect(listSymbolLinks("EURUSD").map(({ href }) => href)).toEqual([
    "/symbols/EURUSD",
    "/spreads?symbols=EURUSD",
    "/indicators?symbol=EURUSD",
    "/alerts?kind=price&symbol=EURUSD",
    "/calendar?range=week&currencies=EUR,USD",
  ]);
});

test("The calendar shows the events of the symbol's currencies, and is left out without any", () => {
  expect(findCalendar("XAUUSD")).toMatchObject({ text: "Events of USD" });
  expect(findCalendar("USDJPY")).toMatchObject({ text: "Events of USD and JPY" });
  expect(findCalendar("NOSUCH")).toBeUndefined();
});
