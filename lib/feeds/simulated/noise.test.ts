import { describe, expect, test } from "vitest";
import { deriveSeed, drawNormal, drawUniform } from "@/lib/feeds/simulated/noise";

const DRAWS = 200_000;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("repeatable pseudo-random numbers", () => {
  test("are the same for the same seed and integers, and differ otherwise", () => {
    const seed = deriveSeed("spotline", "EUR");
    expect(deriveSeed("spotline", "EUR")).toBe(seed);
    expect(drawNormal(seed, 7, 9)).toBe(drawNormal(seed, 7, 9));
    const others = [
      drawNormal(seed + 1, 7, 9),
      drawNormal(seed, 8, 9),
      drawNormal(seed, 7, 10),
      drawNormal(seed, 9, 7),
      drawNormal(seed, -7, 9),
    ];
    expect(new Set([drawNormal(seed, 7, 9), ...others]).size).toBe(6);
    expect(deriveSeed("ab", "c")).not.toBe(deriveSeed("a", "bc"));
  });

  test("are bell-shaped around 0 with variance 1, or uniform over [0, 1)", () => {
    const bells = Array.from({ length: DRAWS }, (_, i) => drawNormal(1, i >> 9, i));
    expect(Math.abs(mean(bells))).toBeLessThan(0.01);
    expect(mean(bells.map((x) => x * x))).toBeCloseTo(1, 1);
    expect(bells.filter((x) => Math.abs(x) < 1).length / DRAWS).toBeCloseTo(0.68, 1);
    const draws = Array.from({ length: DRAWS }, (_, i) => drawUniform(2, i, 3));
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = draws.filter((x) => Math.floor(x * 10) === tenth).length / DRAWS;
      expect(Math.abs(share - 0.1)).toBeLessThan(0.005);
    }
  });

  test("are not correlated with their neighbours", () => {
    const correlation = (at: (i: number) => number) =>
      mean(Array.from({ length: DRAWS }, (_, i) => drawNormal(3, 5, i) * at(i)));
    expect(Math.abs(correlation((i) => drawNormal(3, 5, i + 1)))).toBeLessThan(0.01);
    expect(Math.abs(correlation((i) => drawNormal(3, 6, i)))).toBeLessThan(0.01);
    expect(Math.abs(correlation((i) => drawNormal(4, 5, i)))).toBeLessThan(0.01);
    expect(Math.abs(correlation((i) => drawNormal(3, 5, 2 * i)))).toBeLessThan(0.01);
  });
});
