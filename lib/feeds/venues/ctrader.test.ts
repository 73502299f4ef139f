import { expect, test } from "vitest";
import { SpotPrices } from "@/lib/feeds/venues/ctrader";

type Price = [string, number, number, number | null];

function open() {
  const spots = new SpotPrices();
  const prices: Price[] = [];
  const read = (event: object) => spots.read("EURUSD", { ...event }, (...price) => void prices.push(price));
  return { spots, read, prices };
}

test("A side that did not change is that of the event before", () => {
  const { read, prices } = open();
  read({ bid: 109_990, timestamp: 1 });
  read({ ask: 110_015, timestamp: "2" });
  read({ bid: "109995", timestamp: 3 });
  expect(prices).toEqual([
    ["EURUSD", 1.0999, 1.10015, 2],
    ["EURUSD", 1.09995, 1.10015, 3],
  ]);
});

test("The first event without a time is only remembered, also after another subscription", () => {
  const { spots, read, prices } = open();
  read({ bid: 109_990, ask: 110_010 });
  read({ bid: 109_991 });
  spots.clear();
  read({ bid: 109_992, ask: 110_012 });
  read({ ask: 110_013 });
  expect(prices).toEqual([
    ["EURUSD", 1.09991, 1.1001, null],
    ["EURUSD", 1.09992, 1.10013, null],
  ]);
});

test("An event without a side is no price, and makes no later one young", () => {
  const { read, prices } = open();
  read({ timestamp: 1 });
  read({ bid: 109_990, ask: 110_010 });
  expect(prices).toEqual([]);
});

test("A side that is no price is passed on for the intake to refuse, and is not remembered", () => {
  const { read, prices } = open();
  read({ bid: 109_990, ask: 110_010, timestamp: 1 });
  read({ bid: -1, timestamp: 2 });
  read({ ask: "soon", timestamp: 3 });
  read({ ask: 110_011, timestamp: 4 });
  expect(prices.map(([, bid, ask]) => [bid, ask])).toEqual([
    [1.0999, 1.1001],
    [-0.00001, 1.1001],
    [1.0999, NaN],
    [1.0999, 1.10011],
  ]);
});
