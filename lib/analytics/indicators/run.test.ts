import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyBars, generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { indicators } from "@/lib/analytics/indicators/registry";
import {
  type BarMemory,
  computeLatest,
  remember,
  runIndicator,
  runWithSignals,
  skipHoles,
} from "@/lib/analytics/indicators/run";

const market = generateBars(700, { seed: 3, digits: 5, price: 1.1 });

test.each(indicators.map((definition) => [definition.name, definition] as const))(
  "%s continues after any bar with exactly the values that it has from the first bar on",
  (_, definition) => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(market), anyBars(120)), fc.nat(), fc.nat(), (bars, a, b) => {
        const [early, late] = [a % (bars.length + 1), b % (bars.length + 1)].sort((x, y) => x - y) as [number, number];
        const past = remember(early === 0 ? null : remember(null, bars.slice(0, early)), bars.slice(early, late));
        const whole = runIndicator(definition, bars).slice(late);
        const continued = runIndicator(definition, bars.slice(late), past);
        const isKnown = definition.isEndless === true ? 0 : definition.warmUp - 1;
        expect(continued.slice(isKnown)).toEqual(whole.slice(isKnown));
      }),
      { numRuns: 30 },
    );
  },
);

test("A memory has the same length before the first bar and after many", () => {
  const lengths = [0, 1, 20, 700].map((count) => remember(null, market.slice(0, count)).length);
  expect(new Set(lengths).size).toBe(1);
});

test("Only indicators that are declared endless need a memory", () => {
  const past: BarMemory = remember(null, market.slice(0, 400));
  for (const definition of indicators) {
    const whole = runIndicator(definition, market).at(-1);
    const windowed = runIndicator(definition, market.slice(-definition.warmUp)).at(-1);
    if (definition.isEndless !== true) expect(windowed, definition.name).toBe(whole);
    expect(runIndicator(definition, market.slice(400), past).at(-1), definition.name).toBe(whole);
  }
});

describe("After a hole", () => {
  const at = 500;
  const hole = (missing: number) => [{ at, fromMs: 0, untilMs: 0, missing }];
  const later = market.slice(at);

  test.each(indicators.map((definition) => [definition.name, definition] as const))(
    "%s has the values of the bars after it alone, in every way of computing them",
    (_, definition) => {
      const holes = hole(definition.warmUp + 1);
      const alone = runIndicator(definition, later);
      expect(runIndicator(definition, market, null, holes).slice(at)).toEqual(alone);
      expect(runWithSignals(definition, market, 1e-5, null, holes).slice(at)).toEqual(
        runWithSignals(definition, later, 1e-5),
      );
      for (const count of [0, 1, 3, 199]) {
        const end = at + count + 1;
        expect(computeLatest(definition, market.slice(0, end), null, holes)).toBe(alone[count]);
      }
      const past = remember(null, market.slice(0, 600), holes);
      const continued = runIndicator(definition, market.slice(600), past);
      const known = definition.isEndless === true ? 0 : definition.warmUp - 1;
      expect(continued.slice(known)).toEqual(alone.slice(100 + known));
      const after = remember(null, market.slice(0, at));
      expect(runIndicator(definition, later, after, [{ at: 0, missing: 500 }])).toEqual(alone);
    },
  );

  test("that is no longer than its warm-up an indicator goes on", () => {
    for (const definition of indicators) {
      const whole = runIndicator(definition, market);
      expect(runIndicator(definition, market, null, hole(definition.warmUp)), definition.name).toEqual(whole);
    }
  });

  test("a series without its holes is the same object for the same bars", () => {
    const series = { closed: market, past: null, holes: hole(21) };
    expect(skipHoles(series)).toEqual({ closed: later, past: null, holes: [] });
    expect(skipHoles({ ...series }).closed).toBe(skipHoles(series).closed);
    const whole = { ...series, holes: [] };
    expect(skipHoles(whole)).toBe(whole);
  });
});
