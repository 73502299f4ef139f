import { defaultHorzScaleBehavior, type IHorzScaleBehavior, TickMarkType, type Time } from "lightweight-charts";
import { expect, test } from "vitest";
import { createChartClock, formatChartTime, toChartTime } from "@/features/symbols/chart-time";
import { createZonedScale, formatMark, toHeikinAshi } from "@/features/symbols/scene";
import { HOUR_MS } from "@/lib/time/units";

/** The weights that a scale gives to hours from `startMs` on, added in two parts. */
function weigh(scale: IHorzScaleBehavior<Time>, startMs: number, count: number): number[] {
  const points = Array.from({ length: count }, (_, hour) => {
    const time = toChartTime(startMs + hour * HOUR_MS);
    return { time: scale.convertHorzItemToInternal(time), originalTime: time, timeWeight: 0 };
  });
  const weighed = points as unknown as Parameters<typeof scale.fillWeightsForPoints>[0];
  scale.fillWeightsForPoints(weighed.slice(0, count - 5), 0);
  scale.fillWeightsForPoints(weighed, count - 5);
  return weighed.map(({ timeWeight }) => timeWeight);
}

const createIn = (zone: string) => createZonedScale(createChartClock("H1", zone));
const create = () => new (defaultHorzScaleBehavior())();
/** The heaviest mark of hours is the start of a month here. */
const findHeaviest = (weights: readonly number[]) => weights.slice(1).indexOf(Math.max(...weights.slice(1))) + 1;

test("A month begins at midnight of the zone", () => {
  const start = Date.UTC(2026, 5, 30, 10);
  expect(findHeaviest(weigh(createIn("Europe/Berlin"), start, 30))).toBe(12);
  expect(findHeaviest(weigh(createIn("America/New_York"), start, 30))).toBe(18);
  expect(findHeaviest(weigh(createIn("Asia/Kolkata"), start, 30))).toBe(9);
});

test("The marks of UTC are those of the library", () => {
  const start = Date.UTC(2026, 11, 30, 10);
  expect(weigh(createIn("UTC"), start, 60)).toEqual(weigh(create(), start, 60));
});

test("Midnight is marked on both sides of a clock change", () => {
  // The clocks of Berlin go back at 01:00 UTC on 25 October 2026.
  const weights = weigh(createIn("Europe/Berlin"), Date.UTC(2026, 9, 24, 12), 48);
  const days = weights.flatMap((weight, hour) => (hour > 0 && weight >= 50 ? [hour] : []));
  expect(days).toEqual([10, 35]);
});

test("Marks have the time of the zone", () => {
  const ms = Date.UTC(2026, 11, 31, 23);
  const write = (zone: string) =>
    [TickMarkType.Year, TickMarkType.Month, TickMarkType.DayOfMonth, TickMarkType.Time].map((type) =>
      formatMark(createChartClock("H1", zone)(ms), type),
    );
  expect(write("UTC")).toEqual(["2026", "Dec", "31", "23:00"]);
  expect(write("Europe/Berlin")).toEqual(["2027", "Jan", "1", "00:00"]);
});

test("Bars of days and weeks are named by their trading day in every zone", () => {
  // Both bars open on a Sunday at 17:00 in New York, in winter and in summer.
  for (const [opened, day] of [
    [Date.UTC(2026, 10, 22, 22), "Mon, 23 Nov 2026"],
    [Date.UTC(2026, 6, 19, 21), "Mon, 20 Jul 2026"],
  ] as const) {
    expect(formatChartTime(opened, "D1", "Asia/Tokyo")).toBe(day);
    expect(formatChartTime(opened, "W1", "UTC")).toBe(day);
    expect(createChartClock("D1", "UTC")(opened) % (24 * HOUR_MS)).toBe(0);
  }
  expect(formatChartTime(Date.UTC(2026, 10, 22, 22), "H4", "Asia/Tokyo")).toBe("Mon, 23 Nov 2026, 07:00");
});

test("A Heikin-Ashi candle opens in the middle of the body before, and its wicks reach its body", () => {
  const candles = toHeikinAshi([
    [0, 10, 14, 8, 12, 1],
    [60_000, 12, 13, 9, 10, 1],
    [120_000, 10, 30, 10, 30, 1],
  ]);
  const values = candles.map(({ open, high, low, close }) => [open, high, low, close]);
  expect(values).toEqual([
    [11, 14, 8, 11],
    [11, 13, 9, 11],
    [11, 30, 10, 20],
  ]);
});
