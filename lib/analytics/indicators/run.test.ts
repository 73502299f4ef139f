import fc from "fast-check";
import { expect, test } from "vitest";
import { anyBars, generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { indicators } from "@/lib/analytics/indicators/registry";
import { type BarMemory, remember, runIndicator } from "@/lib/analytics/indicators/run";

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
