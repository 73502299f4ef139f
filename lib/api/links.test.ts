import { expect, test } from "vitest";
import { checkTableLink, TABLE_ENDPOINTS } from "@/lib/api/check-link";

test.each([
  ["/v1/ohlc", "?symbol=EURUSD&timeframe=D1&format=csv", "symbol=EURUSD&timeframe=D1"],
  ["/v1/quotes", " symbols=EURUSD,GBPUSD&fields=bid ", "symbols=EURUSD%2CGBPUSD&fields=bid"],
  ["/v1/symbols", "", ""],
])("A link to %s with the parameters %j stores %j", (path, typed, query) => {
  expect(checkTableLink(path, typed)).toEqual({ path, query });
});

test.each([
  ["/v1/nothing", "", "Choose a table."],
  ["/v1/monitor/account", "", "Choose a table."],
  ["/v1/ohlc", "", "symbol is required."],
  ["/v1/ohlc", "symbol=EURUSD&colour=red", "has no parameter “colour”"],
  ["/v1/ohlc", "symbol=EURUSD&limit=0", "limit must be"],
  ["/v1/ohlc", "symbol=EURUSD&symbol=GBPUSD", "only once"],
  ["/v1/quotes", "", "symbols is required."],
  ["/v1/quotes", "symbols=EURUSD&fields=colour", "fields"],
])("A link to %s with the parameters %j is refused", (path, typed, message) => {
  expect(() => checkTableLink(path, typed)).toThrow(message);
});

test("Every table can be opened by a link", () => {
  expect(TABLE_ENDPOINTS.length).toBeGreaterThan(10);
  expect(TABLE_ENDPOINTS.every(({ path }) => !path.includes("{"))).toBe(true);
});
