import { expect, test } from "vitest";
import { FillingHour } from "@/lib/history/spreads/filling-hour";
import { rollUpMinutes } from "@/lib/history/spreads/spread-hour";

const HOUR = { symbol: "EURUSD", source: "alpha", hourMs: Date.UTC(2026, 0, 14, 14) };

/** Counts in the simplest way. */
function countMaps(samples: readonly (readonly [minute: number, spread: number])[]) {
  const minutes = Array.from({ length: 60 }, () => new Map<number, number>());
  for (const [minute, spread] of samples) minutes[minute]?.set(spread, (minutes[minute].get(spread) ?? 0) + 1);
  return minutes;
}

const samples = Array.from({ length: 3_600 }, (_, second) => {
  return [Math.floor(second / 60), (second * 7_919) % 23] as const;
});

test("An hour has the samples of every minute, the newest included, at any time", () => {
  const hour = new FillingHour(HOUR);
  for (const [index, [minute, spread]] of samples.entries()) {
    hour.count(minute, spread);
    if (index % 499 === 0) expect(hour.minutes).toEqual(countMaps(samples.slice(0, index + 1)));
  }
  expect(hour.minutes).toEqual(countMaps(samples));
});

test("An hour that is trimmed counts late samples", () => {
  const hour = new FillingHour(HOUR);
  for (const [index, [minute, spread]] of samples.entries()) {
    hour.count(minute, spread);
    if (index % 499 === 0) hour.trim();
  }
  expect(hour.minutes).toEqual(countMaps(samples));
  hour.trim();
  hour.count(59, 5);
  expect(hour.minutes).toEqual(countMaps([...samples, [59, 5]]));
});

test("An hour goes on from what another process has counted of it", () => {
  const before = new FillingHour(HOUR);
  for (const [minute, spread] of samples.slice(0, 1_000)) before.count(minute, spread);
  const after = new FillingHour(HOUR, before.minutes);
  for (const [minute, spread] of samples.slice(1_000)) after.count(minute, spread);
  expect(after.minutes).toEqual(countMaps(samples));
});

test("The roll-up and the first minute are those of the minutes", () => {
  const hour = new FillingHour(HOUR);
  expect(hour.findFirstMinute()).toBeNull();
  for (const [minute, spread] of samples.slice(600)) hour.count(minute, spread);
  for (const fromMinute of [0, 10, 37, 59]) {
    expect(hour.rollUp(fromMinute)).toEqual(rollUpMinutes(hour.minutes.slice(fromMinute)));
    expect(hour.findFirstMinute(fromMinute)).toBe(Math.max(10, fromMinute));
  }
});

test("A sample of an earlier minute is added to that minute", () => {
  const hour = new FillingHour(HOUR);
  for (const minute of [5, 6, 5]) hour.count(minute, 12);
  expect(hour.minutes[5]).toEqual(new Map([[12, 2]]));
  expect(hour.minutes[6]).toEqual(new Map([[12, 1]]));
});
