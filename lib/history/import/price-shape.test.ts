import { expect, test } from "vitest";
import { PriceShape } from "@/lib/history/import/price-shape";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const START = Date.UTC(2024, 0, 1);

test("A chart has at most 300 points, each with the lowest, highest and last price of its stretch, in any order of rows", () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, i) => [START + i * MINUTE_MS, 1 + ((i * 7_919) % 1_000) / 1e3] as const,
  );
  const build = (order: readonly (readonly [number, number])[]) => {
    const shape = new PriceShape(MINUTE_MS);
    for (const [timeMs, price] of order) shape.add(timeMs, price - 0.1, price + 0.1, price);
    return shape.build();
  };
  const { stepMs, points } = build(rows);
  expect(points.length).toBeGreaterThan(150);
  expect(points.length).toBeLessThanOrEqual(300);
  for (const [timeMs, low, high, close] of points) {
    const prices = rows.filter(([at]) => at >= timeMs && at < timeMs + stepMs).map(([, price]) => price);
    expect([low, high, close]).toEqual([Math.min(...prices) - 0.1, Math.max(...prices) + 0.1, prices.at(-1)]);
  }
  expect(build(rows.toReversed())).toEqual({ stepMs, points });
});

test("Rows that are far apart leave the time between them empty", () => {
  const shape = new PriceShape(MINUTE_MS);
  for (const day of [0, 1, 4_000]) shape.add(START + day * DAY_MS, 1, 1, 1);
  expect(shape.build().points).toHaveLength(3);
});

test("A chart of few rows has each of them, from ticks of some seconds to bars of an hour", () => {
  for (const stepMs of [SECOND_MS, MINUTE_MS, 60 * MINUTE_MS]) {
    const shape = new PriceShape(stepMs);
    for (let i = 0; i < 20; i++) shape.add(START + i * stepMs, 1, 1, 1);
    const { points, ...rest } = shape.build();
    expect(points.map(([timeMs]) => timeMs)).toEqual(Array.from({ length: 20 }, (_, i) => START + i * stepMs));
    expect(rest).toEqual({ stepMs });
  }
});
