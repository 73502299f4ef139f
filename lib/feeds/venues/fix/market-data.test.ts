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
    ["no entry but that the book is empty", "268=1|269=J"],
    ["the price 0 in place of an offer", "268=2|269=0|270=1.1|269=1|270=0.0000"],
    ["closed prices", "268=2|269=0|270=1.1|276=A B|269=1|270=1.2|276=B"],
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

  test("that cannot be assigned are reported once", () => {
    const { send, prices, problems } = open("generic", ["A", "B"], { symbolsPerRequest: 2 });
    send(`35=W|262=1|55=C|${TIMED}`);
    send(`35=W|262=1|${TIMED}`);
    expect([prices, problems]).toEqual([[], ["prices of C, which was not asked for, are ignored"]]);
  });

  test("with several symbols quote each of them", () => {
    const { send, prices } = open("generic", ["A", "B"], { symbolsPerRequest: 2 });
    const entry = (symbol: string, side: number, price: number) => `269=${side}|55=${symbol}|270=${price}|273=00:49:58`;
    send(`35=W|262=1|268=4|${entry("A", 0, 1.1)}|${entry("A", 1, 1.2)}|${entry("B", 0, 2.1)}|${entry("B", 1, 2.2)}`);
    expect(prices.map(([symbol, bid, ask]) => [symbol, bid, ask])).toEqual([
      ["A", 1.1, 1.2],
      ["B", 2.1, 2.2],
    ]);
  });

  test("in several messages are one quote, which a lost part prevents", () => {
    const { send, prices } = open("generic", ["EUR/USD"], { marketDepth: 0 });
    send("35=W|55=EUR/USD|268=2|269=0|270=1.10|269=1|270=1.30|273=00:49:58|893=N");
    send("35=W|55=EUR/USD|268=2|269=0|270=1.05|269=1|270=1.20|273=00:49:59|893=Y");
    send("35=W|55=EUR/USD|268=2|269=0|270=1.01|269=1|270=1.40|273=00:49:59|893=Y");
    expect(prices.map(([, bid, ask]) => [bid, ask])).toEqual([
      [1.1, 1.2],
      [1.01, 1.4],
    ]);
    send("35=W|55=EUR/USD|268=1|269=0|270=1.10|893=N");
    expect(() => send("35=4|123=Y|36=9")).toThrow("it begins again");
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

/** A venue whose whole book is followed. `quotes` are its bids and offers. */
function openBook(snapshot: string, own: Parameters<typeof openFix>[2] = {}) {
  const venue = open("generic", ["A"], { marketDepth: 0, updateType: 1, ...own });
  if (snapshot !== "") venue.send(`35=W|262=1|55=A|268=${snapshot.split("269=").length - 1}|${snapshot}|273=00:49:58`);
  return {
    ...venue,
    /** Returns the quotes after these changes. */
    change: (...entries: string[]) => {
      venue.prices.length = 0;
      venue.send(`35=X|262=1|55=A|268=${entries.length}|${entries.join("|")}`);
      return venue.prices.splice(0).map(([, bid, ask]) => [bid, ask]);
    },
    takeQuotes: () => venue.prices.splice(0).map(([, bid, ask]) => [bid, ask]),
  };
}

describe("entries without an id", () => {
  const LEVELS = "269=0|270=1.1003|271=1|269=0|270=1.1002|271=2|269=1|270=1.1005|271=1|269=1|270=1.1006|271=2";
  const PLACES =
    "269=0|270=1.1003|290=1|269=0|270=1.1002|290=2|269=0|270=1.1001|290=3|269=1|270=1.1005|290=1|269=1|270=1.1006|290=2";

  test("are those of their side and price in a whole book", () => {
    const { change, takeQuotes } = openBook(LEVELS);
    expect(takeQuotes()).toEqual([[1.1003, 1.1005]]);
    expect(change("279=1|269=0|270=1.10030|271=5", "279=0|269=0|270=1.1001|271=7")).toEqual([]);
    expect(change("279=2|269=0|270=1.1003")).toEqual([[1.1002, 1.1005]]);
    expect(change("279=0|269=0|270=1.1002|271=9", "279=2|269=1|270=1.1005|271=0")).toEqual([[1.1002, 1.1006]]);
    // The new one at the same price has replaced the earlier one.
    expect(change("279=2|269=0|270=1.1002")).toEqual([[1.1001, 1.1006]]);
  });

  test("are those of their position and side where the venue states it, and move when others come and go", () => {
    const { change, takeQuotes } = openBook(PLACES);
    expect(takeQuotes()).toEqual([[1.1003, 1.1005]]);
    expect(change("279=1|269=0|290=1|270=1.10035")).toEqual([[1.10035, 1.1005]]);
    expect(change("279=0|269=0|290=1|270=1.1004")).toEqual([[1.1004, 1.1005]]);
    expect(change("279=2|269=0|290=2", "279=1|269=0|290=2|270=1.10025")).toEqual([]);
    expect(change("279=2|269=0|290=1")).toEqual([[1.10025, 1.1005]]);
    expect(change("279=2|269=0|290=1")).toEqual([[1.1001, 1.1005]]);
    expect(change("279=0|269=1|290=3|270=1.1007", "279=2|269=1|290=1", "279=2|269=1|290=1")).toEqual([
      [1.1001, 1.1007],
    ]);
  });

  test("are those of their price, too, if only the snapshot states positions", () => {
    const { change } = openBook(PLACES);
    expect(change("279=0|269=0|270=1.1004")).toEqual([[1.1004, 1.1005]]);
    expect(change("279=2|269=0|270=1.1004", "279=2|269=0|270=1.1003")).toEqual([[1.1002, 1.1005]]);
  });

  test("are those of their side if only the best price was asked for", () => {
    const { change } = openBook("269=0|270=1.10|290=1|269=1|270=1.20|290=1", { marketDepth: 1 });
    expect(change("279=0|269=0|290=2|270=1.09", "279=1|269=1|270=1.21")).toEqual([[1.09, 1.21]]);
    // Nothing depends on whether there was one, as a message says all of its side.
    expect(change("279=2|269=0", "279=2|269=0", "279=1|269=0|270=1.08")).toEqual([[1.08, 1.21]]);
    expect(change("279=0|269=0|278=7|270=1.07")).toEqual([[1.07, 1.21]]);
  });

  test.each([
    [
      "the change of an unknown price",
      LEVELS,
      0,
      "279=1|269=0|270=1.1001",
      "that its book does not have (269=0 270=1.1001)",
    ],
    ["the end of an unknown price", LEVELS, 0, "279=2|269=1|270=1.1003", "that its book does not have"],
    ["the end of a side", LEVELS, 0, "279=2|269=1", "that its book does not have (269=1)"],
    ["a change without a side", LEVELS, 0, "279=1|270=1.1003|271=1", "that its book does not have"],
    ["a new entry without a side", LEVELS, 0, "279=0|270=1.1003|271=1", "has no side"],
    ["a new entry without a price", LEVELS, 0, "279=0|269=0|271=1", "neither an id nor a position nor a price"],
    ["an unknown action", LEVELS, 0, "279=4|269=0|270=1.1002", "unknown action 4"],
    ["the change of an unknown position", PLACES, 0, "279=1|269=1|290=3|270=1.1", "(269=1 270=1.1 290=3)"],
    ["the end of an unknown position", PLACES, 0, "279=2|269=1|290=3", "that its book does not have"],
    ["a position that is no number", PLACES, 0, "279=0|269=1|290=x|270=1.1", "behind a gap"],
    ["a position behind a gap", PLACES, 0, "279=0|269=1|290=4|270=1.1", "behind a gap"],
    [
      "a position that does not fit its price",
      PLACES,
      0,
      "279=0|269=0|290=3|270=1.1004",
      "not in the order of the prices",
    ],
    [
      "a price with two entries",
      "269=0|270=1.1|269=0|270=1.1|269=1|270=1.2",
      0,
      "279=2|269=0|270=1.1",
      "several entries",
    ],
    [
      "a side with two entries",
      "269=0|270=1.1|269=0|270=1.0|269=1|270=1.2",
      1,
      "279=1|269=0|270=1.1",
      "several entries",
    ],
    ["a second maker", "269=0|270=1.1|282=X|269=1|270=1.2|282=X", 0, "279=0|269=0|270=1.0|282=Y", "several makers"],
  ] as const)("end the connection with %s", (_, snapshot, marketDepth, entry, reason) => {
    const { change, takeQuotes } = openBook(snapshot, { marketDepth });
    takeQuotes();
    expect(() => change(entry)).toThrow(reason);
    expect(takeQuotes()).toEqual([]);
  });
});

describe("entries with an id", () => {
  const IDS = "269=0|270=1.10|278=1|269=0|270=1.09|278=2|269=1|270=1.20|278=3";

  test("need no side to be changed or removed, and may be removed by the id before", () => {
    const { change } = openBook(IDS);
    expect(change("279=1|278=1|270=1.08")).toEqual([[1.09, 1.2]]);
    expect(change("279=2|269=0|280=2")).toEqual([[1.08, 1.2]]);
    expect(change("279=2|278=3", "279=0|278=3|269=1|270=1.21")).toEqual([[1.08, 1.21]]);
  });

  test("may be given anew, be moved to the other side, and begin without a snapshot", () => {
    const { change } = openBook("");
    change("279=0|269=0|278=1|270=1.10", "279=0|269=1|278=2|270=1.20");
    expect(change("279=0|269=1|278=2|270=1.19")).toEqual([[1.1, 1.19]]);
    expect(change("279=0|269=0|278=3|270=1.08", "279=1|269=1|278=1|270=1.18")).toEqual([[1.08, 1.18]]);
  });

  test("may share it with the other side of their quote", () => {
    const { change } = openBook("269=0|270=1.10|278=q|269=1|270=1.20|278=q");
    expect(change("279=1|269=0|278=q|270=1.11", "279=1|269=1|278=q|270=1.21")).toEqual([[1.11, 1.21]]);
    change("279=0|269=0|278=r|270=1.05", "279=0|269=1|278=r|270=1.25");
    expect(change("279=2|278=q")).toEqual([[1.05, 1.25]]);
  });

  test("do not need their positions", () => {
    const { change } = openBook("269=0|270=1.10|278=1|290=0|269=0|270=1.09|278=2|290=0|269=1|270=1.20|278=3|290=0");
    expect(change("279=2|278=1|290=5", "279=1|278=4|280=2|290=9|270=1.07")).toEqual([[1.07, 1.2]]);
  });

  test.each([
    ["a change of an unknown one", "279=1|269=0|278=9|270=1.1", "that its book does not have (269=0 270=1.1 278=9)"],
    ["a change that replaces an unknown one", "279=1|269=0|278=1|280=9|270=1.1", "280=9"],
    ["the end of an unknown one", "279=2|278=9", "that its book does not have"],
    ["an id on both sides", "279=0|269=1|278=1|270=1.2", "two entries of its book have the id 1"],
    ["a change to the id of another one", "279=1|278=2|280=1|270=1.1", "two entries of its book have the id 2"],
  ])("end the connection with %s", (_, entry, reason) => {
    const { change } = openBook(IDS);
    expect(() => change(entry)).toThrow(reason);
  });

  test("end the connection if a change names two of one snapshot", () => {
    const { change } = openBook("269=0|270=1.10|278=1|269=0|270=1.09|278=1|269=1|270=1.20|278=3");
    expect(() => change("279=2|278=1")).toThrow("several entries");
  });
});

describe("a price that is none", () => {
  test("is one that the venue marks as closed, until it is marked as open", () => {
    const { change } = openBook("269=0|270=1.10|278=1|269=0|270=1.09|278=2|269=1|270=1.20|278=3");
    expect(change("279=1|278=1|276=B I")).toEqual([[1.09, 1.2]]);
    expect(change("279=1|278=1|270=1.11|271=5")).toEqual([]);
    expect(change("279=1|278=1|276=A")).toEqual([[1.11, 1.2]]);
    expect(change("279=1|278=1|276=B", "279=1|278=2|276=B")).toEqual([]);
    expect(change("279=0|269=0|278=1|270=1.12")).toEqual([[1.12, 1.2]]);
  });

  test("is 0, and one of which nothing is left; a venue may state the size 0 always", () => {
    const { change } = openBook("269=0|270=1.10|271=5|269=0|270=1.09|271=0|269=1|270=1.20|271=0");
    expect(change("279=1|269=0|270=1.10|271=0")).toEqual([[1.09, 1.2]]);
    expect(change("279=1|269=1|270=1.20|271=0", "279=0|269=1|270=0")).toEqual([]);
    expect(change("279=1|269=0|270=1.10|271=3")).toEqual([[1.1, 1.2]]);
  });

  test("leaves an empty book, which grows again", () => {
    const { change } = openBook("269=0|270=1.10|278=1|269=1|270=1.20|278=2");
    expect(change("279=0|269=J")).toEqual([]);
    expect(change("279=0|269=0|278=1|270=1.12", "279=0|269=1|278=2|270=1.22")).toEqual([[1.12, 1.22]]);
  });
});

describe("messages with changes", () => {
  const A = "269=0|270=1.10|269=1|270=1.20";

  test("name the symbol before their entries, in an entry, or in the entry before", () => {
    const { send, prices } = open("generic", ["A", "B"], { symbolsPerRequest: 2, updateType: 1 });
    const time = "273=00:49:58";
    send(`35=X|262=1|55=B|268=2|279=0|269=0|278=b1|270=1.5|${time}|279=0|269=1|278=b2|270=1.6`);
    send(`35=X|262=1|268=2|279=0|269=0|55=A|278=a1|270=2.5|${time}|279=0|269=1|278=a2|270=2.6`);
    send(`35=X|262=1|55=B|268=2|279=1|278=a1|55=A|270=2.4|279=1|278=b1|270=1.4`);
    expect(prices.map(([symbol, bid, ask]) => [symbol, bid, ask])).toEqual([
      ["B", 1.5, 1.6],
      ["A", 2.5, 2.6],
      ["A", 2.4, 2.6],
      ["B", 1.4, 1.6],
    ]);
    expect(() => send("35=X|262=1|268=1|279=2|278=a1")).toThrow("names no symbol");
  });

  test("may begin their entries with another field, and have entries of other kinds", () => {
    const { send, takeQuotes } = openBook(A);
    takeQuotes();
    send("35=X|55=A|268=2|269=0|279=0|270=1.11|269=1|279=0|270=1.19");
    send("35=X|55=A|268=3|279=0|269=2|270=1.15|278=t|279=2|269=7|278=h|279=0|269=0|270=1.12");
    expect(takeQuotes()).toEqual([
      [1.11, 1.19],
      [1.12, 1.19],
    ]);
  });

  test("count as a whole: one in several parts is one quote, and one with fewer entries than it says ends the connection", () => {
    const { send, takeQuotes } = openBook(A);
    takeQuotes();
    send("35=X|55=A|268=1|279=2|269=0|270=1.10|893=N");
    send("35=X|55=A|268=1|279=0|269=0|270=1.05|893=Y");
    expect(takeQuotes()).toEqual([[1.05, 1.2]]);
    expect(() => send("35=X|55=A|268=2|279=2|269=0|270=1.05")).toThrow("not as many as their message says");
  });

  test("begin anew with a snapshot in between", () => {
    const { send, change, takeQuotes } = openBook(A);
    change("279=0|269=0|270=1.15");
    send("35=W|55=A|268=2|269=0|270=1.12|269=1|270=1.22");
    expect(takeQuotes()).toEqual([[1.12, 1.22]]);
    expect(() => change("279=2|269=0|270=1.15")).toThrow("that its book does not have");
  });
});

describe("mass quotes", () => {
  test("quote the best of the amounts in one message, and the symbol that it names first", () => {
    const { send, prices } = open("generic", ["EUR/USD", "GBP/USD"], { symbolsPerRequest: 2 });
    const tiers = "302=5|295=3|299=0|188=1.3|190=1.4|299=1|188=1.2|190=1.5|299=2|188=1.35|190=1.38|276=B";
    for (const id of [1, 2]) send(`35=i|117=${id}|55=GBP/USD|296=1|${tiers}`);
    expect(prices).toEqual([["GBP/USD", 1.3, 1.4, START_MS]]);
  });

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
