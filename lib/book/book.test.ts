import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SATURDAY, setUp, WEDNESDAY } from "@/lib/book/book.fixture";
import { findBestPrice } from "@/lib/book/quote";
import { HOUR_MS } from "@/lib/time/units";

describe("the book", () => {
  test("The quotes of a removed source disappear at once, and the others have their new order.", () => {
    const { book, update, now } = setUp();
    update("first", 1.1, 1.2);
    update("second", 1.3, 1.4);
    update("third", 1.5, 1.6);
    expect(book.served("EURUSD")?.source).toBe("first");
    const [second, third] = [
      { name: "second", mode: "live" },
      { name: "third", mode: "simulated" },
    ] as const;
    book.setSources([third, second], new Set());
    expect(book.served("EURUSD")).toMatchObject({ source: "third", mode: "simulated" });
    expect(book.sources("EURUSD").map(({ source }) => source)).toEqual(["third", "second"]);
    expect([book.hasSource("first"), book.servedFrom("EURUSD", "first")]).toEqual([false, undefined]);

    // A source that is paused or set up anew is still one, without its earlier quotes.
    book.setSources([third, second], new Set(["third", "second"]));
    expect(book.served("EURUSD")).toBeUndefined();
    expect(book.servedSource("EURUSD", now())).toBeUndefined();
    expect(book.hasSource("third")).toBe(true);
    book.setSources([{ name: "new", mode: "live" }, third], new Set());
    update("third", 1.5, 1.6);
    update("new", 1.7, 1.8);
    expect(book.served("EURUSD")?.source).toBe("new");
  });

  test("A source with hours of its own is stale when they are open, and others are closed.", () => {
    const { book, update, pass } = setUp(SATURDAY);
    const day = [{ from: "00:00", to: "24:00" }];
    const days = { sunday: day, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day };
    const hours = { zone: "UTC", days };
    book.setSources(
      [
        { name: "first", mode: "live", hours },
        { name: "second", mode: "live" },
      ],
      new Set(),
    );
    update("first", 1.1, 1.2);
    update("second", 1.1, 1.2);
    pass(600);
    expect(book.sources("EURUSD").map(({ state }) => state)).toEqual(["stale", "closed"]);
  });

  test("A symbol without a quote and an unknown symbol have nothing to serve.", () => {
    const { book } = setUp();
    expect(book.served("EURUSD")).toBeUndefined();
    expect(book.served("NOPE")).toBeUndefined();
    expect(book.sources("EURUSD")).toEqual([]);
    expect(book.servedFrom("EURUSD", "first")).toBeUndefined();
  });

  test("The first live source in priority order is served, also if another one quoted last.", () => {
    const { book, update } = setUp();
    update("third", 1.3, 1.3002);
    expect(book.served("EURUSD")?.source).toBe("third");
    update("first", 1.1, 1.1002);
    update("second", 1.2, 1.2002);
    expect(book.served("EURUSD")).toMatchObject({
      source: "first",
      bid: 1.1,
      ask: 1.1002,
      state: "live",
      mode: "live",
    });
  });

  test("The second source is served while the first is stale, and the first again once it recovers.", () => {
    const { book, pass } = setUp();
    pass(60, "first", "second");
    expect(book.served("EURUSD")?.source).toBe("first");
    pass(15, "second");
    expect(book.served("EURUSD")).toMatchObject({ source: "first", state: "delayed" });
    pass(60, "second");
    expect(book.served("EURUSD")).toMatchObject({ source: "second", state: "live" });
    pass(1, "first", "second");
    expect(book.served("EURUSD")).toMatchObject({ source: "first", state: "live" });
  });

  test("If every source is stale, the newest price is served with its own time and state.", () => {
    const { book, update, pass, now } = setUp();
    update("first", 1.1, 1.1002);
    pass(5);
    update("second", 1.2, 1.2002);
    const quotedAtMs = now();
    pass(600);
    expect(book.served("EURUSD")).toMatchObject({ source: "second", state: "stale", timeMs: quotedAtMs });
    expect(JSON.parse(book.served("EURUSD")?.json ?? "").timestamp).toBe(new Date(quotedAtMs).toISOString());
  });

  test("An old price is closed, not stale, while its market is closed.", () => {
    const { book, update, pass } = setUp(SATURDAY);
    update("first", 1.1, 1.1002, SATURDAY - 14 * HOUR_MS);
    pass(1);
    expect(book.served("EURUSD")?.state).toBe("closed");
  });

  test("A price that still moves is live, also outside trading hours.", () => {
    const { book, update } = setUp(SATURDAY);
    update("first", 1.1, 1.1002);
    expect(book.served("EURUSD")?.state).toBe("live");
  });

  test("A price from before the clock was set back is not live, and the next one is.", () => {
    const { book, update, pass } = setUp();
    update("first", 1.1, 1.1002);
    expect(book.served("EURUSD")?.state).toBe("live");
    pass(-3600);
    expect(book.served("EURUSD")?.state).toBe("stale");
    update("first", 1.10005, 1.10025);
    expect(book.served("EURUSD")).toMatchObject({ state: "live", bid: 1.10005 });
    pass(15);
    expect(book.served("EURUSD")?.state).toBe("delayed");
  });

  test("Reading a price does not make it look fresher.", () => {
    const { book, update, pass } = setUp();
    update("first", 1.1, 1.1002);
    const before = book.served("EURUSD")?.timeMs;
    pass(3);
    expect(book.served("EURUSD")?.timeMs).toBe(before);
  });

  test("A rarely quoted symbol becomes delayed later than a busy one.", () => {
    const { book, update, pass } = setUp();
    for (let minute = 0; minute < 120; minute++) {
      pass(5);
      update("first", 1.1, 1.1002);
    }
    pass(20);
    expect(book.served("EURUSD")?.state).toBe("live");
    pass(120, "first");
    pass(20);
    expect(book.served("EURUSD")?.state).toBe("delayed");
  });

  test("One long outage does not raise the limits.", () => {
    const { book, update, pass } = setUp();
    pass(60, "first");
    pass(3600);
    update("first", 1.1, 1.1002);
    pass(15);
    expect(book.served("EURUSD")?.state).toBe("delayed");
  });

  test("A quote is serialised once until it changes.", () => {
    const { book, update } = setUp();
    update("first", 1.1, 1.1002);
    const quote = book.served("EURUSD");
    expect(book.served("EURUSD")).toBe(quote);
    update("first", 1.10001, 1.10021);
    expect(book.served("EURUSD")).not.toBe(quote);
    expect(JSON.parse(book.served("EURUSD")?.json ?? "")).toEqual({
      symbol: "EURUSD",
      bid: 1.10001,
      ask: 1.10021,
      spread: 0.0002,
      spread_pips: 2,
      timestamp: new Date(WEDNESDAY).toISOString(),
      source: "first",
    });
  });

  test("The first source that is not stale is served after any history of updates.", () => {
    const event = fc.record({
      source: fc.constantFrom("first", "second", "third"),
      waitSeconds: fc.integer({ min: 0, max: 120 }),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), (events) => {
        const { book, update, pass } = setUp();
        for (const { source, waitSeconds } of events) {
          pass(waitSeconds);
          update(source, 1.1, 1.1002);
          const fresh = book.sources("EURUSD").find(({ state }) => state === "live" || state === "delayed");
          expect(book.served("EURUSD")?.source).toBe(fresh?.source);
        }
      }),
    );
  });
});

describe("the best price", () => {
  test("The best price is the highest bid and the lowest ask of the live sources.", () => {
    const { book, update } = setUp();
    update("first", 1.1, 1.1003);
    update("second", 1.10005, 1.1002);
    const served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5)).toEqual({
      bid: 1.10005,
      ask: 1.1002,
      spread: 0.00015,
    });
  });

  test("The spread of the best price is negative when brokers cross.", () => {
    const { book, update } = setUp();
    update("first", 1.1, 1.1001);
    update("second", 1.1003, 1.1004);
    const served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5).spread).toBe(-0.0002);
  });

  test("The best price leaves out quotes that are not live, and is the served quote if none is.", () => {
    const { book, update, pass } = setUp();
    update("second", 1.2, 1.2001);
    pass(60);
    update("first", 1.1, 1.1001);
    let served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5)).toMatchObject({ bid: 1.1, ask: 1.1001 });
    pass(600);
    served = book.served("EURUSD");
    expect(served && findBestPrice(book.sources("EURUSD"), served, 5)).toMatchObject({ bid: 1.1, ask: 1.1001 });
  });
});
