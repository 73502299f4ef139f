import { expect, test } from "vitest";
import { listTries } from "@/features/docs/tries";
import { formatTriedTarget } from "@/features/docs/try-it";
import { endpoints } from "@/lib/api/registry";

test("A tried call has its path and its parameters escaped, and leaves out empty ones", () => {
  const [symbol, bars] = ["/v1/symbols/{symbol}", "/v1/ohlc"].map(
    (path) => listTries(endpoints.filter((each) => each.path === path))[0],
  );
  if (symbol === undefined || bars === undefined) throw new Error("There is nothing to try.");
  expect(formatTriedTarget(symbol, new Map([["symbol", "EUR/USD?$&"]]))).toBe("/v1/symbols/EUR%2FUSD%3F%24%26");
  const values = new Map([
    ["symbol", "gold & silver"],
    ["limit", "3"],
    ["from", ""],
  ]);
  expect(formatTriedTarget(bars, values)).toBe("/v1/ohlc?symbol=gold+%26+silver&limit=3");
});
