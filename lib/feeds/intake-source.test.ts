import { expect, test } from "vitest";
import { SourceMeter } from "@/lib/feeds/intake-source";

const T = Date.UTC(2026, 0, 15, 12);

test("A meter counts the ticks of the last minute, and forgets older ones.", () => {
  const meter = new SourceMeter();
  expect([meter.countLastMinute(T), meter.getClockOffsetMs(T)]).toEqual([0, null]);
  for (let second = 0; second < 90; second++) {
    for (let tick = 0; tick < 2; tick++) meter.add(T + second * 1_000 + tick * 400, T + second * 1_000);
  }
  expect(meter.countLastMinute(T + 89_900)).toBe(120);
  expect(meter.countLastMinute(T + 119_000)).toBe(60);
  expect(meter.countLastMinute(T + 200_000)).toBe(0);
});

test("The offset of a broker's clock is the least delay, and negative if it is ahead.", () => {
  const meter = new SourceMeter();
  for (const [at, delayMs] of [80, 35, 700].entries()) meter.add(T + at * 1_000, T + at * 1_000 - delayMs);
  expect(meter.getClockOffsetMs(T + 3_000)).toBe(35);
  meter.add(T + 4_000, T + 4_250);
  expect(meter.getClockOffsetMs(T + 4_000)).toBe(-250);
  expect(meter.getClockOffsetMs(T + 120_000)).toBeNull();
});

test("The latency is the mean delay of the last minute.", () => {
  const meter = new SourceMeter();
  expect(meter.getLatencyMs(T)).toBeNull();
  for (const delayMs of [80, 40, 180]) meter.add(T, T - delayMs);
  expect(meter.getLatencyMs(T)).toBe(100);
  meter.add(T + 60_000, T + 60_010);
  expect(meter.getLatencyMs(T + 60_000)).toBe(-10);
  expect(meter.getLatencyMs(T + 200_000)).toBeNull();
});
