import { describe, expect, test } from "vitest";
import { openFix, START_MS } from "@/lib/feeds/venues/fix/fix.fixture";

const ENTRIES = "268=2|269=0|270=1.1|271=10|269=1|270=1.2|271=10";
const TIMED = "268=2|269=0|270=1.1|272=20261122|273=00:49:58.500|269=1|270=1.2|272=20261122|273=00:49:59.119";

function open(...args: Parameters<typeof openFix>) {
  const venue = openFix(...args);
  venue.logOn();
  venue.takeSent();
  return venue;
}

describe("requests", () => {
  const common = "267=2|269=0|269=1";
  test.each([
    ["lmax", ["4001"], `263=1|264=1|265=0|${common}|146=1|48=4001|22=8`],
    ["ctrader", ["1"], `263=1|264=1|265=1|${common}|146=1|55=1`],
    ["generic", ["EUR/USD"], `263=1|264=1|265=0|${common}|146=1|55=EUR/USD`],
  ] as const)("of the profile %s", (profile, symbols, fields) => {
    const venue = openFix(profile, symbols);
    venue.logOn();
    expect(venue.takeSent().slice(1)).toEqual([`35=V|262=1|${fields}`]);
  });

  test("may have several symbols, and the operator's own values", () => {
    const own = { symbolsPerRequest: 2, marketDepth: 0, updateType: 1 } as const;
    const venue = openFix("generic", ["A", "B", "C"], own);
    venue.logOn();
    expect(venue.takeSent().slice(1)).toEqual([
      `35=V|262=1|263=1|264=0|265=1|${common}|146=2|55=A|55=B`,
      `35=V|262=2|263=1|264=0|265=1|${common}|146=1|55=C`,
    ]);
  });

  test("are sent no faster than venues allow", () => {
    const symbols = Array.from({ length: 60 }, (_, index) => String(index + 1));
    const venue = openFix("ctrader", symbols);
    venue.logOn();
    const takeRequests = () => venue.takeSent().filter((text) => text.startsWith("35=V")).length;
    expect(takeRequests()).toBe(25);
    venue.pass(500);
    expect(takeRequests()).toBe(25);
    venue.pass(1_000);
    expect(takeRequests()).toBe(10);
  });

  test("that the venue refuses are reported with their symbols; without any other, the connection ends", () => {
    const { send, problems } = open("generic", ["A", "B", "C"]);
    send("35=Y|262=1|281=0|58=UNKNOWN_SYMBOL");
    send("35=j|45=3|372=V|380=3");
    send("35=3|45=99|58=Value is incorrect");
    send("35=Y|262=1|281=0|58=UNKNOWN_SYMBOL");
    expect(problems).toEqual([
      "A: UNKNOWN_SYMBOL",
      "B: no reason given",
      "a message was refused: Value is incorrect",
      "A: UNKNOWN_SYMBOL",
    ]);
    expect(() => send("35=Y|262=3|281=5")).toThrow("the venue refused every request: unsupported market depth");
  });

  test("count as accepted with the first price, or when none was refused for some seconds", () => {
    const priced = open("lmax", ["4001"]);
    expect(priced.isSubscribed()).toBe(false);
    priced.send(`35=W|48=4001|${ENTRIES}`);
    expect(priced.isSubscribed()).toBe(true);
    const silent = open("lmax", ["4001"]);
    silent.pass(4_500);
    expect(silent.isSubscribed()).toBe(false);
    silent.pass(500);
    expect(silent.isSubscribed()).toBe(true);
  });
});

describe("the age of a price", () => {
  test("is that of its newest entry, also in the first snapshot", () => {
    const { send, prices } = open("lmax", ["4001"]);
    send(`35=W|48=4001|22=8|${TIMED}`);
    expect(prices).toEqual([["4001", 1.1, 1.2, Date.UTC(2026, 10, 22, 0, 49, 59, 119)]]);
  });

  test("is that of the message otherwise; the first one of each symbol is left out", () => {
    const { send, prices, pass } = open("ctrader", ["1", "41"]);
    send(`35=W|55=1|${ENTRIES}`);
    send(`35=W|55=41|${ENTRIES}`);
    expect(prices).toEqual([]);
    pass(1_000);
    send(`35=W|55=1|${ENTRIES}`);
    expect(prices).toEqual([["1", 1.1, 1.2, START_MS + 1_000]]);
  });

  test("is that of the first sending for a message that is sent again", () => {
    const { send, prices } = open("ctrader", ["1"]);
    send(`35=W|55=1|${ENTRIES}`);
    send(`35=W|55=1|${ENTRIES}|34=4`);
    send(`35=W|55=1|${ENTRIES}|34=3|43=Y|122=20261122-00:00:00.000`);
    expect(prices.map(([, , , timeMs]) => timeMs)).toEqual([Date.UTC(2026, 10, 22), START_MS]);
  });
});

describe("snapshots", () => {
  test.each([
    ["a bid alone", "268=1|269=0|270=1.1"],
    ["nothing", "268=0"],
    ["an empty price", "268=2|269=0|270=|269=1|270=1.2"],
    ["no price", "268=2|269=0|271=10|269=1|270=1.2"],
    ["a price that is no number", "268=2|269=0|270=1,1|269=1|270=1.2"],
    ["two bids", "268=2|269=0|270=1.1|269=0|270=1.0"],
    ["fewer entries than it says", "268=3|269=0|270=1.1|269=1|270=1.2"],
    ["more entries than it says", "268=2|269=0|270=1.1|269=1|270=1.2|269=1|270=1.15"],
    ["another symbol", "268=2|269=0|270=1.1|269=1|270=1.2|55=GBP/USD"],
  ])("with %s are no quote", (_, entries) => {
    const { send, prices } = open("generic", ["EUR/USD"]);
    const symbol = entries.includes("55=") ? "" : "|55=EUR/USD";
    send(`35=W|55=EUR/USD|${ENTRIES}`);
    send(`35=W${symbol}|${entries}`);
    expect(prices).toEqual([]);
  });

  test("of a whole book quote its best prices", () => {
    const { send, prices } = open("generic", ["EUR/USD"], { marketDepth: 0 });
    send(
      "35=W|55=EUR/USD|268=5|269=0|270=1.0|273=00:49:00|269=0|270=1.1|269=2|270=1.15|269=1|270=1.3|269=1|270=1.2|15=EUR",
    );
    expect(prices).toEqual([["EUR/USD", 1.1, 1.2, Date.UTC(2026, 10, 22, 0, 49)]]);
  });

  test("without a symbol belong to the request that they name", () => {
    const { send, prices } = open("generic", ["EUR/USD", "GBP/USD"]);
    send(`35=W|262=2|${TIMED}`);
    send(`35=W|262=3|${TIMED}`);
    send(`35=W|${TIMED}`);
    expect(prices.map(([symbol]) => symbol)).toEqual(["GBP/USD"]);
  });
});

describe("increments", () => {
  const open1 = () => {
    const venue = open("ctrader", ["1", "2"]);
    venue.send("35=W|262=1|55=1|268=3|269=0|270=1.10|278=11|269=0|270=1.09|278=12|269=1|270=1.20|278=13");
    return { ...venue, quotes: () => venue.prices.map(([symbol, bid, ask]) => [symbol, bid, ask]) };
  };

  test("add, change and remove entries by their ids", () => {
    const { send, quotes } = open1();
    send("35=X|262=1|268=1|279=0|278=14|269=1|55=1|270=1.19");
    send("35=X|262=1|268=1|279=1|278=14|55=1|270=1.18");
    send("35=X|262=1|268=1|279=1|278=14|55=1|271=5");
    send("35=X|262=1|268=1|279=1|278=15|280=14|55=1|270=1.17");
    send("35=X|262=1|268=2|279=2|278=15|55=1|279=2|278=11|55=1");
    expect(quotes()).toEqual([
      ["1", 1.1, 1.19],
      ["1", 1.1, 1.18],
      ["1", 1.1, 1.17],
      ["1", 1.09, 1.2],
    ]);
  });

  test("behind the best price are no quote, and neither is a side that they empty", () => {
    const { send, quotes } = open1();
    send("35=X|262=1|268=1|279=0|278=14|269=0|55=1|270=1.05");
    send("35=X|262=1|268=1|279=2|278=13|55=1");
    expect(quotes()).toEqual([]);
    send("35=X|262=1|268=1|279=0|278=16|269=1|55=1|270=1.21");
    expect(quotes()).toEqual([["1", 1.1, 1.21]]);
  });

  test("without ids replace the one price of their side", () => {
    const { send, prices } = open("generic", ["EUR/USD"], { updateType: 1 });
    send(`35=W|55=EUR/USD|${ENTRIES}`);
    send("35=X|268=2|279=1|269=0|55=EUR/USD|270=1.15|273=00:49:58|279=1|269=1|270=1.25|273=00:49:59");
    send("35=X|268=1|279=2|269=0|55=EUR/USD");
    expect(prices).toEqual([["EUR/USD", 1.15, 1.25, Date.UTC(2026, 10, 22, 0, 49, 59)]]);
  });

  test("of several symbols in one message quote each symbol once", () => {
    const { send, quotes } = open1();
    send("35=W|262=2|55=2|268=2|269=0|270=2.10|278=21|269=1|270=2.20|278=22");
    send(
      "35=X|268=4|279=1|278=11|55=1|270=1.11|279=1|278=21|55=2|270=2.11|279=1|278=22|55=2|270=2.21|279=1|278=13|55=1|270=1.21",
    );
    expect(quotes()).toEqual([
      ["1", 1.11, 1.21],
      ["2", 2.11, 2.21],
    ]);
  });

  test("that are lost end the connection, so that a new snapshot comes; lost snapshots do not matter", () => {
    const { send } = open1();
    send("35=4|123=Y|36=5");
    send("35=X|262=1|268=1|279=0|278=14|269=1|55=1|270=1.19|34=5");
    expect(() => send("35=4|123=Y|36=9")).toThrow("changes of a book were lost");
  });
});

describe("mass quotes", () => {
  test("are quotes of their request, or of the symbol that they name", () => {
    const { send, prices } = open("generic", ["EUR/USD", "GBP/USD"]);
    send("35=i|117=1|296=2|302=1|295=1|299=0|188=1.1|190=1.2|302=9|295=1|299=0|55=GBP/USD|188=2.1|190=2.2");
    send("35=i|117=2|296=1|302=1|295=1|299=0|106=1|134=1000000|135=1000000|188=1.3|190=1.4");
    send("35=i|117=3|296=1|302=1|295=2|299=0|188=1.5|299=1|55=GBP/USD|188=2.3|190=2.4");
    expect(prices).toEqual([
      ["EUR/USD", 1.3, 1.4, START_MS],
      ["GBP/USD", 2.3, 2.4, START_MS],
    ]);
  });
});
