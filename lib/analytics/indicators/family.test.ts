import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { listUsualNames } from "@/lib/analytics/indicators/family";
import { anyMember, listShortMembers } from "@/lib/analytics/indicators/family.fixture";
import { findIndicator, indicatorFamilies, indicators } from "@/lib/analytics/indicators/registry";
import { computeLatest, countNeededBars, remember, runIndicator, runWithSignals } from "@/lib/analytics/indicators/run";
import { HOUR_MS } from "@/lib/time/units";

const families = indicatorFamilies.map((family) => [family.name, family] as const);
const find = (name: string) => findIndicator(name) as IndicatorDefinition;

describe("The name of a member", () => {
  test.each([
    ["RSI_21", 22],
    ["EMA_34", 34],
    ["SMA_13", 13],
    ["BBands_20_2.5_upper", 20],
    ["MACD_5_35_5_signal", 39],
    ["Stochastic_14_3_1_K", 14],
    ["ADX_20", 41],
    ["SAR_0.01_0.1", 2],
    ["RMA_9", 9],
    ["HV_20_1000000", 21],
  ])("%s is an indicator that needs %i bars", (name, warmUp) => {
    expect(find(name)).toMatchObject({ warmUp, shape: "B", aliases: [] });
    expect(find(name)).toBe(find(name));
  });

  test.each([
    "RSI_0",
    "RSI_1",
    "RSI_99999",
    "RSI_021",
    "RSI_21.0",
    "RSI_+21",
    "RSI_-21",
    "RSI_2e1",
    "RSI_0x15",
    "RSI_٢١",
    "RSI_２１",
    "RSI_21 ",
    " RSI_21",
    "RSI_21\n",
    "RSI_",
    "RSI",
    "RSI_21_",
    "RSI__21",
    "rsi_21",
    "RSI-21",
    "EMA_34_1",
    "BBands_20_1e3_upper",
    "BBands_20_2.50_upper",
    "BBands_20_2.555_upper",
    "BBands_20_.5_upper",
    "BBands_20_2.5",
    "BBands_20_2.5_Upper",
    "BBands_20_2.5_constructor",
    "MACD_26_12_9_main",
    "constructor",
    "constructor_21",
    "__proto___21",
    "toString_14",
    `RSI_${"1".repeat(10_000)}`,
    "_",
    "",
  ])("%j is not one", (name) => expect(findIndicator(name)).toBeUndefined());

  test.each(families)("%s has one spelling for each of its members", (_, family) => {
    fc.assert(
      fc.property(anyMember(family), ({ name }) => {
        expect(find(name)).toBeDefined();
        for (const other of [name.toLowerCase(), `${name}_`, name.replace(/_(\d)/, "_0$1")]) {
          if (other !== name) expect(findIndicator(other), other).toBeUndefined();
        }
      }),
      { numRuns: 20 },
    );
  });

  test("No family has the prefix of another, and usual members have a description of their own", () => {
    const names = indicatorFamilies.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]*$/);
    const usual = indicatorFamilies.flatMap(listUsualNames).map(find);
    expect(new Set(usual.map(({ description }) => description)).size).toBe(usual.length);
  });

  test("A member with the parameters of a listed indicator is that indicator, and no other has its name", () => {
    const pairs = { MACD_12_26_9_hist: "MACD_hist", "SAR_0.02_0.2": "Parabolic_SAR", BBands_20_2_lower: "BB_lower" };
    for (const [member, listed] of Object.entries(pairs)) expect(find(member)).toBe(find(listed));
    for (const definition of indicators) expect(find(definition.name)).toBe(definition);
    const shapes = indicatorFamilies.flatMap(listUsualNames).filter((name) => find(name).shape === "A");
    expect(shapes).toEqual(["TEMA_20", "SAR_0.02_0.2", "CCI_14", "WilliamsR_14"]);
  });

  test("Thousands of names leave only the latest in memory", () => {
    const first = find("BBands_21_2.5_upper");
    for (let period = 2; period <= 500; period += 1) {
      for (const deviations of ["2.5", "2.6", "2.7"]) find(`BBands_${period}_${deviations}_upper`);
    }
    expect(find("BBands_21_2.5_upper")).not.toBe(first);
    expect(find("BBands_500_2.7_upper")).toBe(find("BBands_500_2.7_upper"));
  });
});

const market = generateBars(1_200, { seed: 5, digits: 5, price: 1.1 });
const past = remember(null, market.slice(0, 1));

describe.each(families)("Every line of %s", (_, family) => {
  test("has the same value whichever bars are known before it, if there are enough, and else none", () => {
    fc.assert(
      fc.property(anyMember(family, { most: 30 }), fc.nat(1_000), ({ name }, begin) => {
        const definition = find(name);
        // A listed one has a memory.
        fc.pre(definition.isEndless !== true);
        const whole = runIndicator(definition, market);
        const later = runIndicator(definition, market.slice(begin), past);
        const needed = countKnown(definition, begin);
        const wrong = later.filter((value, i) => (value !== null || i >= needed) && value !== whole[begin + i]);
        expect(wrong, `${name} from ${begin} on`).toEqual([]);
        for (const end of [market.length, begin + 120]) {
          expect(computeLatest(definition, market.slice(0, end))).toBe(whole[end - 1]);
          const known = market.slice(0, end).slice(-countNeededBars(definition, HOUR_MS, market[end - 1]!.timeMs));
          const isAll = known.length === end;
          expect(computeLatest(definition, known, isAll ? null : past), name).toBe(whole[end - 1]);
        }
      }),
      { numRuns: 8 },
    );
  });

  test("begins at its warm-up at the earliest, is finite, within its range and labelled, and knows no later bar", () => {
    for (const name of listShortMembers(family)) {
      const definition = find(name);
      const values = runIndicator(definition, market.slice(0, 700));
      const first = values.findIndex((value) => value !== null);
      if (definition.since === undefined && !STARTS_LATER.has(family.name)) {
        expect(first, name).toBe(definition.warmUp - 1);
        expect(values.slice(first)).not.toContain(null);
      } else expect(first, name).toBeGreaterThanOrEqual(definition.warmUp - 1);
      const [lowest, highest] = definition.range ?? [-Infinity, Infinity];
      const isWrong = (value: number) =>
        !Number.isFinite(value) || Object.is(value, -0) || value < lowest || value > highest;
      expect(
        values.filter((value) => value !== null && isWrong(value)),
        name,
      ).toEqual([]);
      expect(runIndicator(definition, market.slice(0, 333))).toEqual(values.slice(0, 333));
      const readings = runWithSignals(definition, market.slice(0, 700), 1e-5);
      expect(readings.map((reading) => reading?.value ?? null)).toEqual(values);
    }
  });
});

/** Lines that begin with an event of the market. */
const STARTS_LATER = new Set(["ZigZag"]);

/** After how many bars of a series that begins at `begin` every value must be known. */
function countKnown({ warmUp, lookback, since }: IndicatorDefinition, begin: number): number {
  if (since === undefined) return lookback === undefined ? warmUp - 1 : Math.floor(1.5 * lookback);
  const at = market.slice(begin).findIndex(({ timeMs }) => since(timeMs) >= market[begin]!.timeMs);
  return at === -1 ? Infinity : at;
}

test("A start has the weight of a millionth at the end of its lookback", () => {
  const long = generateBars(9_000, { seed: 8, digits: 5, price: 1.1 });
  for (const name of ["EMA_34", "EMA_200", "SMMA_50", "RSI_21", "RSI_100", "TEMA_50", "MACD_19_39_9_hist", "ADX_21"]) {
    const definition = find(name);
    const stream = definition.create();
    const exact = long.map((bar) => stream.push(bar)).at(-1) as number;
    const value = computeLatest(definition, long) as number;
    const scale = definition.decimals === "oscillator" ? 100 : definition.decimals === "difference" ? 0.001 : 1.1;
    expect(Math.abs(value - exact) / scale, name).toBeLessThan(1e-5);
  }
});
