import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHourColumns, writeSecond } from "@/lib/history/hour-columns";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";

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

describe("a block of an hour's ticks", () => {
  test("A block returns every hour that was encoded", () => {
    fc.assert(fc.property(hour, (ticks) => void expect(decodeHour(encodeHour(ticks))).toEqual(ticks)));
  });

  test("A block returns an hour with a tick in every second", () => {
    const columns = createHourColumns("EURUSD", 5, 0);
    for (let second = 0; second < 3_600; second++) {
      const bid = 114_637 + Math.round(20 * Math.sin(second / 90));
      writeSecond(columns, { symbol: "EURUSD", second, bid, ask: bid + 7, open: bid, high: bid, low: bid, updates: 3 });
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
          return void expect((error as Error).message).toMatch(/^This tick block /);
        }
        // Bits after the end of the deflated data have no meaning.
        expect(read).toEqual(ticks);
      }),
      { numRuns: 500 },
    );
  });

  test("Any other bytes are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => void expect(() => decodeHour(bytes)).toThrow(/^This tick block /)),
    );
  });
});

test("The checksum is the standard CRC-32", () => {
  expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926);
});
