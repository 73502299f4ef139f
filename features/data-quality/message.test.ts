import { expect, test } from "vitest";
import { formatMessage } from "@/features/data-quality/message";
import { readQualityView, toQualityHref } from "@/features/data-quality/url";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

const FROM = Date.UTC(2026, 2, 4, 10, 10, 5);
const second = (offset: number, bid: number | null) => ({
  timeMs: FROM + offset * 1_000,
  sources: [
    ...(bid === null ? [] : [{ source: "alpha", bid, ask: bid + 0.00012, digits: 5, isNew: true }]),
    { source: "beta", bid: 1.085, ask: 1.0852, digits: 4, isNew: true },
  ],
});
const MOMENT = {
  instrument: instrumentBySymbol.get("EURUSD") as Instrument,
  ...{
    source: "alpha",
    isWithinSecond: false,
    fromMs: FROM,
    toMs: FROM + 2_000,
    url: "https://prices.example/data-quality?moment=1",
  },
};

test("A message names the furthest second, then lists all around it with the digits of each source", () => {
  const seconds = [second(-1, 1.085), second(0, 1.08702), second(1, 1.08801), second(2, 1.08501), second(9, null)];
  expect(formatMessage({ ...MOMENT, seconds }).split("\n")).toEqual([
    "EURUSD, 2026-03-04, 10:10:05 to 10:10:07 UTC: prices of alpha",
    "",
    "At 10:10:06 UTC alpha quoted 1.08801 / 1.08813 (1.2). At the end of the same second beta quoted 1.0850 / 1.0852 (2.0).",
    "",
    "Bid / ask (spread in pips) at the end of each second, UTC:",
    "10:10:04  alpha 1.08500 / 1.08512 (1.2)  |  beta 1.0850 / 1.0852 (2.0)",
    "10:10:05  alpha 1.08702 / 1.08714 (1.2)  |  beta 1.0850 / 1.0852 (2.0)",
    "10:10:06  alpha 1.08801 / 1.08813 (1.2)  |  beta 1.0850 / 1.0852 (2.0)",
    "10:10:07  alpha 1.08501 / 1.08513 (1.2)  |  beta 1.0850 / 1.0852 (2.0)",
    "",
    "https://prices.example/data-quality?moment=1",
  ]);
});

test("A message without a price of the source claims nothing about it", () => {
  expect(formatMessage({ ...MOMENT, seconds: [second(0, null)] })).toContain(
    "Prices of alpha and of the other sources",
  );
});

test("An address has the moment, the day or the month of a view, and gives the view back", () => {
  const read = (query: string) =>
    readQualityView(new URLSearchParams(query), FROM, (spelling) => (spelling === "" ? undefined : spelling));
  for (const query of [
    "symbol=GER40&moment=2026-03-04T10:10:05Z&source=alpha",
    "symbol=EURUSD&day=2026-02-28",
    "symbol=EURUSD&month=2026-01&source=a%26b",
  ]) {
    expect(toQualityHref(read(query))).toBe(`/data-quality?${query}`);
  }
  expect(toQualityHref(read("moment=x&day=2026-02-30&month=13"))).toBe("/data-quality?symbol=EURUSD&month=2026-03");
});
