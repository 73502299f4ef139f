import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  createSparkLines,
  decodeLine,
  drawSpark,
  encodeLine,
  SPARK_HEIGHT,
  SPARK_WIDTH,
  type SparkShape,
} from "@/features/quotes/spark-lines";
import { createSymbolStore } from "@/features/quotes/symbol-store";
import { QUARTER_HOUR_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 0, 7, 22);

describe("A day's line", () => {
  test("is decoded into the prices that it was encoded from", () => {
    const points = fc.array(fc.option(fc.integer({ min: 1, max: 10_000_000 })), { maxLength: 100 });
    fc.assert(
      fc.property(points, (given) => {
        const sent = given.map((point) => (point === null ? null : point / 1000));
        const { startMs, prices } = decodeLine(encodeLine(START, sent));
        expect(startMs).toBe(START);
        expect(prices).toEqual(sent);
      }),
    );
  });

  test("is drawn inside its box, the higher price above, and coloured by its last price", () => {
    const shape = drawSpark([1.1, null, 1.2, 1.3], 1.15) as SparkShape;
    const numbers = shape.path.match(/[\d.]+/g)?.map(Number) ?? [];
    const [xs, ys] = [numbers.filter((_, i) => i % 2 === 0), numbers.filter((_, i) => i % 2 === 1)];
    expect(Math.max(...xs)).toBeLessThanOrEqual(SPARK_WIDTH);
    expect(Math.max(...ys)).toBeLessThanOrEqual(SPARK_HEIGHT);
    expect(xs).toEqual(xs.toSorted((a, b) => a - b));
    expect(ys.at(-1)).toBe(Math.min(...ys));
    expect(shape.direction).toBe(1);
    expect(drawSpark([1.1], 1.15)?.direction).toBe(-1);
    expect(drawSpark([null], 1)).toBeNull();
    expect(drawSpark([1, 1], 1)).toMatchObject({ referenceY: SPARK_HEIGHT / 2, direction: 0 });
  });
});

describe("The lines of the board", () => {
  const open = (onRewritten?: () => void) => {
    const shapes = createSymbolStore<SparkShape>();
    return { shapes, lines: createSparkLines(shapes, onRewritten) };
  };
  const row = (bid: number, timeMs: number) => ["EURUSD", bid, bid, 0, timeMs, "alpha", 0] as const;

  test("join the loaded prices with newer ones that arrived before them", () => {
    const { shapes, lines } = open();
    lines.addDays([["EURUSD", START, 1, 1, 1, 1]]);
    lines.addRows([row(3, START + QUARTER_HOUR_MS)]);
    lines.addLoaded({ EURUSD: { startMs: START, prices: [2, 2.5] } });
    lines.draw();
    expect(shapes.get("EURUSD")).toEqual(drawSpark([2, 3], 1));
  });

  test("are loaded again when the past of their day was rewritten", () => {
    const onRewritten = vi.fn();
    const { lines } = open(onRewritten);
    lines.addDays([["EURUSD", START, 1, 1, 1, 1]]);
    lines.addDays([["EURUSD", START, 1, 1, 2, 1]]);
    expect(onRewritten).not.toHaveBeenCalled();
    lines.addDays([["EURUSD", START, 1, 1.5, 2, 1]]);
    expect(onRewritten).toHaveBeenCalledOnce();
  });

  test("start again with a new day, and ignore what was loaded for another", () => {
    const { shapes, lines } = open();
    lines.addDays([["EURUSD", START, 1, 1, 1, 1]]);
    lines.addRows([row(3, START)]);
    lines.addDays([["EURUSD", START + 96 * QUARTER_HOUR_MS, 3, 3, 3, 3]]);
    lines.addLoaded({ EURUSD: { startMs: START, prices: [2] } });
    lines.addRows([row(4, START + 97 * QUARTER_HOUR_MS)]);
    lines.draw();
    expect(shapes.get("EURUSD")).toEqual(drawSpark([undefined, 4], 3));
  });
});
