import { describe, expect, test } from "vitest";
import { extend, type Frame, hitShapes, layOut, type Place, type Shape } from "@/features/symbols/drawings/geometry";
import type { Kind, KnownDrawing } from "@/features/symbols/drawings/kinds";
import type { DrawingPoint } from "@/lib/access/drawing";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { type ChartLine, findLineLevel, TimeAxis } from "@/lib/market/time-axis";
import { HOUR_MS } from "@/lib/time/units";

/** A pane where a moment is its own place, and the price 100 is at the foot of 100 pixels. */
const frame: Frame = {
  width: 200,
  height: 100,
  facts: { digits: 5, pipSize: 0.0001 },
  toX: (ms) => ms,
  toY: (price) => 100 - price,
  toLogical: (ms) => ms / 10,
  measureText: (text) => text.length * 6,
};

const draw = (kind: Kind, points: readonly DrawingPoint[], fields: object = {}): KnownDrawing => ({
  ...fields,
  id: "00000000-0000-4000-8000-000000000000",
  kind,
  points,
});
const lay = (kind: Kind, points: readonly DrawingPoint[], fields?: object) => layOut(draw(kind, points, fields), frame);
const lines = (shapes: readonly Shape[]) =>
  shapes.flatMap((shape) => (shape.type === "line" ? [[shape.from, shape.to] as const] : []));
const hit = (shapes: readonly Shape[], x: number, y: number) => hitShapes(shapes, { x, y }, 5, frame.measureText);
const slope = ([from, to]: readonly [Place, Place]) => (to.y - from.y) / (to.x - from.x);

describe("A line", () => {
  test("is hit beside it within reach, and beyond its ends only where it goes on", () => {
    const points: DrawingPoint[] = [
      [50, 50],
      [100, 50],
    ];
    const [trend, ray, extended] = [lay("trend-line", points), lay("ray", points), lay("extended-line", points)];
    expect([trend, ray, extended].map((each) => hit(each, 75, 54))).toEqual(["edge", "edge", "edge"]);
    expect([trend, ray, extended].map((each) => hit(each, 75, 57))).toEqual([null, null, null]);
    expect([trend, ray, extended].map((each) => hit(each, 150, 50))).toEqual([null, "edge", "edge"]);
    expect([trend, ray, extended].map((each) => hit(each, 10, 50))).toEqual([null, null, "edge"]);
  });

  test("is cut off at the frame with its slope, however far its points are", () => {
    const cut = extend({ x: -1e9, y: -1e9 }, { x: 1e9, y: 1e9 }, {}, frame);
    expect(cut).not.toBeNull();
    expect(slope([cut?.from ?? { x: 0, y: 0 }, cut?.to ?? { x: 0, y: 0 }])).toBeCloseTo(1, 9);
    expect(cut?.to.x).toBeLessThan(250);
    expect(extend({ x: 0, y: 500 }, { x: 200, y: 500 }, { before: true, after: true }, frame)).toBeNull();
    expect(extend({ x: 50, y: 50 }, { x: 50, y: 50 }, { after: true }, frame)?.from).toEqual({ x: 50, y: 50 });
  });

  test.each([
    ["linear", (price: number) => 10_000 - price * 5_000],
    ["log", (price: number) => 10_000 - Math.log(price) * 5_000],
  ] as const)("is drawn where the level of its alert is, over a weekend and a gap, on a %s scale", (scale, toY) => {
    const hours = instrumentBySymbol.get("EURUSD")?.tradingHours as TradingHours;
    const friday = Date.UTC(2026, 10, 27);
    const axis = new TimeAxis("H1", hours);
    // Without the bars from 12:00 to 14:59 on Friday; the next week is not there yet.
    axis.update([8, 9, 10, 11, 15, 16, 17, 18, 19, 20, 21].map((hour) => [friday + hour * HOUR_MS]));
    const pane: Frame = { ...frame, ...{ width: 9_000, height: 10_000 }, toX: (ms) => 9 * axis.toLogical(ms), toY };
    const points: DrawingPoint[] = [
      [friday + 9 * HOUR_MS, 1.1],
      [friday + 16.5 * HOUR_MS, 1.15],
    ];
    const [from, to] = lines(layOut(draw("ray", points), pane))[0] as readonly [Place, Place];
    const line = { from: points[0], to: points[1], extend: "right", scale } as ChartLine;
    for (const hour of [9, 13, 16.25, 21.9, 30, 70, 71.5, 100]) {
      const ms = friday + hour * HOUR_MS;
      const y = from.y + (pane.toX(ms) - from.x) * slope([from, to]);
      expect(pane.toY(findLineLevel(axis, line, ms) ?? NaN)).toBeCloseTo(y, 6);
    }
    expect(findLineLevel(axis, line, friday + 8.9 * HOUR_MS)).toBeNull();
    expect(findLineLevel(axis, { ...line, extend: "none" }, friday + 17 * HOUR_MS)).toBeNull();
    expect(findLineLevel(new TimeAxis("H1", hours), line, friday + 17 * HOUR_MS)).toBeNull();
  });

  test("through a price without a place is not drawn", () => {
    const logarithmic = { ...frame, toY: (price: number) => (price > 0 ? 50 : NaN) };
    expect(
      layOut(
        draw("trend-line", [
          [0, -1],
          [100, 1],
        ]),
        logarithmic,
      ),
    ).toEqual([]);
  });
});

test("A level or upright line crosses the whole frame", () => {
  expect(lines(lay("horizontal-line", [[50, 40]]))).toEqual([
    [
      { x: 0, y: 60 },
      { x: 200, y: 60 },
    ],
  ]);
  expect(lines(lay("vertical-line", [[50, 40]]))).toEqual([
    [
      { x: 50, y: 0 },
      { x: 50, y: 100 },
    ],
  ]);
});

test("A channel has two parallels and the middle between them, and its inside is hit", () => {
  const shapes = lay("channel", [
    [0, 10],
    [100, 60],
    [50, 95],
  ]);
  const drawn = lines(shapes);
  expect(drawn).toHaveLength(3);
  expect(drawn.map(slope)).toEqual([-0.5, -0.5, -0.5].map((each) => expect.closeTo(each, 9)));
  expect(drawn.map(([from]) => from.y)).toEqual([90, 30, 60]);
  expect(hit(shapes, 50, 20)).toBe("inside");
  expect(hit(shapes, 50, 80)).toBeNull();
});

test("A pitchfork has a median through the middle of two points, and parallels through them", () => {
  const drawn = lines(
    lay("pitchfork", [
      [0, 50],
      [50, 80],
      [70, 40],
    ]),
  );
  const [median, upper, lower, tie] = drawn;
  const wanted = (100 - 60 - 50) / 60;
  for (const each of [median, upper, lower]) expect(slope(each as never)).toBeCloseTo(wanted, 9);
  expect(upper?.[0]).toEqual({ x: 50, y: 20 });
  expect(lower?.[0]).toEqual({ x: 70, y: 60 });
  expect(tie).toEqual([
    { x: 50, y: 20 },
    { x: 70, y: 60 },
  ]);
  expect(median?.[1].x).toBeGreaterThan(200);
});

test("A retracement has a line at each of its levels, with its price", () => {
  const shapes = lay(
    "fib-retracement",
    [
      [0, 90],
      [100, 10],
    ],
    { levels: [0, 0.5, 1] },
  );
  expect(
    lines(shapes)
      .slice(0, 3)
      .map(([from]) => from.y),
  ).toEqual([90, 50, 10]);
  expect(shapes.flatMap((shape) => (shape.type === "label" ? shape.lines : []))).toEqual([
    "0 %  10.00000",
    "50 %  50.00000",
    "100 %  90.00000",
  ]);
});

test("A measure says pips, percent, bars and time", () => {
  const label = lay("measure", [
    [0, 50],
    [100, 40],
  ]).find((shape) => shape.type === "label");
  expect(label?.type === "label" && label.lines).toEqual(["−100,000 pips · −20.00 %", "−10.00000 · +10 bars · 0 s"]);
});

test("A position says its reward, its risk and their ratio", () => {
  const points: DrawingPoint[] = [
    [0, 1.1],
    [100, 1.106],
    [100, 1.098],
  ];
  const near = { ...frame, toY: (price: number) => 100 - (price - 1.09) * 5000 };
  const texts = layOut(draw("long-position", points), near).flatMap((shape) =>
    shape.type === "label" ? shape.lines : [],
  );
  expect(texts).toEqual([
    "Target 1.10600 · 60.0 pips · 0.55 %",
    "Long 1.10000 · reward to risk 3.00",
    "Stop 1.09800 · 20.0 pips · 0.18 %",
  ]);
});

test("A text is hit on its letters, and a brush beside its stroke", () => {
  const text = lay("text", [[50, 50]], { text: "Resistance" });
  expect([hit(text, 80, 50), hit(text, 140, 50)]).toEqual(["edge", null]);
  const brush = lay("brush", [
    [0, 50],
    [50, 90],
    [100, 50],
  ]);
  expect([hit(brush, 50, 12), hit(brush, 50, 50)]).toEqual(["edge", null]);
});
