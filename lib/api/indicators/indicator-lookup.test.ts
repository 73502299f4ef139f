import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiError } from "@/lib/api/engine/errors";
import { getIndicator, indicatorNames } from "@/lib/api/indicators/indicator-lookup";

describe("finding an indicator", () => {
  test("knows every name and alias it lists", () => {
    for (const name of indicatorNames) {
      const { name: own, aliases } = getIndicator(name);
      expect([own, ...aliases]).toContain(name);
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
  ])("suggests, for %j, %j", (asked, expected) => {
    const error = refusal(asked);
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", extra: { suggestions: expected } });
    for (const name of expected) expect(error.message).toContain(name);
  });

  test("refuses any text that is no name, with at most three suggestions", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!indicatorNames.includes(text));
        expect((refusal(text).extra.suggestions as string[]).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

function refusal(asked: string): ApiError {
  try {
    getIndicator(asked);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error(`${asked} is an indicator`);
}
