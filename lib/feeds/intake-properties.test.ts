import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openIntake, T } from "@/lib/feeds/intake.fixture";
import type { Tick } from "@/lib/market/bar";
import { countDigits } from "@/lib/market/price";
import { anyCharacter } from "@/lib/text/any-text.fixture";

describe("the intake, for any sequence of ticks", () => {
  const wild = fc.oneof(fc.double({ min: 1, max: 1.2 }), fc.double(), fc.constantFrom(0, -0, 1.1, 1.10001, NaN));
  const time = fc.oneof(fc.integer({ min: T, max: T + 300 }), fc.double(), fc.constantFrom(T, T + 1e9));
  const tick: fc.Arbitrary<Tick> = fc.record({
    source: fc.constantFrom("a", "b"),
    brokerSymbol: fc.oneof(
      fc.constantFrom("EURUSD", "EURUSDm", "eur/usd", "USDJPY", "OIL"),
      fc.string({ unit: anyCharacter }),
    ),
    bid: wild,
    ask: wild,
    brokerTimeMs: time,
    receivedAtMs: fc.oneof({ weight: 9, arbitrary: fc.constant(T + 300) }, { weight: 1, arbitrary: fc.double() }),
  });

  test("accepts nothing crossed, non-finite, non-positive, late or with more than ten digits, and counts every tick", () => {
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 60 }), (ticks) => {
        const { intake, quotes } = openIntake();
        for (const each of ticks) intake.tick(each);
        const lastMs = new Map<string, number>();
        for (const { source, instrument, bid, ask, timeMs } of quotes) {
          const stream = `${source} ${instrument.symbol}`;
          expect(Number.isFinite(ask) && bid > 0 && bid <= ask).toBe(true);
          for (const price of [bid, ask]) {
            expect(Number(price.toFixed(10))).toBe(price);
            expect(countDigits(price)).toBeLessThanOrEqual(instrument.digits);
          }
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
        const { send } = openIntake();
        for (const bid of before) send({ brokerSymbol: "USDJPY", bid, ask: bid });
        const answers = Array.from({ length: 5 }, () => send({ brokerSymbol: "USDJPY", bid: level, ask: level }));
        expect(answers.at(-1)).toBeNull();
      }),
    );
  });
});
