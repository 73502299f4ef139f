import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiError } from "@/lib/api/engine/errors";
import { getIndicator, indicatorNames } from "@/lib/api/indicators/indicator-lookup";
import { anyCharacter } from "@/lib/text/any-text.fixture";

describe("getIndicator", () => {
  test("finds every listed name and alias", () => {
    for (const name of indicatorNames) {
      const { name: mainName, aliases } = getIndicator(name);
      expect([mainName, ...aliases]).toContain(name);
    }
  });

  test.each([
    ["RSI", ["RSI_14"]],
    ["rsi_14", ["RSI_14"]],
    ["EMA", ["EMA_10", "EMA_20", "EMA_50"]],
    ["CCI14", ["CCI_14"]],
    ["Wiliams_R_14", ["WilliamsR_14", "Williams_R_14"]],
    ["nothing alike", []],
    ["", []],
    ["x", []],
    ["rsi_21", ["RSI_21"]],
    ["RSI_021", ["RSI_21"]],
    ["BB_20_2_upper", ["BBands_20_2_upper", "BBands_20_2_middle", "BBands_20_2_lower"]],
    ["bbands", ["BBands_20_2_upper", "BBands_20_2_middle", "BBands_20_2_lower"]],
    ["BBands_20_2.50_upper", ["BBands_20_2.5_upper"]],
    ["Stochastic_14_3_1_k", ["Stochastic_14_3_1_K"]],
    ["constructor", []],
    ["__proto__", []],
  ])("suggests for %j the names %j", (input, expected) => {
    const error = catchRefusal(input);
    expect(error).toMatchObject({
      code: "INDICATOR_NOT_FOUND",
      extra: { suggestions: expected, available_indicators: indicatorNames },
    });
    for (const name of expected) expect(error.message).toContain(name);
  });

  test.each([
    ["RSI_0", "RSI: period must be from 2 to 250."],
    ["RSI_99999", "RSI: period must be from 2 to 250."],
    ["RSI_2.5", "RSI: period must be whole."],
    ["BBands_20_2.555_upper", "BBands: deviations has at most 2 decimals."],
    ["MACD_26_12_9_main", "MACD: fast must be below slow."],
    ["anything", "see /v1/indicators/list?include=families."],
  ])("tells for %j what is wrong: %s", (input, text) => expect(catchRefusal(input).message).toContain(text));

  test("refuses any other text with at most three suggestions", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        fc.pre(!indicatorNames.includes(text));
        expect((catchRefusal(text).extra.suggestions as string[]).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

function catchRefusal(input: string): ApiError {
  try {
    getIndicator(input);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error(`${input} is an indicator`);
}
