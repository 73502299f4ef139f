import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMinutes, encodeMinutes } from "@/lib/history/spreads/spread-rows";

const histogram = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 60 })), { maxLength: 60 })
  .map((entries) => new Map(entries));

describe("an hour's histograms as bytes", () => {
  test("Histograms are decoded as they were encoded", () => {
    fc.assert(
      fc.property(fc.array(histogram, { minLength: 60, maxLength: 60 }), (minutes) => {
        expect(decodeMinutes(encodeMinutes(minutes))).toEqual(minutes);
      }),
    );
  });

  test("Bytes that are cut short are refused", () => {
    const minutes = Array.from({ length: 60 }, () => new Map([[12, 60]]));
    const tooFew = encodeMinutes(minutes.slice(1));
    expect(() => decodeMinutes(tooFew)).toThrow("ends too early");
  });

  test("A nearly constant spread takes few bytes", () => {
    const minutes = Array.from(
      { length: 60 },
      (_, minute) =>
        new Map([
          [12, 50 + (minute % 5)],
          [13, 10 - (minute % 5)],
        ]),
    );
    expect(encodeMinutes(minutes).length).toBeLessThan(100);
  });
});
