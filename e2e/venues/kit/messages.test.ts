import { describe, expect, test } from "vitest";
import { completeFix, createFixSession, followClient } from "@/e2e/venues/kit/fix-text";
import { matches, readMessage, readPattern, readValue } from "@/e2e/venues/kit/messages";
import { createVariables } from "@/e2e/venues/kit/variables";

const AT_MS = Date.UTC(2026, 10, 22, 0, 50, 1, 120);

describe("a pattern", () => {
  test.each([
    ['{"a":1}', '{"a":1,"b":2}', true],
    ['{"a":{"b":"x"}}', '{"a":{"b":"x","c":[]}}', true],
    ['{"symbols":["B"]}', '{"symbols":["A","B"]}', true],
    ['{"symbols":["A","C"]}', '{"symbols":["A","B"]}', false],
    ['{"a":"*"}', '{"a":null}', true],
    ['{"a":"*"}', "{}", false],
    ['{"a":1}', '{"a":"1"}', false],
    ['{"a":{}}', '{"a":null}', false],
    ['{"a":{}}', '{"a":[]}', false],
    ['"hello"', "hello", true],
    ['{"a":1}', "8=FIX.4.4\x0135=A\x01", false],
    ["35=A|108=30", "8=FIX.4.4\x0135=A\x01108=30\x01", true],
    ["35=V|269=0|269=1", "8=FIX.4.4\x0135=V\x01269=1\x01269=0\x01", true],
    ["35=V|269=0|269=0", "8=FIX.4.4\x0135=V\x01269=0\x01", false],
    ["35=A|553=*", "8=FIX.4.4\x0135=A\x01553=demo\x01", true],
    ["35=A", '{"a":1}', false],
  ])("%s against %j matches: %s", (pattern, message, isMatch) => {
    expect(matches(readPattern(pattern), readMessage(message))).toBe(isMatch);
  });

  test("reads a value by its path, and a FIX field by its tag", () => {
    expect(readValue(readMessage('{"params":{"symbol":["A","B"]}}'), "params.symbol.1")).toBe("B");
    expect(readValue(readMessage('{"a":null}'), "a.b")).toBeUndefined();
    expect(readValue(readMessage("8=FIX.4.4\x01262=X-1\x01"), "262")).toBe("X-1");
  });
});

describe("a FIX message", () => {
  const write = (text: string) => text.replaceAll("|", "\x01");

  test("gets the header, length and checksum that other programs compute", () => {
    const session = { sender: "LMXBDM", target: "SPOTLINE", nextNumber: 2 };
    const body =
      "35=W|262=EURUSD-1|48=4001|22=8|268=2|269=0|270=1.14667|271=10|272=20261122|273=00:50:01.119|269=1|270=1.14684|271=10";
    expect(completeFix(body, session, AT_MS)).toBe(
      write(
        "8=FIX.4.4|9=169|35=W|49=LMXBDM|56=SPOTLINE|34=2|52=20261122-00:50:01.120|262=EURUSD-1|48=4001|22=8|268=2|269=0|" +
          "270=1.14667|271=10|272=20261122|273=00:50:01.119|269=1|270=1.14684|271=10|10=104|",
      ),
    );
  });

  test("keeps a length and a checksum that are wrong on purpose", () => {
    const session = createFixSession();
    expect(completeFix("35=0|9=7|10=999", session, AT_MS)).toMatch(/^8=FIX\.4\.4\x019=7\x01.*\x0110=999\x01$/);
  });

  test("is numbered on, also after a number of its own, but not after a possible duplicate", () => {
    const session = createFixSession();
    const readNumber = (text: string) => readValue(readMessage(completeFix(text, session, AT_MS)), "34");
    expect(["35=0", "35=0|34=10", "35=0", "35=0|34=2|43=Y", "35=0"].map(readNumber)).toEqual([
      "1",
      "10",
      "11",
      "2",
      "12",
    ]);
  });

  test("goes to the sender of the client's logon", () => {
    const session = createFixSession();
    followClient(session, readMessage(write("8=FIX.4.4|35=A|49=SPOTLINE|56=LMXBDM|")));
    expect(completeFix("35=A", session, AT_MS)).toContain(write("|49=LMXBDM|56=SPOTLINE|"));
  });
});

describe("a variable", () => {
  const create = (seed = "s") => createVariables({ seed, now: () => AT_MS });

  test("is filled in from the clock, a counter and the client's message", () => {
    const { fill } = create();
    expect(fill("$now $seconds $iso $fixtime $date $clock", undefined)).toBe(
      `${AT_MS} 1795308601 2026-11-22T00:50:01.120Z 20261122-00:50:01.120 20261122 00:50:01.120`,
    );
    expect([fill("$seq", undefined), fill("$seq-$seq", undefined)]).toEqual(["1", "2-3"]);
    const message = readMessage('{"id":7,"ticks":["a"]}');
    expect(fill('{"id":$in.id,"all":$in.ticks,"first":"$in.ticks.0","none":$in.x}', message)).toBe(
      '{"id":7,"all":["a"],"first":"a","none":null}',
    );
  });

  test("of the price walks in its decimals, with the ask a spread above the bid, the same for the same seed", () => {
    const walk = (seed: string) => {
      const variables = create(seed);
      variables.setPrice("65000.0", 0.5);
      return Array.from({ length: 50 }, () => variables.fill("$bid $ask", undefined));
    };
    const prices = walk("s");
    expect(prices[0]).toBe("65000.0 65000.5");
    expect(new Set(prices).size).toBeGreaterThan(10);
    for (const pair of prices) {
      const [bid = "", ask = ""] = pair.split(" ");
      expect(bid).toMatch(/^\d+\.\d$/);
      expect(Number(ask) - Number(bid)).toBe(0.5);
    }
    expect(walk("s")).toEqual(prices);
    expect(walk("t")).not.toEqual(prices);
  });
});
