import { expect, test } from "vitest";
import { getMoveAfter, summariseMoves } from "@/features/calendar/event-detail";
import { formatMove, type Move } from "@/lib/calendar/measure-move";

const create = (after: number | null, change: Partial<Move> = {}): Move => ({
  barMinutes: 5,
  path: [...Array<number>(7).fill(0), after, ...Array<null>(4).fill(null), after === null ? null : after * 2],
  ...{ rangeBefore: 2, rangeAfter: 8, reference: 1.1, first: [], reach: null, spread: null, ...change },
});

test("A move is read at its minute, whatever the length of the bars", () => {
  expect([0, 5, 30].map((minutes) => getMoveAfter(create(6), minutes))).toEqual([0, 6, 12]);
  expect(getMoveAfter(create(null), 5)).toBeNull();
});

test("A move has its sign, and a dash if it is not known", () => {
  expect([12.34, -0.5, 0, null].map(formatMove)).toEqual(["+12.3", "−0.5", "0.0", "–"]);
});

test("A summary has medians of what is known", () => {
  const spread = { before: 0.6, widest: 3 };
  expect(summariseMoves([create(-6, { spread }), create(3), create(null)])).toEqual({
    ...{ after30: 9, rangeBefore: 2, rangeAfter: 8 },
    ...{ spreadBefore: 0.6, spreadWidest: 3 },
  });
  expect(summariseMoves([])).toBeNull();
});
