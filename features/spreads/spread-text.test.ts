import { describe, expect, test } from "vitest";
import { pipsText, relationText } from "@/features/spreads/spread-text";

describe("spreads in words", () => {
  test("have two decimals, and a dash where there is none", () => {
    expect(pipsText(1.5)).toBe("1.50");
    expect(pipsText(0.4, 1)).toBe("0.4");
    expect(pipsText(null)).toBe("–");
  });

  test("tell how far they are from the average", () => {
    expect(relationText(1.12, 1)).toBe("+12 %");
    expect(relationText(0.5, 1)).toBe("−50 %");
    expect(relationText(1.001, 1)).toBe("±0 %");
    expect(relationText(null, 1)).toBe("–");
    expect(relationText(1, 0)).toBe("–");
  });
});
