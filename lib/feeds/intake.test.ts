import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import { type Refusal, REFUSALS } from "@/lib/feeds/refusals";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/symbols/resolver";
import type { Tick } from "@/lib/market/tick";

const T = Date.UTC(2026, 0, 15, 12);
const resolver = createResolver(instruments);

function open(watched = resolver) {
  const quotes: Quote[] = [];
  const sources = [{ name: "a", mode: "live" }] as const;
  const intake = createIntake({ resolver: watched, sources, onQuote: (quote) => quotes.push(quote), now: () => T });
  let atMs = T;
  /** Sends one tick, a second after the last unless the tick has its own time; returns why it was refused, or null. */
  const send = (tick: Partial<Tick>): Refusal | null => {
    atMs += 1_000;
    const before = intake.counts();
    const usual = { source: "a", brokerSymbol: "EURUSD", bid: 1.1, ask: 1.1001, brokerTimeMs: atMs };
    intake.tick({ ...usual, receivedAtMs: tick.brokerTimeMs ?? atMs, ...tick });
    const after = intake.counts();
    return REFUSALS.find((reason) => after.refused[reason] > before.refused[reason]) ?? null;
  };
  return { intake, quotes, send };
}

describe("the intake", () => {
  test("passes on a good tick under its canonical instrument, rounded, with its own times", () => {
    const { send, quotes } = open();
    send({ brokerSymbol: "EUR/USD", bid: 1.386549999, ask: 1.3866600001, brokerTimeMs: T + 0.75, receivedAtMs: T + 9 });
    expect(quotes).toEqual([
      {
        source: "a",
        instrument: resolver.find("EURUSD"),
        bid: 1.38655,
        ask: 1.38666,
        timeMs: T,
        receivedAtMs: T + 9,
      },
    ]);
  });

  test("refuses a crossed tick, and accepts one whose bid equals its ask", () => {
    const { send } = open();
    expect(send({ bid: 1.10001, ask: 1.1 })).toBe("crossed");
    expect(send({ bid: 1.1, ask: 1.1 })).toBeNull();
  });

  test("accepts a tick whose bid is above its ask only by binary noise", () => {
    const { send, quotes } = open();
    expect(send({ bid: 1.1 + 4e-16, ask: 1.1 })).toBeNull();
    expect(quotes[0]).toMatchObject({ bid: 1.1, ask: 1.1 });
  });

  test.each([
    [{ bid: NaN }, "non_finite"],
    [{ ask: Infinity }, "non_finite"],
    [{ bid: 1e308, ask: 1e308 }, "non_finite"],
    [{ brokerTimeMs: NaN }, "non_finite"],
    [{ bid: 0 }, "non_positive"],
    [{ bid: -1.1, ask: -1 }, "non_positive"],
    [{ bid: 0.000001 }, "non_positive"],
    [{ brokerTimeMs: 0 }, "non_positive"],
    [{ brokerSymbol: "NOSUCHTHING" }, "unknown_symbol"],
    [{ brokerSymbol: "USDEUR" }, "unknown_symbol"],
    [{ brokerSymbol: "X".repeat(1_000_000) }, "unknown_symbol"],
    [{ brokerSymbol: "OIL" }, "ambiguous_symbol"],
    [{ brokerTimeMs: T + 60_001, receivedAtMs: T }, "future"],
    [{ receivedAtMs: NaN }, "future"],
    [{ bid: 1, ask: 1.2 }, "far_off"],
  ] as const)("refuses %j as %s", (tick, reason) => {
    const { send, quotes } = open();
    expect(send(tick)).toBe(reason);
    expect(quotes).toEqual([]);
  });

  test("refuses a tick older than the last one of its source and symbol", () => {
    const { send } = open();
    expect(send({ brokerTimeMs: T + 5_000 })).toBeNull();
    expect(send({ brokerTimeMs: T + 4_999 })).toBe("late");
    expect(send({ brokerTimeMs: T + 4_999, source: "b" })).toBeNull();
    expect(send({ brokerTimeMs: T + 4_999, brokerSymbol: "GBPUSD", bid: 1.3, ask: 1.3001 })).toBeNull();
  });

  test("refuses a repeated tick, but accepts two prices of one moment", () => {
    const { send } = open();
    expect(send({ brokerTimeMs: T })).toBeNull();
    expect(send({ brokerTimeMs: T })).toBe("duplicate");
    expect(send({ brokerTimeMs: T, ask: 1.1002 })).toBeNull();
    expect(send({})).toBeNull();
  });

  test("treats two spellings of one instrument from the same source as one stream", () => {
    const { send } = open();
    expect(send({ brokerSymbol: "EURUSD.r", brokerTimeMs: T + 5_000 })).toBeNull();
    expect(send({ brokerSymbol: "EUR_USD", brokerTimeMs: T + 4_000 })).toBe("late");
  });

  test("refuses a price far from the source's last, and accepts the new level once it is repeated", () => {
    const { send } = open();
    send({ brokerSymbol: "EURCHF", bid: 1.2009, ask: 1.201 });
    const drop = [1.05, 1.02, 0.99, 1.01].map((bid) => send({ brokerSymbol: "EURCHF", bid, ask: bid + 0.005 }));
    expect(drop).toEqual(["far_off", "far_off", "far_off", "far_off"]);
    expect(send({ brokerSymbol: "EURCHF", bid: 1.015, ask: 1.02 })).toBeNull();
    expect(send({ brokerSymbol: "EURCHF", bid: 1.2, ask: 1.201 })).toBe("far_off");
  });

  test("refuses a wrong level that comes and goes", () => {
    const { send } = open();
    send({});
    for (let i = 0; i < 20; i++) {
      expect(send({ bid: 11, ask: 11.001 })).toBe("far_off");
      if (i % 3 === 0) expect(send({})).toBeNull();
    }
  });

  test("compares a source's first price with those of the other sources", () => {
    const { send } = open();
    send({ source: "a" });
    expect(send({ source: "b", bid: 110, ask: 110.01 })).toBe("far_off");
    expect(send({ source: "b", bid: 1.101, ask: 1.1011 })).toBeNull();
  });

  test("accepts a plausible spread at once after implausible ones", () => {
    const { send } = open();
    for (let i = 0; i < 9; i++) expect(send({ bid: 0.9, ask: 1.3 })).toBe("far_off");
    expect(send({})).toBeNull();
  });

  test("counts by source and reason, with each source's connection and last good tick", () => {
    const { intake, send } = open();
    intake.status("a", "connected");
    send({ bid: 2, ask: 1 });
    expect(intake.counts().sources[0]).toMatchObject({ source: "a", accepted: 0, lastTickAtMs: null });
    send({ brokerTimeMs: T + 50_000 });
    send({ source: "b", ask: NaN });
    const { accepted, refused, sources } = intake.counts();
    expect(accepted).toBe(1);
    expect([refused.crossed, refused.non_finite]).toEqual([1, 1]);
    expect(sources).toMatchObject([
      {
        source: "a",
        accepted: 1,
        refused: { crossed: 1, non_finite: 0 },
        lastTickAtMs: T + 50_000,
        status: "connected",
      },
      { source: "b", accepted: 0, refused: { crossed: 0, non_finite: 1 }, lastTickAtMs: null, status: null },
    ]);
    expect(sources[0]?.statusAtMs).toBe(T);
  });

  test("caches a bounded number of spellings, and still finds the good ones after many unknown ones", () => {
    let resolutions = 0;
    const { send } = open({
      ...resolver,
      resolve: (spelling) => {
        resolutions++;
        return resolver.resolve(spelling);
      },
    });
    for (let i = 0; i < 600; i++) send({ brokerSymbol: `JUNK-${i}` });
    expect(send({ brokerSymbol: "EURUSDm" })).toBeNull();
    resolutions = 0;
    send({ brokerSymbol: "EURUSDm" });
    send({ brokerSymbol: "JUNK-1" });
    expect(resolutions).toBe(0);
    send({ brokerSymbol: "JUNK-599" });
    expect(resolutions).toBe(1);
  });
});

describe("the intake, for any sequence of ticks", () => {
  const wild = fc.oneof(fc.double({ min: 1, max: 1.2 }), fc.double(), fc.constantFrom(0, -0, 1.1, 1.10001, NaN));
  const time = fc.oneof(fc.integer({ min: T, max: T + 300 }), fc.double(), fc.constantFrom(T, T + 1e9));
  const tick: fc.Arbitrary<Tick> = fc.record({
    source: fc.constantFrom("a", "b"),
    brokerSymbol: fc.oneof(
      fc.constantFrom("EURUSD", "EURUSDm", "eur/usd", "USDJPY", "OIL"),
      fc.string({ unit: "binary" }),
    ),
    bid: wild,
    ask: wild,
    brokerTimeMs: time,
    receivedAtMs: fc.oneof({ weight: 9, arbitrary: fc.constant(T + 300) }, { weight: 1, arbitrary: fc.double() }),
  });

  test("accepts nothing crossed, non-finite, non-positive, late or unrounded, and counts every tick", () => {
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 60 }), (ticks) => {
        const { intake, quotes } = open();
        for (const each of ticks) intake.tick(each);
        const lastMs = new Map<string, number>();
        for (const { source, instrument, bid, ask, timeMs } of quotes) {
          const stream = `${source} ${instrument.symbol}`;
          expect(Number.isFinite(ask) && bid > 0 && bid <= ask).toBe(true);
          expect(Number(bid.toFixed(instrument.digits))).toBe(bid);
          expect(Number(ask.toFixed(instrument.digits))).toBe(ask);
          expect(Number.isInteger(timeMs)).toBe(true);
          expect(timeMs).toBeGreaterThanOrEqual(lastMs.get(stream) ?? 0);
          lastMs.set(stream, timeMs);
        }
        const { accepted, refused } = intake.counts();
        expect(accepted).toBe(quotes.length);
        expect(accepted + Object.values(refused).reduce((sum, count) => sum + count)).toBe(ticks.length);
      }),
      { numRuns: 500 },
    );
  });

  test("accepts any level, near or far, after five ticks of it", () => {
    const price = fc.integer({ min: 100, max: 900_000 }).map((points) => points / 1_000);
    fc.assert(
      fc.property(fc.array(price, { minLength: 1, maxLength: 20 }), price, (before, level) => {
        const { send } = open();
        for (const bid of before) send({ brokerSymbol: "USDJPY", bid, ask: bid });
        const answers = Array.from({ length: 5 }, () => send({ brokerSymbol: "USDJPY", bid: level, ask: level }));
        expect(answers.at(-1)).toBeNull();
      }),
    );
  });
});
