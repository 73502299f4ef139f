import { describe, expect, test } from "vitest";
import { VenueError } from "@/lib/feeds/live/connector";
import { catchError, openFix, START_MS } from "@/lib/feeds/venues/fix/fix.fixture";
import { FixMessage } from "@/lib/feeds/venues/fix/messages";
import { Incoming } from "@/lib/feeds/venues/fix/session";

const W = "35=W|48=4001|22=8|268=2|269=0|270=1.1|269=1|270=1.2|272=20261122|273=00:49:59.000";

function open() {
  const venue = openFix("lmax", ["4001"]);
  venue.logOn();
  venue.takeSent();
  return venue;
}

describe("the logon", () => {
  test("has the names, the interval and the credentials, and sets the numbers back", () => {
    const { sent, takeSent } = openFix("ctrader", ["1"]);
    expect(sent[0]?.replaceAll("\x01", "|")).toMatch(
      /^8=FIX\.4\.4\|9=\d+\|35=A\|49=SPOTLINE\|56=VENUE\|34=1\|50=QUOTE\|57=QUOTE\|52=20261122-00:50:00\.000\|98=0\|/,
    );
    expect(takeSent()).toEqual(["35=A|98=0|108=30|141=Y|553=demo|554=secret"]);
    expect(openFix("generic", ["EUR/USD"], { resetOnLogon: false }).takeSent()).toEqual([
      "35=A|98=0|108=30|553=demo|554=secret",
    ]);
  });

  test.each([
    ["35=5|58=Invalid username or password", true, 15_000],
    ["35=5|58=RET_INVALID_DATA", true, 15_000],
    ["35=5|58=TargetSubID is not assigned", true, 15_000],
    ["35=5|1409=6", true, 15_000],
    ["35=3|45=1|58=Unknown CompID", true, 15_000],
    ["35=5|58=Logon refused, try again later", false, 15_000],
    ["35=5|58=Authentication service temporarily unavailable", false, 15_000],
    ["35=5|58=Message rate exceeded", false, 15_000],
    ["35=5|58=MsgSeqNum too low, expecting 9 but received 1", false, 15_000],
    ["35=5|58=Logon attempt not within session time", false, 60_000],
    ["35=5|1409=7", false, 60_000],
    ["35=5", false, 15_000],
  ])("%s ends the connection for good: %s", (message, isFinal, retryAfterMs) => {
    const { send } = openFix("lmax", ["4001"]);
    const error = catchError(() => send(message)) as VenueError;
    expect(error).toBeInstanceOf(VenueError);
    expect([error.isFinal, error.retryAfterMs]).toEqual([isFinal, retryAfterMs]);
    const text = /58=(.*)/.exec(message)?.[1];
    if (text !== undefined) expect(error.message).toContain(text);
    expect(error.message).not.toContain("secret");
  });

  test("that nobody answers ends the connection after ten seconds", () => {
    const { pass } = openFix("lmax", ["4001"]);
    pass(9_500);
    expect(() => pass(500)).toThrow("no answer to the logon");
  });

  test("that is answered with something else, or by somebody else, ends the connection", () => {
    expect(() => openFix("lmax", ["4001"]).send(W)).toThrow("answered the logon with a message of type W");
    expect(() => openFix("lmax", ["4001"]).send("35=A|98=0|108=30|49=OTHER")).toThrow("CompID problem");
    expect(() => openFix("lmax", ["4001"]).send("35=A|98=0|108=60")).toThrow("set heartbeatSeconds to that");
    expect(() => openFix("lmax", ["4001"], { targetCompId: "venue" }).logOn()).not.toThrow();
    expect(() => openFix("lmax", ["4001"]).send("8=FIX.4.2|35=A|98=0|108=30")).toThrow("Incorrect BeginString");
  });

  test("reports a clock that differs, as the ages of prices would be wrong", () => {
    const { send, problems } = openFix("lmax", ["4001"]);
    send("35=A|98=0|108=30|52=20261122-01:50:00.000");
    expect(problems).toEqual(["the venue's clock differs from this one by 3600 s"]);
    expect(open().problems).toEqual([]);
  });
});

describe("the session", () => {
  test("sends heartbeats, and ends a connection on which a TestRequest is not answered", () => {
    const { pass, takeSent, send } = open();
    pass(30_000);
    expect(takeSent()).toEqual(["35=0"]);
    pass(6_000);
    expect(takeSent()).toEqual(["35=1|112=TEST"]);
    send("35=0|112=TEST");
    pass(36_000);
    expect(takeSent()).toEqual(["35=0", "35=1|112=TEST"]);
    pass(35_500);
    expect(() => pass(500)).toThrow("did not answer a TestRequest");
  });

  test("follows the venue's interval, which may be none", () => {
    const venue = openFix("lmax", ["4001"]);
    venue.send("35=A|98=0|108=0|141=Y");
    venue.takeSent();
    venue.pass(600_000);
    expect(venue.takeSent()).toEqual([]);
  });

  test("asks for missing messages once, and reads all of them in order", () => {
    const { send, takeSent, prices } = open();
    const price = (bid: string) => W.replace("270=1.1|", `270=${bid}|`);
    send(price("1.01"));
    send(`${price("1.04")}|34=5`);
    send(price("1.05"));
    expect(takeSent()).toEqual(["35=2|7=3|16=0"]);
    send(`${price("1.02")}|34=3|43=Y|122=20261122-00:49:00.000`);
    send(`${price("1.03")}|34=4|43=Y|122=20261122-00:49:00.000`);
    send(`${price("1.04")}|34=5|43=Y|122=20261122-00:49:00.000`);
    send(`${price("1.06")}|34=7`);
    expect(prices.map(([, bid]) => bid)).toEqual([1.01, 1.02, 1.03, 1.04, 1.05, 1.06]);
    expect(takeSent()).toEqual([]);
  });

  test("asks again for what is missing among the messages that were sent again", () => {
    const { send, takeSent, prices } = open();
    send(`${W}|34=6`);
    send(`${W}|34=2|43=Y|122=20261122-00:49:00.000`);
    send(`${W}|34=4|43=Y|122=20261122-00:49:00.000`);
    expect(takeSent()).toEqual(["35=2|7=2|16=0", "35=2|7=3|16=0"]);
    send("35=4|123=Y|36=6|34=3|43=Y|122=20261122-00:49:00.000");
    send(`${W}|34=7`);
    expect(prices).toHaveLength(4);
  });

  test("ends a connection whose gap is not filled", () => {
    const { send, pass } = open();
    send(`${W}|34=9`);
    pass(9_500);
    send(W);
    expect(() => pass(500)).toThrow("did not send missing messages again");
  });

  test.each([
    [100, 10_000],
    [900_000, 18],
  ])("holds messages of %d bytes only up to a number of %d", (bytes, count) => {
    const message = new FixMessage();
    message.begin(Buffer.alloc(bytes), "FIX.4.4");
    message.add(35, 0, bytes);
    const incoming = new Incoming();
    for (let number = 2; number < count + 2; number++) incoming.hold(number, message, 0);
    expect(() => incoming.hold(count + 2, message, 0)).toThrow("too many messages wait");
  });

  test("answers a ResendRequest with a gap to fill, of no more than was sent", () => {
    const { send, takeSent, sent } = open();
    send("35=2|7=1|16=0");
    expect(sent[0]).toContain("\x0134=1\x01");
    expect(takeSent()).toEqual(["35=4|43=Y|36=3|123=Y"]);
    send("35=2|7=2|16=2");
    expect(takeSent()).toEqual(["35=4|43=Y|36=3|123=Y"]);
    send("35=2|7=1|16=999999");
    expect(takeSent()).toEqual(["35=4|43=Y|36=3|123=Y"]);
    send("35=2|7=50|16=0");
    send("35=2|7=x|16=0");
    expect(takeSent()).toEqual([]);
  });

  test("ends with a Logout at a number that is too low, but ignores a declared duplicate", () => {
    const { send, takeSent, prices } = open();
    send(W);
    send(`${W}|34=2|43=Y|122=20261122-00:49:00.000`);
    send("35=4|34=1|43=Y|123=Y|36=2");
    expect([prices.length, takeSent()]).toEqual([1, []]);
    expect(() => send(`${W}|34=2`)).toThrow("MsgSeqNum too low, expecting 3 but received 2");
    expect(takeSent()).toEqual(["35=5|58=MsgSeqNum too low, expecting 3 but received 2"]);
  });

  test("counts from 1 again when the venue logs on again, but not at an old logon that is sent again", () => {
    const { send, takeSent, prices } = open();
    send(W);
    send("35=A|98=0|108=30|141=Y|34=1|43=Y|122=20261122-00:49:00.000");
    expect(takeSent()).toEqual([]);
    send("35=A|98=0|108=30|141=Y|34=1");
    expect(takeSent()).toEqual(["35=A|98=0|108=30|141=Y"]);
    send(`${W}|34=2`);
    send("35=1|112=alive");
    expect(takeSent()).toEqual(["35=0|112=alive"]);
    expect(prices).toHaveLength(2);
  });

  test("ends at a message without a number", () => {
    expect(() => open().send(`${W}|34=`)).toThrow("MsgSeqNum missing");
    expect(() => open().protocol.received("8=FIX.4.4\x019=99999999\x01")).toThrow("more than");
  });

  test("rejects a field without a tag, and goes on", () => {
    const { send, takeSent, prices } = open();
    send(`${W}|x=1`);
    expect(takeSent()).toEqual(["35=3|45=2|58=Invalid tag number|372=W|373=0"]);
    send(W);
    expect(prices).toHaveLength(1);
  });

  test("reports damaged messages once, and asks for them", () => {
    const { send, takeSent, problems, prices } = open();
    send(`${W}|10=000`);
    send(`${W}|10=000`);
    send(W);
    expect(takeSent()).toEqual(["35=2|7=2|16=0"]);
    expect(problems).toEqual(["a message with a wrong length or checksum was ignored"]);
    expect(prices).toEqual([]);
  });

  test("answers a Logout, and says why it came", () => {
    const { send, takeSent } = open();
    const error = catchError(() => send("35=5|58=Server is shutting down")) as VenueError;
    expect([error.message, error.isFinal]).toEqual(["the venue logged out: Server is shutting down", false]);
    expect(takeSent()).toEqual(["35=5"]);
    const limit = catchError(() => open().send("35=5|58=Message rate exceeded")) as VenueError;
    expect([limit.retryAfterMs, limit.isFinal]).toEqual([15_000, false]);
  });

  test("logs out when the feed stops, but only from a session that stands", () => {
    const venue = open();
    venue.protocol.stopping?.();
    expect(venue.takeSent()).toEqual(["35=5"]);
    const waiting = openFix("lmax", ["4001"]);
    waiting.takeSent();
    waiting.protocol.stopping?.();
    expect(waiting.takeSent()).toEqual([]);
  });

  test("numbers and dates every message", () => {
    const { sent, send, pass } = openFix("lmax", ["4001"]);
    send("35=A|98=0|108=30|141=Y");
    pass(30_000);
    const numbers = sent.map((text) => /\x0134=(\d+)\x01.*52=([^\x01]*)/.exec(text)?.slice(1));
    expect(numbers).toEqual([
      ["1", "20261122-00:50:00.000"],
      ["2", "20261122-00:50:00.000"],
      ["3", "20261122-00:50:30.000"],
    ]);
    expect(START_MS).toBe(Date.UTC(2026, 10, 22, 0, 50));
  });
});
