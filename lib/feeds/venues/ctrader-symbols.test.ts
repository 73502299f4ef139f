import { expect, test } from "vitest";
import { SymbolLists } from "@/lib/feeds/venues/ctrader-symbols";

const EURUSD = { symbolId: 1, symbolName: "EURUSD" };
const DETAILS = {
  ...{ symbolId: "1", digits: 5, pipPosition: 4, lotSize: "10000000", minVolume: "100000", stepVolume: 100_000 },
  ...{ swapLong: -0.7, swapShort: 0.3 },
};

/** What is collected of EURUSD with these details. */
function read(details: object) {
  const lists = new SymbolLists([EURUSD]);
  lists.request(() => {});
  lists.read(2117, { symbol: [{ ...DETAILS, ...details }] });
  return lists.collect()[0];
}

test("Amounts are in lots, and integers may be texts", () => {
  expect(read({})).toEqual({
    ...{ spelling: "EURUSD", digits: 5, pipSize: 0.0001, contractSize: 100_000, minVolume: 0.01, volumeStep: 0.01 },
    ...{ swapLong: -7, swapShort: 3 },
  });
});

test.each([
  ["in points", { swapCalculationType: "POINTS" }, [-0.7, 0.3]],
  ["in percent of a year", { swapCalculationType: 1 }, [undefined, undefined]],
  ["of eight hours", { swapPeriod: 8 }, [undefined, undefined]],
])("A swap %s is one of a night in points, or none", (_, details, expected) => {
  const facts = read(details);
  expect([facts?.swapLong, facts?.swapShort]).toEqual(expected);
});

test.each([
  // From Sunday evening to Friday evening at once.
  [[{ startSecond: 61_200, endSecond: 493_200 }], ["17:00-24:00", "00:00-24:00", "00:00-17:00"]],
  // Brokers close for a minute at midnight, or end a second before it.
  [
    [
      { startSecond: 0, endSecond: 86_399 },
      { startSecond: 86_460, endSecond: 100_000 },
    ],
    ["00:00-24:00", "00:01-03:47", ""],
  ],
])("The schedule %j is the hours of Sunday, Monday and Friday", (schedule, expected) => {
  const { days } = read({ schedule, scheduleTimeZone: "America/New_York" })?.tradingHours ?? {};
  const texts = [days?.sunday, days?.monday, days?.friday].map((spans) =>
    spans?.map(({ from, to }) => `${from}-${to}`).join(),
  );
  expect(texts).toEqual(expected);
});

test.each([[[]], [[{ startSecond: 5, endSecond: 5 }]], [[{ startSecond: "soon", endSecond: 5 }]]])(
  "The schedule %j says no hours",
  (schedule) => expect(read({ schedule, scheduleTimeZone: "UTC" })?.tradingHours).toBeUndefined(),
);

test("The details of thousands of symbols are asked for in parts, and each answer counts, also a refusal", () => {
  const symbols = Array.from({ length: 1_001 }, (_, symbolId) => ({ symbolId, symbolName: `S${symbolId}` }));
  const lists = new SymbolLists(symbols);
  const sent: [string, number][] = [];
  lists.request((list, { symbolId }) => sent.push([list, (symbolId as number[] | undefined)?.length ?? 0]));
  const parts = ["details", "details", "details"].map((list, index) => [list, [500, 500, 1][index]]);
  expect(sent).toEqual([["assets", 0], ["classes", 0], ["categories", 0], ...parts]);
  for (const payloadType of [2113, 2154, 2161, 2117, 2117]) lists.read(payloadType, {});
  expect(lists.isComplete).toBe(false);
  lists.refuse();
  expect(lists.isComplete).toBe(true);
  expect(lists.collect()).toHaveLength(1_001);
});
