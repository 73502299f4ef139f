import fc from "fast-check";
import { expect, test } from "vitest";
import { readTypedNumber } from "@/lib/text/typed-number";

const read = (typed: string, hints = {}) => {
  const result = readTypedNumber(typed, hints);
  return "value" in result ? result.value : result.problem;
};

test("Numbers are read with the separators of every country", () => {
  const same: [number, string[]][] = [
    [1.085, ["1.0850", "1,0850", " 1,0850 ", "+1.0850", "1,08500", "\u00a01.0850\u202f"]],
    [1234.5, ["1.234,5", "1,234.5", "1 234,5", "1'234.5", "1’234.5", "1\u00a0234,5", "1\u202f234.5", "1_234.5"]],
    [
      1_234_567,
      ["1.234.567", "1,234,567", "1 234 567", "1'234'567", "12,34,567", "1234567", "1234567,", "1.234.567,00"],
    ],
    [1234.567, ["1 234,567", "1,234.567", "1.234,567", "1'234.567"]],
    [0.085, ["0,085", "0.085", ",085", ".085", "00,085"]],
    [-1.5, ["-1,5", "−1.5", "–1.5", "－1．5", "- 1.5"]],
    [1.085, ["١٫٠٨٥٠", "۱٫۰۸۵۰", "１．０８５０", "１，０８５０", "१.०८५०", "\u200f١٫٠٨٥٠\u200f"]],
    [1234.5, ["١٬٢٣٤٫٥", "１，２３４．５"]],
    [0, ["0", "0,0"]],
  ];
  for (const [value, texts] of same) for (const text of texts) expect([text, read(text)]).toEqual([text, value]);
});

test("What is no number is refused, and never read in part", () => {
  const texts = ["", " ", ".", ",", "-", "1.2.3", "1,2,3", "12,3456,7", "1.234,5.6", "1,234 5", "1 2", "1e5", "0x10"];
  texts.push("Infinity", "NaN", "1,0850 USD", "$1", "1--2", "1-", "1.234 567,8", "1234.567.890", "½", "1 23 4", "1,,2");
  for (const text of texts) expect([text, read(text)]).toEqual([text, "must be a number"]);
});

test("Two readings are decided by the size that is meant, or by the field, or refused with both", () => {
  const both = "can be read as 1.085 or as 1085; write 1.0850 or 1085";
  expect(read("1,085")).toBe(both);
  expect(read("1,085", { near: 1.08 })).toBe(1.085);
  expect(read("1,085", { near: 9.5 })).toBe(1.085);
  expect(read("1,085", { near: 1_990 })).toBe(1085);
  expect(read("1.085", { near: 1_990 })).toBe(1085);
  // Neither is near enough to be sure.
  expect(read("1,085", { near: 40 })).toBe(both);
  expect(read("1.085", { near: 40 })).toBe(both);
  expect(read("1,085", { near: null })).toBe(both);
  expect(read("1,085", { near: 0 })).toBe(both);
  // Pages write a point before decimals.
  expect(read("1.085")).toBe(1.085);
  expect(read("1.500", { isWhole: true })).toBe(1500);
  expect(read("1,000", { isWhole: true })).toBe(1000);
  expect(read("1,5", { isWhole: true })).toBe(1.5);
  expect(read("1,085", { accepts: (value: number) => value <= 1_000 })).toBe(1.085);
  expect(read("-1,085", { near: -1.1 })).toBe(-1.085);
});

test("Every number is read as each country's formatter writes it", () => {
  const locales = [
    "en-US",
    "de-DE",
    "de-CH",
    "fr-FR",
    "ru-RU",
    "es-ES",
    "en-IN",
    "ar-EG",
    "fa-IR",
    "hi-IN",
    "ja-JP",
    "sv-SE",
  ];
  const formats = locales.map((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 5 }));
  const numbers = fc.integer({ min: -1e11, max: 1e11 }).map((points) => points / 1e5);
  fc.assert(
    fc.property(numbers, fc.constantFrom(...formats), (value, format) => {
      const result = read(format.format(value), { near: value });
      // At most a single separator before three digits is uncertain, and the size decides.
      expect([format.format(value), result]).toEqual([format.format(value), Object.is(value, -0) ? 0 : value]);
    }),
  );
});
