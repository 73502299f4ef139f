import { describe, expect, test } from "vitest";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { FillingHour } from "@/lib/history/spreads/source-spreads";
import { rollUpMinutes } from "@/lib/history/spreads/spread-rollup";
import type { Spreads } from "@/lib/history/spreads/spreads";
import { NOW_HOUR_MS, toColumns, useSpreads } from "@/lib/history/spreads/spreads.fixture";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

describe("the spreads of each source", () => {
  const { open, write } = useSpreads();
  const hourMs = NOW_HOUR_MS - HOUR_MS;
  const quote = (source: string, atMs: number, points: number) => {
    return { source, instrument: EURUSD, bid: 1.08, ask: (108_000 + points) / 100_000, timeMs: atMs };
  };
  const bySource = async ({ history }: Spreads) =>
    [...(await history.readBySource("EURUSD", "24h"))].sort((one, other) => one.source.localeCompare(other.source));

  function quoteTenSeconds({ onQuote }: Spreads): void {
    for (let second = 0; second < 10; second++) {
      onQuote(quote("alpha", hourMs + second * 1000 + 100, 50));
      onQuote(quote("alpha", hourMs + second * 1000 + 900, 10 + second));
      onQuote(quote("beta", hourMs + second * 1000, 30));
    }
  }
  const tenSeconds = [
    { source: "alpha", rollup: { digits: 5, n: 10, sum: 145n, sumSquares: 2_185n, min: 10, max: 19 }, sinceMs: hourMs },
    { source: "beta", rollup: { digits: 5, n: 10, sum: 300n, sumSquares: 9_000n, min: 30, max: 30 }, sinceMs: hourMs },
  ];

  test("The last quote of each second counts, and the hour is stored when it is closed", async () => {
    const spreads = open();
    quoteTenSeconds(spreads);
    await write(toColumns([{ symbol: "EURUSD", second: hourMs / 1000, spread: 1 }]), spreads);
    expect(await bySource(spreads)).toEqual(tenSeconds);
    expect(await bySource(open())).toEqual(tenSeconds);
  });

  test("Each source has steps, the same from memory as from the database", async () => {
    const spreads = open();
    quoteTenSeconds(spreads);
    spreads.onQuote(quote("alpha", hourMs + 20 * MINUTE_MS, 40));
    spreads.onQuote(quote("alpha", hourMs + 20 * MINUTE_MS + 1000, 60));
    spreads.onQuote(quote("beta", hourMs + 11_000, 30));
    const steps = async ({ history }: Spreads, stepMinutes: 15 | 60) =>
      Object.fromEntries(
        (await history.readSourceSteps("EURUSD", "24h", stepMinutes)).map(({ source, steps: own }) => [
          source,
          own.map(({ startMs, rollup: { n, sum } }) => [(startMs - hourMs) / MINUTE_MS, n, sum]),
        ]),
      );
    const quarters = {
      alpha: [
        [0, 10, 145n],
        [15, 1, 40n],
      ],
      beta: [[0, 10, 300n]],
    };
    expect(await steps(spreads, 15)).toEqual(quarters);
    await write(toColumns([{ symbol: "EURUSD", second: hourMs / 1000, spread: 1 }]), spreads);
    // Storing an hour counts its last seconds too.
    const stored = {
      alpha: [
        [0, 10, 145n],
        [15, 2, 100n],
      ],
      beta: [[0, 11, 330n]],
    };
    expect(await steps(open(), 15)).toEqual(stored);
    expect(await steps(open(), 60)).toEqual({ alpha: [[0, 12, 245n]], beta: [[0, 11, 330n]] });
  });

  test("A source says from which minute of the period on it counts", async () => {
    const spreads = open();
    for (let minute = 0; minute < 50; minute++) {
      spreads.onQuote(quote("alpha", hourMs + minute * 60_000, 10));
      if (minute >= 17) spreads.onQuote(quote("beta", hourMs + minute * 60_000 + 30_000, 20));
    }
    const since = async (from: Spreads) => (await bySource(from)).map(({ source, sinceMs }) => [source, sinceMs]);
    const expected = [
      ["alpha", hourMs],
      ["beta", hourMs + 17 * 60_000],
    ];
    expect(await since(spreads)).toEqual(expected);
    await spreads.save(FIRST_FENCE);
    expect(await since(open())).toEqual(expected);
    await write(toColumns([{ symbol: "EURUSD", second: hourMs / 1000, spread: 1 }]), spreads);
    expect(await since(open())).toEqual(expected);
  });

  test("The sources' spreads continue after a restart in the middle of an hour", async () => {
    const before = open();
    quoteTenSeconds(before);
    await before.save(FIRST_FENCE);
    const after = open();
    await after.restore();
    after.onQuote(quote("alpha", hourMs + 20_000, 40));
    after.onQuote(quote("alpha", hourMs + 21_000, 1));
    const [alpha, beta] = await bySource(after);
    expect(alpha?.rollup).toMatchObject({ n: 11, sum: 185n, max: 40 });
    expect(beta).toEqual(tenSeconds[1]);
  });

  test("A process that restores the spreads again counts no sample twice", async () => {
    const writer = open();
    const reader = open();
    const steps = ({ history }: Spreads) => history.readSourceSteps("EURUSD", "24h", 60);
    for (const atMs of [hourMs, hourMs + MINUTE_MS, NOW_HOUR_MS]) {
      for (const { onQuote } of [writer, reader])
        for (const second of [0, 1, 2]) onQuote(quote("alpha", atMs + second * 1000, 10));
      await writer.save(FIRST_FENCE);
      await reader.restore();
      for (const { onQuote } of [writer, reader])
        for (const second of [3, 4]) onQuote(quote("alpha", atMs + second * 1000, 10));
      expect(await bySource(reader)).toEqual(await bySource(writer));
      expect(await steps(reader)).toEqual(await steps(writer));
    }
    expect(await bySource(reader)).toMatchObject([{ source: "alpha", rollup: { n: 14 } }]);
  });
});

const HOUR = { symbol: "EURUSD", source: "alpha", digits: 5, hourMs: Date.UTC(2026, 0, 14, 14) };

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
    expect(hour.rollUp(fromMinute)).toEqual(rollUpMinutes(hour.minutes.slice(fromMinute), 5));
    expect(hour.findFirstMinute(fromMinute)).toBe(Math.max(10, fromMinute));
  }
});

test("A sample of an earlier minute is added to that minute", () => {
  const hour = new FillingHour(HOUR);
  for (const minute of [5, 6, 5]) hour.count(minute, 12);
  expect(hour.minutes[5]).toEqual(new Map([[12, 2]]));
  expect(hour.minutes[6]).toEqual(new Map([[12, 1]]));
});
