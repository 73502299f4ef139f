import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { readRecordedTicks } from "@/lib/feeds/replay/recording";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import {
  getDeviation,
  getPercentiles,
  mergeRollups,
  NO_SPREADS,
  rollUpColumns,
  rollUpMinutes,
  type SpreadRollup,
  toSpreadHour,
} from "@/lib/history/spreads/spread-rollup";
import { decodeMinutes, encodeMinutes } from "@/lib/history/spreads/spread-rows";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { HOUR_MS } from "@/lib/time/units";

/** Roll-ups of real ticks equal a simple computation over all their seconds. */

const realData = findRealData();
const SERIES = ["oanda EURUSD", "oanda NZDUSD", "oanda XAUUSD", "fxcm EURUSD", "fxcm NZDUSD"];

describe.skipIf(realData === undefined)("spreads of OANDA's and FXCM's ticks", () => {
  /** The last quote of every second, by series. */
  const seconds = new Map<string, Map<number, Quote>>();
  let sourceSpreads: SourceSpreads;
  /** Collected hour by hour, because old hours are removed from memory. */
  const bySource = new Map<string, SpreadRollup>();

  beforeAll(() => {
    sourceSpreads = new SourceSpreads();
    const sources = [
      { name: "oanda", mode: "replay" },
      { name: "fxcm", mode: "replay" },
    ] as const;
    let hour = 0;
    const collectHour = (untilMs: number) => {
      for (const { symbol, source, hourMs, digits, minutes } of sourceSpreads.collect(untilMs - HOUR_MS, untilMs)) {
        bySource.set(`${source} ${symbol} ${hourMs}`, rollUpMinutes(minutes, digits));
      }
    };
    const onQuote = (quote: Quote) => {
      const series = `${quote.source} ${quote.instrument.symbol}`;
      if (!seconds.has(series)) seconds.set(series, new Map());
      seconds.get(series)?.set(Math.floor(quote.timeMs / 1000), quote);
      const quoteHour = Math.floor(quote.timeMs / HOUR_MS);
      if (quoteHour > hour) collectHour((hour + 1) * HOUR_MS);
      hour = quoteHour;
      sourceSpreads.onQuote(quote);
    };
    const intake = createIntake({ resolver: createResolver(instruments), sources, onQuote, now: () => 0 });
    const dir = join(realData ?? "", "ticks/lean/Data");
    for (const { source, brokerSymbol, bid, ask, timeMs } of readRecordedTicks({ dir, zones: { fxcm: "Etc/GMT+5" } })) {
      intake.tick({ source, brokerSymbol, bid, ask, brokerTimeMs: timeMs, receivedAtMs: timeMs });
    }
    collectHour((hour + 1) * HOUR_MS);
  });

  test.each(SERIES)("Roll-ups of %s merge to those of a pass over all seconds", (series) => {
    const quotes = [...(seconds.get(series)?.values() ?? [])];
    const hours = toColumns(quotes);
    const spreads = quotes.map(toPoints).sort((one, other) => one - other);
    const mean = spreads.reduce((sum, spread) => sum + spread, 0) / spreads.length;
    const deviation = Math.sqrt(spreads.reduce((sum, spread) => sum + (spread - mean) ** 2, 0) / spreads.length);
    expect(hours.length).toBeGreaterThan(20);

    const total = hours.reduce((sum, columns) => mergeRollups(sum, rollUpColumns(columns)), NO_SPREADS);
    expect(total).toMatchObject({ n: spreads.length, min: spreads[0], max: spreads.at(-1) });
    expect(Number(total.sum) / total.n).toBe(mean);
    expect(getDeviation(total) * 10 ** total.digits).toBeCloseTo(deviation, 9);

    const histogram = new Map<number, number>();
    for (const columns of hours) {
      const { digits, minutes } = toSpreadHour(columns);
      expect(rollUpMinutes(minutes, digits)).toEqual(rollUpColumns(columns));
      expect(rollUpMinutes(minutes.slice(17), digits)).toEqual(rollUpColumns(columns, 17));
      for (const minute of decodeMinutes(encodeMinutes(minutes)))
        for (const [spread, samples] of minute) histogram.set(spread, (histogram.get(spread) ?? 0) + samples);
    }
    const percents = [5, 25, 50, 75, 95];
    const ranks = percents.map((percent) => spreads[Math.ceil((percent * spreads.length) / 100) - 1]);
    expect(getPercentiles(histogram, percents)).toEqual(ranks);
  });

  test.each(SERIES)("Spreads of %s are the same when each source is sampled as it ticks", (series) => {
    for (const columns of toColumns([...(seconds.get(series)?.values() ?? [])])) {
      expect(bySource.get(`${series} ${columns.hourMs}`)).toEqual(rollUpColumns(columns));
    }
  });
});

function toPoints({ bid, ask, instrument }: Quote): number {
  return Number(((ask - bid) * 10 ** instrument.digits).toFixed(0));
}

function toColumns(quotes: readonly Quote[]): HourColumns[] {
  const hours = new Map<number, HourColumns>();
  for (const { instrument, bid, ask, timeMs } of quotes) {
    const { symbol, digits } = instrument;
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const columns = hours.get(hourMs) ?? createHourColumns(symbol, digits, hourMs);
    hours.set(hourMs, columns);
    const [bidPoints, askPoints] = [bid, ask].map((price) => Math.round(price * 10 ** digits)) as [number, number];
    const price = {
      digits,
      bid: bidPoints,
      ask: askPoints,
      open: bidPoints,
      high: bidPoints,
      low: bidPoints,
      updates: 1,
    };
    writeSecond(columns, { symbol, second: Math.floor(timeMs / 1000), ...price });
  }
  return [...hours.values()];
}
