import { expect, test } from "vitest";
import { readFileFields } from "@/cli/commands/instrument";

test("A file of instruments is csv or JSON, with the columns of the fields or of MetaTrader's lists.", () => {
  const basket = {
    symbol: "BASKET1",
    fields: { digits: 2, pipSize: 0.1, contractSize: 10, quote: "EUR", aliases: ["My Basket", "MB"] },
  };
  const csv =
    "Symbol;digits;pip_size;trade_contract_size;currency_profit;Aliases\nBASKET1;2;0.1;10;EUR;My Basket, MB\n";
  expect(readFileFields(csv)).toEqual([basket]);
  expect(readFileFields(`\uFEFF${csv.replaceAll(";", "\t")}`)).toEqual([basket]);
  const json = [
    { symbol: "BASKET1", digits: 2, pip: 0.1, contractSize: 10, quote: "EUR", aliases: basket.fields.aliases },
  ];
  expect(readFileFields(JSON.stringify(json))).toEqual([basket]);
  expect(readFileFields("symbol,base,swap-long\nX1,none,none")).toEqual([
    { symbol: "X1", fields: { base: null, swapLong: null } },
  ]);
});

test.each([
  ["", "The file has no row."],
  ["[1]", "The file is no array of objects."],
  ["[", "The file cannot be read"],
  ["symbol,colour\nX1,red", "Row 1: there is no field named colour."],
  ["name\nX1", "Row 1: it names no symbol."],
  ["symbol,digits\nX1,2\nX2,many", "Row 2: digits: "],
  ["symbol,pip\nX1,0.3", "Row 1: pipSize: must be a power of ten"],
  ["symbol,category\nX1,cars", "Row 1: category: "],
])("The file %j is refused: %s", (text, message) => expect(() => readFileFields(text)).toThrow(message));
