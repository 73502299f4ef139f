import { describe, expect, test } from "vitest";
import { openFix } from "@/lib/feeds/venues/fix/fix.fixture";

const CTRADER =
  "35=y|320=list|322=responce:list|560=0|146=3|55=1|1007=EURUSD|1008=5|55=41|1007=XAUUSD|1008=2|55=22|1007=Cocoa_H7|1008=0";
const AMONG = "267=2|269=0|269=1";

function open(...[profile, symbols, own]: Parameters<typeof openFix>) {
  const venue = openFix(profile, symbols, { securityList: profile === "ctrader" ? 0 : 4, ...own });
  venue.logOn();
  const [, request] = venue.takeSent();
  return { ...venue, request };
}

describe("the list of a venue", () => {
  test("says what its numbers mean, so that symbols are written and reported by name", () => {
    const { request, send, takeSent, facts, prices } = open("ctrader", ["Cocoa_H7", "41"]);
    expect(request).toBe("35=x|320=list|559=0");
    send(CTRADER);
    expect(takeSent()).toEqual(
      [22, 41].map((id, at) => `35=V|262=${at + 1}|263=1|264=1|265=1|${AMONG}|146=1|55=${id}`),
    );
    expect(facts).toEqual([{ spelling: "Cocoa_H7", digits: 0 }]);
    for (const bid of [1, 2]) send(`35=W|262=1|55=22|268=2|269=0|270=${bid}|269=1|270=3`);
    expect(prices.map(([symbol, bid]) => [symbol, bid])).toEqual([["Cocoa_H7", 2]]);
  });

  test("is subscribed to as a whole, in several parts and in the form of the venue", () => {
    const { request, send, takeSent, facts } = open("lmax", [], { all: true });
    expect(request).toBe("35=x|320=list|559=4");
    send("35=y|320=list|560=0|893=N|146=1|55=EUR/USD|48=4001|22=8|107=EURUSD|15=USD|231=10000|562=0.1|969=0.00001");
    expect(takeSent()).toEqual([]);
    send("35=y|320=list|560=0|893=Y|146=1|55=Mars Rock|48=9001|22=8|107=Mars Rock Index|15=GBP|231=1|561=0.5|969=0.25");
    expect(takeSent().map((text) => text.split("|146=1|")[1])).toEqual(["48=4001|22=8", "48=9001|22=8"]);
    expect(facts).toEqual([
      {
        spelling: "Mars Rock",
        digits: 2,
        description: "Mars Rock Index",
        quote: "GBP",
        contractSize: 1,
        volumeStep: 0.5,
      },
    ]);
  });

  test("has sizes in units where no multiplier is said, and no quote where a pair's first currency is said", () => {
    const { send, facts } = open("generic", [], { all: true });
    const entry = "15=PEPE|167=FOR|562=1000.00000000|1140=9000.00000000|969=0.01000000";
    send(`35=y|320=list|560=0|393=2|146=1|55=PEPEUSDT|${entry}`);
    expect(facts).toEqual([]);
    send("35=y|320=list|560=0|393=2|146=1|55=ABCDE");
    expect(facts).toEqual([
      {
        ...{ spelling: "PEPEUSDT", digits: 2, kind: "forex", contractSize: 1, minVolume: 1_000, maxVolume: 9_000 },
      },
      { spelling: "ABCDE" },
    ]);
  });

  test("leaves out what it does not have, and adds no instrument for a number", () => {
    const { send, takeSent, problems, facts } = open("ctrader", ["Cocoa_H7", "NOPE", "7"]);
    send("35=y|320=list|560=0|146=2|55=7|55=22|1007=Cocoa_H7|1008=0");
    expect(problems).toEqual(["not in the venue's list, left out: NOPE"]);
    expect(takeSent()).toHaveLength(2);
    expect(facts.map(({ spelling }) => spelling)).toEqual(["Cocoa_H7"]);
  });

  test.each([
    ["is refused", "35=y|320=list|560=3", "not authorised"],
    ["has another length than it says", "35=y|320=list|560=0|146=2|55=22|1007=A", "not as many as it says"],
    ["is an unknown request", "35=3|45=2|372=x|58=Unsupported message type", "Unsupported message type"],
    ["is an unsupported request", "35=j|372=x|380=3|58=Unsupported", "Unsupported"],
    ["does not come", null, "it did not come"],
  ])("that %s leaves the symbols that are written as numbers", (_, answer, reason) => {
    const venue = open("ctrader", ["Cocoa_H7", "41"]);
    if (answer === null) venue.pass(10_000);
    else venue.send(answer);
    expect(venue.problems).toEqual([expect.stringContaining(`cannot be read: `)]);
    expect(venue.problems[0]).toContain(reason);
    expect(venue.takeSent().filter((text) => text.startsWith("35=V"))).toEqual([expect.stringContaining("|55=41")]);
  });

  test("that has none of the symbols ends the connection", () => {
    const { send } = open("ctrader", ["NOPE"]);
    expect(() => send(CTRADER)).toThrow("none of the symbols");
  });
});
