import { describe, expect, test } from "vitest";
import { ApiError } from "@/lib/api/engine/errors";
import { type ReadingRequest, writeFlatReading, writeReading } from "@/lib/api/indicators/indicator";
import { getIndicator } from "@/lib/api/indicators/indicator-lookup";
import { findNamedHole } from "@/lib/api/indicators/latest-values";
import { serveQuote } from "@/lib/book/quote";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS } from "@/lib/time/units";

const instrument = instrumentBySymbol.get("EURUSD") as Instrument;
const quotedAtMs = Date.UTC(2026, 0, 12, 14, 30, 0, 250);
const quote = serveQuote(
  instrument,
  { source: "alpha-markets", mode: "simulated", bid: 1.08501, ask: 1.08515, timeMs: quotedAtMs },
  "live",
);

const LATEST_BAR_MS = Date.UTC(2026, 0, 12, 13);

/** Creates H1 bars up to the latest closed one, each a point above the last. */
function createRisingBars(count: number): Bar[] {
  return Array.from({ length: count }, (_, at) => {
    const close = Math.round(108_000 + at) / 100_000;
    const timeMs = LATEST_BAR_MS - (count - 1 - at) * HOUR_MS;
    return { timeMs, open: close, high: close, low: close, close, volume: at + 1 };
  });
}

function createRising(count: number) {
  return { closed: createRisingBars(count), past: null, holes: [] };
}

function request(name: string, bars = 1): ReadingRequest {
  return { instrument, indicator: getIndicator(name), name, timeframe: "H1", bars };
}

describe("the enveloped reading", () => {
  test("has exactly the specified fields in their order", () => {
    const reading = writeReading(request("SMA_20"), createRising(20));
    expect(reading.complete(quote, quotedAtMs, quotedAtMs + 2_000)).toBe(
      '{"success":true,"data":{"symbol":"EURUSD","indicator":"SMA_20","timeframe":"H1","value":1.080095,"bid":1.08501,' +
        '"ask":1.08515,"updated_at":1768228200,"server_time":"2026-01-12T14:30:02+00:00","bar_time":"2026-01-12T13:00:00+00:00"}}',
    );
  });

  test("is refused with the numbers of needed and existing bars", () => {
    expect(() => writeReading(request("SMA_20"), createRising(19))).toThrow(
      new ApiError("DATA_NOT_FOUND", "SMA_20 needs 20 closed bars of EURUSD at H1; so far there are 19."),
    );
  });
});

describe("a reading after a hole in the bars", () => {
  const bars = createRisingBars(60);
  const hole = { at: 50, fromMs: Date.UTC(2025, 5, 30, 21), untilMs: bars[50]?.timeMs ?? 0, missing: 500 };
  const series = { closed: bars, past: null, holes: [hole] };

  test("is refused while there are too few bars after it, with the hole", () => {
    const message = "so far there are 10 after the hole in the bars from 2025-06-30T21:00:00Z to 2026-01-12T04:00:00Z.";
    expect(() => writeReading(request("SMA_20"), series)).toThrow(
      `SMA_20 needs 20 closed bars of EURUSD at H1; ${message}`,
    );
    expect(() => writeFlatReading(request("CCI_14"), series)).toThrow(message);
  });

  test("is that of the bars after it alone", () => {
    for (const name of ["SMA_10", "EMA_10", "OBV", "ATR_7"]) {
      const alone = writeReading(request(name), { closed: bars.slice(50), past: null, holes: [] });
      expect(writeReading(request(name), series).complete(quote, 0, 0)).toBe(alone.complete(quote, 0, 0));
    }
    const flat = JSON.parse(writeFlatReading(request("SAR", 500), series).complete(quote, quotedAtMs, 0)) as {
      series: { timestamp: string }[];
    };
    expect(flat.series).toHaveLength(58);
  });

  test("goes on over a hole that is no longer than its warm-up", () => {
    const whole = { closed: bars, past: null, holes: [] };
    const short = { ...series, holes: [{ ...hole, missing: 58 }] };
    expect(writeFlatReading(request("TEMA_20"), short).complete(quote, 0, 0)).toBe(
      writeFlatReading(request("TEMA_20"), whole).complete(quote, 0, 0),
    );
  });

  test("names the hole for 400 bars, if the indicator starts anew after it", () => {
    const indicators = [getIndicator("RSI_14")];
    expect(findNamedHole(series, indicators)).toBe(hole);
    expect(findNamedHole({ ...series, holes: [{ ...hole, missing: 15 }] }, indicators)).toBeUndefined();
    const later = { closed: createRisingBars(450), past: null };
    expect(findNamedHole({ ...later, holes: [{ ...hole, at: 51 }] }, indicators)).toBeDefined();
    expect(findNamedHole({ ...later, holes: [hole] }, indicators)).toBeUndefined();
  });
});

describe("the flat reading", () => {
  test("has exactly the specified fields, with the name from the request", () => {
    for (const name of ["SAR", "Parabolic_SAR"]) {
      const reading = writeFlatReading(request(name), createRising(40));
      expect(JSON.parse(reading.complete(quote, quotedAtMs + 3_999, 0))).toEqual({
        symbol: "EURUSD",
        indicator: name,
        timeframe: "H1",
        timestamp: "2026-01-12T13:00:00.000Z",
        value: expect.any(Number) as number,
        signal: "bullish",
        ohlc: { open: 1.08039, high: 1.08039, low: 1.08039, close: 1.08039, volume: 40 },
        metadata: { source: "alpha-markets", data_age_seconds: 1_804 },
      });
    }
  });

  test("has the age of the bar's close if that is older than the quote, else that of the quote", () => {
    const reading = writeFlatReading(request("CCI_14"), createRising(20));
    const age = (quotedMs: number, nowMs: number) =>
      (JSON.parse(reading.complete({ ...quote, timeMs: quotedMs }, nowMs, 0)) as { metadata: object }).metadata;
    const closedMs = LATEST_BAR_MS + HOUR_MS;
    expect(age(closedMs + 60_000, closedMs + 61_000)).toMatchObject({ data_age_seconds: 61 });
    expect(age(closedMs - 60_000, closedMs + 61_000)).toMatchObject({ data_age_seconds: 121 });
    expect(age(closedMs + 12_000_000, closedMs + 12_000_500)).toMatchObject({ data_age_seconds: 12_000 });
  });

  test("has the requested number of bars, oldest first, without those that have no value", () => {
    const series = (bars: number) =>
      JSON.parse(writeFlatReading(request("CCI_14", bars), createRising(20)).complete(quote, quotedAtMs, 0)) as {
        timestamp: string;
        bars: number;
        series: { timestamp: string; value: number; signal: string; ohlc: object }[];
      };
    const three = series(3);
    expect(three.bars).toBe(3);
    expect(three.series.map(({ timestamp }) => timestamp)).toEqual(
      [11, 12, 13].map((hour) => `2026-01-12T${hour}:00:00.000Z`),
    );
    expect(three.series.at(-1)?.timestamp).toBe(three.timestamp);
    expect(Object.keys(three.series[0] ?? {})).toEqual(["timestamp", "value", "signal", "ohlc"]);
    expect(series(500)).toMatchObject({ bars: 7 });
  });

  test("never has a negative age", () => {
    const body = writeFlatReading(request("CCI_14"), createRising(20)).complete(quote, LATEST_BAR_MS, 0);
    expect(body).toContain('"data_age_seconds":0}');
  });

  test("is refused with the numbers of needed and existing bars", () => {
    expect(() => writeFlatReading(request("TEMA_20"), { closed: [], past: null, holes: [] })).toThrow(
      new ApiError("DATA_NOT_FOUND", "TEMA_20 needs 58 closed bars of EURUSD at H1; so far there are 0."),
    );
  });
});
