import fc from "fast-check";
import { expect, test } from "vitest";
import { BarStore } from "@/features/symbols/bar-store";
import { addClose, beginBricks, BrickStore, findBrickSize } from "@/features/symbols/renko";
import type { WireBar } from "@/features/symbols/types";

/** Bricks by the direction and the close of the last one, with the price walking point by point between closes. */
function walkSlowly(closes: readonly number[], size: number): (readonly [from: number, to: number])[] {
  const bricks: (readonly [number, number])[] = [];
  let price = closes[0] as number;
  let last = Math.floor(price / size) * size;
  let direction = 0;
  for (const target of closes) {
    for (;;) {
      if (price >= last + (direction === -1 ? 2 : 1) * size) {
        const from = direction === -1 ? last + size : last;
        bricks.push([from, from + size]);
        [last, direction] = [from + size, 1];
      } else if (price <= last - (direction === 1 ? 2 : 1) * size) {
        const from = direction === 1 ? last - size : last;
        bricks.push([from, from - size]);
        [last, direction] = [from - size, -1];
      }
      if (price === target) break;
      price += Math.sign(target - price);
    }
  }
  return bricks;
}

test("Bricks are those of a price that walks point by point from close to close", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (closes, size) => {
        let edges = beginBricks(closes[0] as number, size);
        const bricks = closes.flatMap((close) => {
          const added = addClose(edges, close, size);
          ({ edges } = added);
          return added.bricks.map(({ from, to }) => [from * size, to * size] as const);
        });
        expect(bricks).toEqual(walkSlowly(closes, size));
      },
    ),
  );
});

const MINUTE = 60_000;
const toBars = (closes: readonly number[]): WireBar[] =>
  closes.map((close, at) => [at * MINUTE, close, close + 0.0002, close - 0.0002, close, 9]);
const create = (closes: readonly number[]) =>
  new BarStore({ bars: toBars(closes), values: {}, hasOlder: false, isForming: true });
const show = (store: BarStore) => store.bars.map(([, open, , , close, volume]) => [open, close, volume]);

test("Bricks of closed bars stay while the price of the newest bar adds and takes back its own", () => {
  const store = new BrickStore(create([1.1, 1.1021, 1.1021]), { size: 100, digits: 5 });
  const closed = [
    [1.1, 1.101, 1],
    [1.101, 1.102, 1],
  ];
  expect(show(store)).toEqual(closed);
  const move = (minute: number, close: number) => store.apply([minute * MINUTE, close, close, close, close, 1]);
  expect(move(2, 1.1035)).toBe("changed");
  expect(show(store)).toEqual([...closed, [1.102, 1.103, 0]]);
  move(2, 1.0995);
  expect(show(store)).toEqual([...closed, [1.101, 1.1, 0]]);
  move(2, 1.1005);
  expect(show(store)).toEqual(closed);
  move(2, 1.1);
  expect(move(3, 1.1019)).toBe("opened");
  expect(show(store)).toEqual([...closed, [1.101, 1.1, 1]]);
  const times = store.bars.map(([timeMs]) => timeMs);
  expect(new Set(times).size).toBe(times.length);
  expect(times.toSorted((one, other) => one - other)).toEqual(times);
});

test("A brick is as high as the mean true range of the latest 14 closed bars, or as many pips as are chosen", () => {
  const instrument = { digits: 5, pipSize: 0.0001 };
  // The last bar is still filling.
  const bars = toBars([...Array.from({ length: 20 }, () => 1.1), 1.5]);
  expect(findBrickSize(bars, instrument, null)).toBe(40);
  expect(findBrickSize(bars, instrument, 12.5)).toBe(125);
  expect(findBrickSize([], instrument, null)).toBe(100);
  // 40,000 points in bricks of one.
  expect(findBrickSize(bars, instrument, 0.01)).toBe(2);
});
