import { expect, test } from "vitest";
import { formatLines, formatTable } from "@/features/spreads/spread-csv";

test("The table has a row for each symbol, and empty cells for what is not known", () => {
  const figures = {
    current: 0.7,
    state: "live",
    avg: 0.93,
    min: 0.2,
    max: 12.6,
    p5: 0.5,
    median: 0.9,
    p95: 1.4,
  } as const;
  const none = { current: null, state: null, avg: null, min: null, max: null, p5: null, median: null, p95: null };
  const rows = [
    { symbol: "EURUSD", name: "Euro", ...figures },
    { symbol: "NEW", name: "New", ...none },
  ];
  expect(formatTable({ nowMs: 0, rows }, "7d")).toBe(
    "symbol,period,current,average,p5,median,p95,lowest,highest,state\r\n" +
      "EURUSD,7d,0.7,0.93,0.5,0.9,1.4,0.2,12.6,live\r\n" +
      "NEW,7d,,,,,,,,\r\n",
  );
});

test("The lines have a row for each step, of the served quotes and of a source", () => {
  const startMs = Date.parse("2026-11-20T10:00:00Z");
  const lines = [
    { key: "EURUSD", points: [[startMs, 0.93, 0.5, 1.4]] as const },
    { key: "EURUSD:Alpine: Markets", points: [[startMs, 1.2, null, null]] as const },
  ];
  expect(formatLines({ fromMs: 0, nowMs: 0, stepMs: 1, sessions: [], lines })).toBe(
    "symbol,source,time,average,p5,p95\r\n" +
      "EURUSD,,2026-11-20T10:00:00.000Z,0.93,0.5,1.4\r\n" +
      "EURUSD,Alpine: Markets,2026-11-20T10:00:00.000Z,1.2,,\r\n",
  );
});
