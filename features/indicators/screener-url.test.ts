import { expect, test } from "vitest";
import {
  findUnknownIndicator,
  readBound,
  readScreenerChoice,
  toScreenerQuery,
} from "@/features/indicators/screener-url";

const isKnown = (name: string) => ["RSI_14", "CCI_14"].includes(name);
const read = (query: string) => readScreenerChoice(Object.fromEntries(new URLSearchParams(query)), isKnown);

test("The filters are read from the address written for them", () => {
  const choice = {
    indicator: "CCI_14",
    timeframe: "D1",
    min: -100.5,
    max: 0,
    category: "metals",
    sort: "asc",
  } as const;
  expect(read(toScreenerQuery(choice))).toEqual(choice);
  expect(toScreenerQuery(read(""))).toBe("indicator=RSI_14&timeframe=H1");
});

test("Invalid filters are replaced by the defaults", () => {
  expect(read("indicator=NONE&timeframe=H2&min=low&max=1e9&category=bonds&sort=up")).toEqual(read(""));
});

test("An indicator that there is not is named", () => {
  const names = ["RSI_14", " RSI_14 ", "NONE", "", undefined].map((indicator) =>
    findUnknownIndicator({ indicator }, isKnown),
  );
  expect(names).toEqual([null, null, "NONE", null, null]);
});

test("A bound is a decimal number, with either minus and either decimal mark", () => {
  const typed = ["30", " -0.5 ", "−100", "−0,5", "1.085", "", "1e3", "Infinity", "0x10", "1,085", "9".repeat(41)];
  expect(typed.map(readBound)).toEqual([30, -0.5, -100, -0.5, 1.085, null, null, null, null, null, null]);
});
