import fc from "fast-check";
import { expect, test } from "vitest";
import { computeCorrelation } from "@/lib/analytics/correlation";

const lists = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })), {
  minLength: 20,
  maxLength: 60,
});

test("The coefficient equals the slope between standard scores", () => {
  fc.assert(
    fc.property(lists, (rows) => {
      const [one, other] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
      // Another form of the same figure: (nΣxy − ΣxΣy) ÷ √((nΣx² − (Σx)²)(nΣy² − (Σy)²)), exact in whole numbers.
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const n = rows.length;
      const above = n * sum(rows.map(([x, y]) => x * y)) - sum(one) * sum(other);
      const spreadOf = (values: readonly number[]) => n * sum(values.map((x) => x * x)) - sum(values) ** 2;
      const below = Math.sqrt(spreadOf(one) * spreadOf(other));
      const found = computeCorrelation(one, other);
      if (below === 0) expect(found).toBeNull();
      else expect(found).toBeCloseTo(above / below, 9);
    }),
  );
});

test("Equal lists have 1 and opposite lists −1, whatever their scale", () => {
  const list = Array.from({ length: 30 }, (_, index) => Math.sin(index));
  expect(
    computeCorrelation(
      list,
      list.map((value) => 3 * value + 7),
    ),
  ).toBeCloseTo(1, 12);
  expect(
    computeCorrelation(
      list,
      list.map((value) => -value),
    ),
  ).toBeCloseTo(-1, 12);
});

test("Too few values and a list that does not vary have no coefficient", () => {
  const list = Array.from({ length: 20 }, (_, index) => index % 5);
  expect(computeCorrelation(list, list)).toBeCloseTo(1, 12);
  expect(computeCorrelation(list.slice(1), list.slice(1))).toBeNull();
  expect(computeCorrelation(list, Array<number>(20).fill(4))).toBeNull();
});
