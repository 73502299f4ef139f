import { expect, test } from "vitest";
import { listShown, readColumnMenus } from "@/features/imports/columns";
import { listSuggestions } from "@/features/imports/words";

const table = {
  file: "EURUSD.csv",
  columns: [
    { name: "Zeit", field: "time" },
    { name: "Kaufkurs", field: "bid" },
    { name: "Verkaufskurs", field: "ask" },
    { name: "Menge", field: "-" },
  ] as const,
  rows: [],
};

test("Menus show what was given, else what each column was read as.", () => {
  const read = ["time", "bid", "ask", "-"];
  expect(listShown(table, undefined)).toEqual(read);
  expect(listShown(table, "time, ask,bid,-")).toEqual(["time", "ask", "bid", "-"]);
  // Words that are no choice of a menu, and those of a file with other columns.
  expect(listShown(table, "Time (UTC+2),bid,ask,-")).toEqual(read);
  expect(listShown(table, "time,ask,bid")).toEqual(read);
});

test("Menus that nobody changed keep what was given, and others name every column.", () => {
  expect(readColumnMenus(["time", "bid", "ask", "-"], "time,bid,ask,-", "")).toBe("");
  expect(readColumnMenus(["time", "bid", "ask", "-"], "time,bid,ask,-", "Time (UTC+2),bid,ask,-")).toBe(
    "Time (UTC+2),bid,ask,-",
  );
  expect(readColumnMenus(["time", "ask", "bid", "-"], "time,bid,ask,-", "")).toBe("time,ask,bid,-");
  expect(readColumnMenus(["date", "open", "high", "low", "close"], "-,-,-,-,-", "")).toBe("date,open,high,low,close");
});

test.each([
  [["time", "bid", "bid", "-"], "Two columns are “Bid”"],
  [["time", "bid", "-", "-"], "Choose a time, and a bid and an ask"],
  [["-", "bid", "ask", "-"], "Choose a time"],
  [["time", "bid", "ask", "constructor"], "Choose a time"],
])("Menus %j make neither ticks nor bars.", (chosen, sentence) => {
  expect(() => readColumnMenus(chosen, "time,bid,ask,-", "")).toThrow(sentence);
});

test("A refused file suggests the columns that its reason names.", () => {
  const reason = "x.csv: swap them with --columns time,ask,bid";
  const summary = { series: [], left_out: [{ file: "x.csv", reason, has_prices: true }] };
  const suggest = (given: object) =>
    listSuggestions(summary as unknown as Parameters<typeof listSuggestions>[0], given);
  expect(suggest({})).toMatchObject([{ option: "columns", value: "time,ask,bid" }]);
  expect(suggest({ columns: "time,ask,bid" })).toEqual([]);
});
