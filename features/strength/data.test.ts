import { expect, test } from "vitest";
import { findWidestPair } from "@/features/strength/data";

const rank = (...currencies: string[]) =>
  currencies.map((currency, index) => ({ currency, strength: currencies.length - index }));

test("The pair of the strongest and the weakest currency names the side of a trade that follows them", () => {
  const pair = (strongest: string, weakest: string) => findWidestPair(rank(strongest, "JPY", weakest));
  expect(pair("CHF", "USD")).toEqual({ symbol: "USDCHF", side: "sell", strongest: "CHF", weakest: "USD" });
  expect(pair("CAD", "GBP")).toEqual({ symbol: "GBPCAD", side: "sell", strongest: "CAD", weakest: "GBP" });
  expect(pair("EUR", "USD")).toEqual({ symbol: "EURUSD", side: "buy", strongest: "EUR", weakest: "USD" });
});

test("There is no such pair while all strengths are equal or unknown", () => {
  expect(
    findWidestPair([
      { currency: "EUR", strength: 5 },
      { currency: "USD", strength: 5 },
    ]),
  ).toBeNull();
  expect(findWidestPair([])).toBeNull();
});
