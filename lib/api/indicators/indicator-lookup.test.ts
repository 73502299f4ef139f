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
  ])("suggests for %j the names %j", (input, expected) => {
    const error = catchRefusal(input);
    expect(error).toMatchObject({
      code: "INDICATOR_NOT_FOUND",
      extra: { suggestions: expected, available_indicators: indicatorNames },
    });
    for (const name of expected) expect(error.message).toContain(name);
  });

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
