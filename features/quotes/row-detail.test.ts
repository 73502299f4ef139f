import { expect, test } from "vitest";
import { joinRow, listSymbolLinks } from "@/features/quotes/row-detail";

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

test("A row and its sources show one quote of the served source, and the best price counts it", () => {
  const line = (source: string, bid: number, ask: number, state: "live" | "closed" = "live") =>
    ({ source, bid, ask, spreadPips: 1, timeMs: 1, state }) as const;
  const grid = { digits: 5, pipSize: 0.0001 };
  const sources = [line("alpha", 1.1, 1.1003), line("beta", 1.1001, 1.1002)];
  const row = { ...line("alpha", 1.1005, 1.1007), timeMs: 2 };
  const joined = joinRow(sources, row, grid);
  expect(joined.lines).toEqual([row, sources[1]]);
  expect(joined.best).toEqual({ bid: 1.1005, ask: 1.1002, spreadPips: -3 });
  // A source that has become the served one since the others were read, and one that is the only one.
  expect(joinRow(sources, line("gamma", 1, 2), grid).lines.map(({ source }) => source)).toEqual([
    "gamma",
    "alpha",
    "beta",
  ]);
  const closed = [line("alpha", 1.1, 1.1003, "closed")];
  expect(joinRow(closed, line("alpha", 1.1, 1.1001, "closed"), grid).best).toMatchObject({ bid: 1.1, ask: 1.1001 });
  expect(joinRow(sources, undefined, grid)).toEqual({ lines: sources, best: null });
});
