import { expect, test } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { watchVitals } from "@/lib/platform/vitals";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("A reading contains how late timers were since the last one", async () => {
  const read = watchVitals(silentLog);
  await pause(100);
  const blockedUntil = performance.now() + 200;
  while (performance.now() < blockedUntil);
  await pause(50);
  const { delayMs, residentBytes, heapBytes, uptimeS } = read();
  expect(delayMs.max).toBeGreaterThan(150);
  expect(delayMs.p50).toBeLessThanOrEqual(delayMs.p99);
  expect(delayMs.p99).toBeLessThanOrEqual(delayMs.max);
  expect(residentBytes).toBeGreaterThan(heapBytes);
  expect(heapBytes).toBeGreaterThan(1_000_000);
  expect(uptimeS).toBeGreaterThanOrEqual(0);
  await pause(100);
  expect(read().delayMs.max).toBeLessThan(delayMs.max);
});
