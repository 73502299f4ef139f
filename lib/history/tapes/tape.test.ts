import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinTapes, type Tape, type TapeTick, TickList } from "@/lib/history/tapes/tape";
import {
  type DecodedTicks,
  decodeNewTicks,
  decodeTape,
  encodeNewTicks,
  encodeTape,
} from "@/lib/history/tapes/tape-block";
import { MAX_POINTS, toPrice } from "@/lib/market/price";
import { HOUR_MS } from "@/lib/time/units";

const HOUR = Date.parse("2026-03-04T10:00:00Z");

const points = fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: MAX_POINTS }));
const tick = fc.record({
  digits: fc.constant(5),
  bid: points,
  ask: points,
  timeMs: fc.integer({ min: HOUR, max: HOUR + HOUR_MS - 1 }),
  receivedMs: fc.integer({ min: HOUR - 5_000, max: HOUR + 2 * HOUR_MS }),
  isServed: fc.boolean(),
});
const ticks = fc.array(tick, { maxLength: 200 }).map(toList);
const tape = ticks.map((list) => list.toTape());

function toList(each: readonly TapeTick[]): TickList {
  const list = new TickList();
  for (const one of each) list.add(one);
  return list;
}

const toTape = (each: readonly TapeTick[]) => toList(each).toTape();

/** The ticks, whatever the digits of their points. */
function list({ digits, timesMs, bids, asks, receivedMs, served }: Tape) {
  return Array.from(timesMs, (timeMs, i) => {
    const price = (column: Float64Array) => toPrice(column[i] as number, digits);
    return [timeMs, price(bids), price(asks), receivedMs[i], served[i]];
  });
}

/** Ticks of the given milliseconds of the hour, the bid of each after a colon: "0:7 5:8". */
function parse(text: string): Tape {
  const ticks = text.split(" ").map((each): TapeTick => {
    const [at = 0, bid = 0] = each.split(":").map(Number);
    const prices = { digits: 5, bid, ask: bid + 1 };
    return { ...prices, timeMs: HOUR + at, receivedMs: HOUR + at + 20, isServed: true };
  });
  return toTape(ticks);
}

const format = ({ timesMs, bids }: Tape) => Array.from(timesMs, (timeMs, i) => `${timeMs - HOUR}:${bids[i]}`).join(" ");

describe("a block of a tape", () => {
  test("A block returns every tick that was encoded, in the order of their times.", () => {
    fc.assert(
      fc.property(tape, (ticks) => void expect(list(decodeTape(HOUR, encodeTape(HOUR, ticks)))).toEqual(list(ticks))),
    );
  });

  test("A block of several symbols and sources returns the ticks of each, and of the wanted symbol alone.", () => {
    fc.assert(
      fc.property(ticks, ticks, ticks, (one, other, third) => {
        const groups = [
          { symbol: "EURUSD", source: "alpha", hourMs: HOUR, ticks: one },
          { symbol: "BTCUSD", source: "alpha", hourMs: HOUR, ticks: other },
          { symbol: "EURUSD", source: "béta", hourMs: HOUR, ticks: third },
        ];
        const expected = groups.map((group) => [group.symbol, group.source, group.hourMs, list(group.ticks.toTape())]);
        const plain = (each: DecodedTicks) => [each.symbol, each.source, each.hourMs, list(each.tape)];
        const block = encodeNewTicks(groups);
        expect(decodeNewTicks(block).map(plain)).toEqual(expected);
        const wanted = decodeNewTicks(block, (symbol) => symbol === "EURUSD");
        expect(wanted.map(plain)).toEqual([expected[0], expected[2]]);
      }),
    );
  });

  test("A block is refused when any bit of it is wrong, or when it is cut short.", () => {
    const damage = fc.oneof(
      fc.nat().map((at) => (block: Uint8Array) => {
        block[(at >>> 3) % block.length] = (block[(at >>> 3) % block.length] as number) ^ (1 << (at & 7));
        return block;
      }),
      fc.nat().map((at) => (block: Uint8Array) => block.subarray(0, at % block.length)),
    );
    fc.assert(
      fc.property(tape, damage, (ticks, applyDamage) => {
        const damaged = applyDamage(Uint8Array.from(encodeTape(HOUR, ticks)));
        let read: Tape;
        try {
          read = decodeTape(HOUR, damaged);
        } catch (error) {
          return void expect((error as Error).message).toMatch(/^This block of a tape /);
        }
        // Bits after the end of a deflated column have no meaning.
        expect(list(read)).toEqual(list(ticks));
      }),
      { numRuns: 500 },
    );
  });

  test("A tick of a busy hour takes less than three bytes.", () => {
    let [bid, timeMs, state] = [114_637, HOUR, 1];
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
      return (state >>> 12) % below;
    };
    const ticks = Array.from({ length: 10_000 }, (): TapeTick => {
      bid += random(5) - 2;
      timeMs += random(700);
      const prices = { digits: 5, bid, ask: bid + 12 + random(2) };
      return { ...prices, timeMs, receivedMs: timeMs + 30 + random(4), isServed: true };
    });
    expect(encodeTape(HOUR, toTape(ticks)).length / ticks.length).toBeLessThan(3);
  });
});

describe("parts of a tape", () => {
  test.each([
    ["1:5 2:6", "3:7", "1:5 2:6 3:7", "later ticks"],
    ["1:5 2:6 3:7", "2:6 3:7 4:8", "1:5 2:6 3:7 4:8", "ticks that are delivered again"],
    ["1:5 4:8", "2:6", "1:5 2:6 4:8", "ticks that came late"],
    ["1:5 2:6 2:7 2:6", "2:7 2:6 3:1", "1:5 2:6 2:7 2:6 3:1", "a part of a millisecond again"],
    ["1:5 2:6", "2:6 2:7 2:6", "1:5 2:6 2:7 2:6", "more of a millisecond"],
    ["1:5 2:6", "2:7", "1:5 2:6 2:7", "other ticks of a millisecond"],
    ["2:7 3:8", "1:5 2:6", "1:5 2:7 2:6 3:8", "earlier ticks"],
  ])("%s and %s are %s: %s.", (one, other, joined) => {
    expect(format(joinTapes([parse(one), parse(other)]))).toBe(joined);
  });

  test("Any parts of a tape, each perhaps delivered again, are the tape.", () => {
    const cuts = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 });
    fc.assert(
      fc.property(tape, cuts, (whole, again) => {
        // Within a millisecond, the parts of a repeated sequence cannot be told apart.
        const ticks = list(whole).filter(([timeMs], i, all) => timeMs !== all[i - 1]?.[0]);
        const build = (rows: typeof ticks) =>
          toTape(
            rows.map(([timeMs, bid, ask, receivedMs, served]) => ({
              ...{ digits: 5, bid: Math.round((bid as number) * 1e5), ask: Math.round((ask as number) * 1e5) },
              ...{ timeMs: timeMs as number, receivedMs: receivedMs as number, isServed: served === 1 },
            })),
          );
        const parts = again.map(([from, to]) => build(ticks.slice(from % (ticks.length + 1), to % (ticks.length + 1))));
        expect(list(joinTapes([...parts, build(ticks), ...parts]))).toEqual(list(build(ticks)));
      }),
    );
  });

  test("Parts of different digits are joined in the finer ones.", () => {
    const coarse = toTape([{ digits: 3, bid: 1_085, ask: 1_086, timeMs: HOUR, receivedMs: HOUR, isServed: true }]);
    const joined = joinTapes([coarse, parse("1:108512")]);
    expect([joined.digits, ...joined.bids]).toEqual([5, 108_500, 108_512]);
  });
});
