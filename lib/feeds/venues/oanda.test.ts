import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestConnection } from "@/lib/feeds/live/connection.fixture";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { OandaProtocol, toOandaFacts } from "@/lib/feeds/venues/oanda";
import { describeNewInstrument } from "@/lib/market/new-instrument";

const open = () => openTestConnection((connection) => new OandaProtocol(connection));
const price = (values: object) =>
  `${JSON.stringify({ type: "PRICE", time: "2024-06-14T12:00:05.000000000Z", instrument: "EUR_USD", ...values })}\n`;

describe("OANDA's stream", () => {
  test("quotes the best price of each ladder, wherever it stands", () => {
    const { receive, prices } = open();
    const bids = [{ price: "1.19195" }, { price: "1.19197" }];
    const asks = [{ price: "1.19218" }, { price: "1.19216" }];
    receive(price({ bids, asks, time: "2017-09-24T22:20:39.888097022Z" }));
    expect(prices).toEqual([["EUR_USD", 1.19197, 1.19216, Date.parse("2017-09-24T22:20:39.888Z")]]);
  });

  test("quotes nothing without one of the sides, without a time, or of another type", () => {
    const { receive, prices } = open();
    const side = [{ price: "1.1" }];
    receive(price({ bids: [], asks: side }), price({ bids: side }), price({ bids: side, asks: side, time: null }));
    receive(price({ bids: side, asks: side, type: "NEWS" }), '{"type":"HEARTBEAT","time":"2024-06-14T12:00:05Z"}\n');
    expect(prices).toEqual([]);
  });

  test("quotes the first price of an instrument that is not traded, and none after it until it is traded again", () => {
    const { receive, prices } = open();
    const side = (value: string) => ({ bids: [{ price: value }], asks: [{ price: value }] });
    receive(price({ ...side("1.1"), tradeable: false }), price({ ...side("1.2"), tradeable: false }));
    receive(price({ ...side("1.3"), tradeable: true }));
    expect(prices.map(([, bid]) => bid)).toEqual([1.1, 1.3]);
  });

  test("passes on a price that is none as NaN, for the intake to refuse and count", () => {
    const { receive, prices } = open();
    receive(price({ bids: [{ price: "soon" }], asks: [null] }));
    expect(prices).toEqual([["EUR_USD", NaN, NaN, Date.parse("2024-06-14T12:00:05Z")]]);
  });
});

const realData = findRealData();

test.skipIf(realData === undefined)("Every recorded price of OANDA's stream is read", () => {
  const { receive, prices } = open();
  for (const file of ["pricing_stream_2016.jsonl", "pricing_stream_2017-03-09.jsonl"]) {
    receive(`${readFileSync(join(realData ?? "", "feeds/oanda_v20", file), "utf8").trimEnd()}\n`);
  }
  expect(prices.length).toBeGreaterThan(4);
  for (const [symbol, bid, ask, timeMs] of prices) {
    expect(symbol).toMatch(/^EUR_(USD|JPY)$/);
    expect(bid).toBeLessThan(ask);
    expect(timeMs).toBeLessThan(Date.UTC(2017, 3));
  }
});

test("An instrument of OANDA's list has its type, its digits and pip, and its sizes in units", () => {
  const common = {
    ...{ tradeUnitsPrecision: 0, minimumTradeSize: "1", maximumOrderUnits: "100000000", maximumPositionSize: "0" },
    ...{ marginRate: "0.02", financing: { longRate: "-0.0323", shortRate: "0.012", financingDaysOfWeek: [] } },
  };
  const pair = {
    ...{ name: "EUR_SGD", type: "CURRENCY", displayName: "EUR/SGD", pipLocation: -4, displayPrecision: 5, ...common },
    tags: [
      { type: "ASSET_CLASS", name: "CURRENCY" },
      { type: "BRAIN_ASSET_CLASS", name: "FX" },
    ],
  };
  const sizes = { contractSize: 1, minVolume: 1, maxVolume: 100_000_000, volumeStep: 1 };
  expect(toOandaFacts(pair)).toEqual({
    ...{ spelling: "EUR_SGD", digits: 5, path: "CURRENCY", kind: "CURRENCY", base: "EUR", quote: "SGD", pipSize: 1e-4 },
    ...sizes,
  });
  const index = { name: "CHINAH_HKD", type: "CFD", displayName: "China H Shares", pipLocation: 0, displayPrecision: 1 };
  const facts = toOandaFacts({ ...index, ...common, tags: [{ type: "ASSET_CLASS", name: "INDEX" }] });
  expect(facts).toMatchObject({ description: "China H Shares", path: "INDEX", pipSize: 1, ...sizes });
  const described = describeNewInstrument(facts)?.instrument;
  expect(described).toMatchObject({ symbol: "CHINAH", category: "indices", quote: "HKD", swapLong: null });
});

test("An entry of OANDA's list that says nothing of its prices is a name only", () => {
  expect(toOandaFacts({ name: "EUR_SGD", displayPrecision: "soon", tags: [null] })).toEqual({
    ...{ spelling: "EUR_SGD", base: "EUR", quote: "SGD", contractSize: 1 },
  });
});
