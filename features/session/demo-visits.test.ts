import { expect, test } from "vitest";
import { DemoVisits } from "@/features/session/demo-visits";

const NOW_MS = Date.UTC(2026, 0, 5, 12);

test("An address of the demo has 300 requests a minute, and again in the next", () => {
  const visits = new DemoVisits();
  const admitted = Array.from({ length: 310 }, () => visits.count("192.0.2.1", NOW_MS)).filter(Boolean);
  expect(admitted).toHaveLength(300);
  expect(visits.count("192.0.2.2", NOW_MS)).toBe(true);
  expect(visits.count("192.0.2.1", NOW_MS + 60_000)).toBe(true);
});

test("The demo counts at most 10,000 addresses, and refuses more within the minute", () => {
  const visits = new DemoVisits();
  for (let address = 0; address < 10_000; address++) visits.count(String(address), NOW_MS);
  expect(visits.count("one more", NOW_MS)).toBe(false);
  expect(visits.count("7", NOW_MS)).toBe(true);
});
