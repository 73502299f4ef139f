import { expect, test } from "vitest";
import { findLogical } from "@/features/symbols/view-range";

const MINUTE = 60_000;
/** Four bars of a minute, with two hours without a bar after the second. */
const times = [0, 1, 121, 122].map((minute) => minute * MINUTE);
const at = (minute: number) => findLogical(times, minute * MINUTE, "M1");

test("a moment in a bar lies within its space", () => {
  expect(at(0)).toBe(0);
  expect(at(0.5)).toBe(0.5);
  expect(at(121.25)).toBe(2.25);
});

test("a moment without a bar lies where the next bar opens", () => {
  expect(at(60)).toBe(2);
  expect(at(120.9)).toBe(2);
});

test("moments after the last bar follow at its pace", () => {
  expect(at(122.5)).toBe(3.5);
  expect(at(132)).toBe(13);
});

test("a moment before the first bar has no place, and without bars none has", () => {
  expect(findLogical(times, -1, "M1")).toBeNull();
  expect(findLogical([], 0, "M1")).toBeNull();
});
