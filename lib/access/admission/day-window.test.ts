import { expect, test } from "vitest";
import {
  countCreditsToday,
  countSecondsToMidnight,
  countUsedToday,
  createDayWindow,
  getDayEnd,
  release,
  reserve,
} from "@/lib/access/admission/day-window";
import { DAY_MS } from "@/lib/time/units";

const noon = Date.UTC(2026, 0, 15, 12);
const midnight = Date.UTC(2026, 0, 16);

test("A day allows exactly the quota until midnight UTC", () => {
  const day = createDayWindow();
  const granted = Array.from({ length: 50 }, () => reserve(day, 20, noon)).filter(Boolean);
  expect(granted).toHaveLength(20);
  expect(reserve(day, 20, midnight - 1)).toBe(false);
  expect(reserve(day, 20, midnight)).toBe(true);
  expect(countUsedToday(day, midnight)).toBe(1);
});

test("A released call is available again", () => {
  const day = createDayWindow();
  expect(reserve(day, 1, noon)).toBe(true);
  expect(reserve(day, 1, noon)).toBe(false);
  release(day, noon);
  expect(reserve(day, 1, noon)).toBe(true);
});

test("A call of yesterday is not released to today", () => {
  const day = createDayWindow();
  reserve(day, 10, midnight - 1);
  reserve(day, 10, midnight);
  release(day, midnight - 1);
  expect(countUsedToday(day, midnight)).toBe(1);
});

test("A day counts credits beside calls", () => {
  const day = createDayWindow();
  reserve(day, 10, noon, 3);
  reserve(day, 10, noon, 2);
  release(day, noon, 2);
  expect([countUsedToday(day, noon), countCreditsToday(day, noon)]).toEqual([1, 3]);
  expect(countCreditsToday(day, midnight)).toBe(0);
  reserve(day, 10, midnight, 1);
  expect([countUsedToday(day, midnight), countCreditsToday(day, midnight)]).toEqual([1, 1]);
});

test("A count is never below zero", () => {
  const day = createDayWindow();
  reserve(day, 10, noon);
  release(day, noon);
  release(day, noon);
  expect(countUsedToday(day, noon)).toBe(0);
});

test("A clock set back over midnight grants no second quota", () => {
  const day = createDayWindow();
  for (let i = 0; i < 5; i++) reserve(day, 5, midnight);
  expect(reserve(day, 5, midnight - 1_000)).toBe(false);
});

test("A day without calls counts zero", () => {
  const day = createDayWindow();
  expect(countUsedToday(day, noon)).toBe(0);
  reserve(day, 5, noon);
  expect(countUsedToday(day, midnight)).toBe(0);
});

test("The seconds to midnight are right", () => {
  expect(countSecondsToMidnight(noon)).toBe(43_200);
  expect(countSecondsToMidnight(midnight - 1)).toBe(1);
  expect(countSecondsToMidnight(midnight)).toBe(86_400);
  expect(getDayEnd(midnight - 1)).toBe(midnight);
  expect(getDayEnd(midnight)).toBe(midnight + DAY_MS);
});
