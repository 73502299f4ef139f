import { expect, test } from "vitest";
import { createReport, TimeObserver } from "@/lib/history/import/import-report";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const MONDAY = Date.UTC(2024, 4, 13);

function observe(stepMs: number, times: readonly number[]) {
  const instrument = catalogResolver.find("EURUSD");
  if (instrument === undefined) throw new Error("EURUSD is in the catalog");
  const report = createReport();
  const observer = new TimeObserver(report, instrument, stepMs);
  for (const timeMs of times) observer.observe(timeMs);
  return report;
}

test("A gap is a stretch without rows while the market was open, longer than the file's bars", () => {
  const ticks = [0, 9 * MINUTE_MS, 20 * MINUTE_MS, 80 * MINUTE_MS].map((ms) => MONDAY + ms);
  expect(observe(0, ticks).gaps).toMatchObject({ count: 2, longest: [{ toMs: MONDAY + 80 * MINUTE_MS }, {}] });
  const hours = [0, 1, 2, 5].map((hour) => MONDAY + hour * HOUR_MS);
  expect(observe(HOUR_MS, hours).gaps).toEqual({
    count: 1,
    longest: [{ fromMs: MONDAY + 2 * HOUR_MS, toMs: MONDAY + 5 * HOUR_MS }],
  });
});

test("A weekend is no gap, but is noted", () => {
  const [friday, sunday] = [MONDAY - 51 * HOUR_MS - MINUTE_MS, MONDAY - 3 * HOUR_MS];
  expect(observe(0, [friday, sunday])).toMatchObject({
    gaps: { count: 0 },
    weekends: [{ lastMs: friday, firstMs: sunday }],
  });
});
