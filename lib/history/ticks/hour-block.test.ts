import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHourColumns, writeSecond } from "@/lib/history/hour-columns";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { MAX_POINTS, toPrice } from "@/lib/market/price";

const point = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const hour = fc
  .record({
    digits: fc.integer({ min: 0, max: 10 }),
    rows: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3_599 }), point, point), {
      selector: ([second]) => second,
    }),
  })
  .map(({ digits, rows }): HourTicks => {
    const sorted = rows.sort(([a], [b]) => a - b);
    return {
      digits,
      seconds: Uint16Array.from(sorted, ([second]) => second),
      bid: Int32Array.from(sorted, ([, bid]) => bid),
      ask: Int32Array.from(sorted, ([, , ask]) => ask),
    };
  });

/** Points of more than 32 bits. */
const widePoint = fc.integer({ min: 0, max: MAX_POINTS });
const wideHour = fc
  .record({
    digits: fc.integer({ min: 0, max: 10 }),
    rows: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3_599 }), widePoint, widePoint), {
      selector: ([second]) => second,
    }),
  })
  .map(({ digits, rows }): HourTicks => {
    const sorted = rows.sort(([a], [b]) => a - b);
    return {
      digits,
      seconds: Uint16Array.from(sorted, ([second]) => second),
      bid: Float64Array.from(sorted, ([, bid]) => bid),
      ask: Float64Array.from(sorted, ([, , ask]) => ask),
    };
  });

/** The figures of an hour, which do not depend on the digits of its points. */
function toPrices({ digits, seconds, bid, ask }: HourTicks) {
  const prices = (points: HourTicks["bid"]) => Array.from(points, (each) => toPrice(each, digits));
  return { seconds: [...seconds], bid: prices(bid), ask: prices(ask) };
}

describe("a block of an hour's ticks", () => {
  test.each([
    ["narrow", hour],
    ["wide", wideHour],
  ])("A block returns every price of each %s hour that was encoded", (_, hours) => {
    fc.assert(
      fc.property(hours, (ticks) => void expect(toPrices(decodeHour(encodeHour(ticks)))).toEqual(toPrices(ticks))),
    );
  });

  test("A block is as small with digits that no price needs", () => {
    const ticks = { seconds: Uint16Array.of(1, 2), bid: Int32Array.of(1085, 1086), ask: Int32Array.of(1086, 1087) };
    const finer = { ...ticks, bid: ticks.bid.map((bid) => bid * 1000), ask: ticks.ask.map((ask) => ask * 1000) };
    expect(encodeHour({ ...finer, digits: 6 })).toEqual(encodeHour({ ...ticks, digits: 3 }));
  });

  test("A block returns an hour with a tick in every second", () => {
    const columns = createHourColumns("EURUSD", 5, 0);
    for (let second = 0; second < 3_600; second++) {
      const bid = 114_637 + Math.round(20 * Math.sin(second / 90));
      const prices = { digits: 5, bid, ask: bid + 7, open: bid, high: bid, low: bid };
      writeSecond(columns, { symbol: "EURUSD", second, ...prices, updates: 3 });
    }
    const ticks = toTicks(columns);
    expect(ticks.seconds).toHaveLength(3_600);
    const block = encodeHour(ticks);
    expect(decodeHour(block)).toEqual(ticks);
    expect(block.length).toBeLessThan(3_600);
  });

  test("A block is refused when any bit of it is wrong, or when it is cut short", () => {
    const damage = fc.oneof(
      fc.nat().map((at) => (block: Uint8Array) => {
        block[(at >>> 3) % block.length] = (block[(at >>> 3) % block.length] as number) ^ (1 << (at & 7));
        return block;
      }),
      fc.nat().map((at) => (block: Uint8Array) => block.subarray(0, at % block.length)),
    );
    fc.assert(
      fc.property(hour, damage, (ticks, applyDamage) => {
        const block = encodeHour(ticks);
        const damaged = applyDamage(Uint8Array.from(block));
        let read: HourTicks;
        try {
          read = decodeHour(damaged);
        } catch (error) {
          return void expect((error as Error).message).toMatch(/^This block of ticks /);
        }
        // Bits after the end of the deflated data have no meaning.
        expect(toPrices(read)).toEqual(toPrices(ticks));
      }),
      { numRuns: 500 },
    );
  });

  test("Any other bytes are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => void expect(() => decodeHour(bytes)).toThrow(/^This block of ticks /)),
    );
  });
});

test("The checksum is the standard CRC-32", () => {
  expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926);
});
