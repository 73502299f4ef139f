import { expect, test } from "vitest";
import { CURRENCY_CHOICES, readStrengthChoice, toStrengthHref } from "@/features/strength/url";
import { CURRENCIES } from "@/lib/analytics/strength/strength";

test("The address of the strength page is read as the view that it was written for", () => {
  for (const choice of [
    { timeframe: "D1", of: "JPY", hidden: ["EUR", "NZD"] },
    { timeframe: "H4", of: "USD", hidden: [] },
  ] as const) {
    const [, search] = toStrengthHref(choice).split("?");
    expect(readStrengthChoice(Object.fromEntries(new URLSearchParams(search)))).toEqual(choice);
  }
  expect(toStrengthHref({ timeframe: "H4", of: "USD", hidden: [] })).toBe("/strength?timeframe=H4");
});

const DEFAULTS = { timeframe: "H4", of: "USD", hidden: [] };

test("Invalid values are replaced by the defaults", () => {
  expect(readStrengthChoice({ timeframe: "M5", of: "XAU", hide: "XAU,eur" })).toEqual(DEFAULTS);
  expect(readStrengthChoice({ timeframe: ["H1", "D1"], of: [], hide: ["EUR"] })).toEqual(DEFAULTS);
});

test("The currencies to choose are those of the strengths", () => {
  expect(CURRENCY_CHOICES).toEqual(CURRENCIES);
});
