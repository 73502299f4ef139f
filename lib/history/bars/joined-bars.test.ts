import { describe, expect, test } from "vitest";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { getLatestReading, readPastReadings } from "@/lib/api/indicators/latest-values";
import type { BarSeries, ManyBars } from "@/lib/history/bars/bar-history";
import { JoinedBars } from "@/lib/history/bars/joined-bars";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { PriceSide } from "@/lib/market/price";
import { getBarEnd, getBarStart, type StoredTimeframe, type Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const BTCUSD = instrumentBySymbol.get("BTCUSD") as Instrument;
/** Across New York's change to winter time. */
const START = Date.UTC(2026, 9, 20);
const LENGTH: Partial<Record<StoredTimeframe, number>> = { M1: MINUTE_MS, M5: 5 * MINUTE_MS, H1: HOUR_MS };

/** Bars of one minute with a walk of whole points, every seventh missing. */
function walk(count: number, stepMs: number): Bar[] {
  let point = 10_000;
  return Array.from({ length: count }, (_, at): Bar => {
    const move = ((at * 7_919) % 41) - 20;
    const [open, close] = [point, (point += move)];
    const high = Math.max(open, close) + (at % 5);
    return {
      timeMs: START + at * stepMs,
      open,
      high,
      low: Math.min(open, close) - (at % 3),
      close,
      volume: 1 + (at % 9),
    };
  }).filter((_, at) => at % 7 !== 3);
}

/** The straight computation: the bars of each opening. */
function joinSlowly(bars: readonly Bar[], timeframe: Timeframe): Bar[] {
  const byOpening = new Map<number, Bar[]>();
  for (const bar of bars) {
    const timeMs = getBarStart(timeframe, bar.timeMs);
    byOpening.set(timeMs, [...(byOpening.get(timeMs) ?? []), bar]);
  }
  return Array.from(byOpening, ([timeMs, parts]) => ({
    timeMs,
    open: (parts[0] as Bar).open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: (parts.at(-1) as Bar).close,
    volume: parts.reduce((sum, { volume }) => sum + volume, 0),
  }));
}

/** Stored bars up to a moment that the test moves on. At most `most` closed ones are in memory. */
class Stored implements ManyBars<StoredTimeframe> {
  nowMs: number;
  readonly #all: Partial<Record<StoredTimeframe, readonly Bar[]>>;
  readonly #most: number;
  #series: BarSeries | null = null;
  #seriesMs = NaN;

  constructor(all: Partial<Record<StoredTimeframe, readonly Bar[]>>, nowMs: number, most: number) {
    this.#all = all;
    this.nowMs = nowMs;
    this.#most = most;
  }

  list(timeframe: StoredTimeframe): Bar[] {
    return (this.#all[timeframe] ?? []).filter(({ timeMs }) => timeMs < this.nowMs);
  }

  readSeries(_: string, timeframe: StoredTimeframe): BarSeries {
    if (this.#series !== null && this.#seriesMs === this.nowMs) return this.#series;
    const bars = this.list(timeframe);
    const last = bars.at(-1);
    const isForming = last !== undefined && last.timeMs + (LENGTH[timeframe] as number) > this.nowMs;
    const closed = isForming ? bars.slice(0, -1) : bars;
    this.#seriesMs = this.nowMs;
    return (this.#series = {
      closed: closed.slice(-this.#most),
      past: closed.length > this.#most ? [] : null,
      holes: [],
      forming: isForming ? last : null,
    });
  }

  loadAll = () => Promise.resolve();

  readRange(
    _: string,
    timeframe: StoredTimeframe,
    { fromMs, toMs = Infinity, limit }: { fromMs?: number; toMs?: number; limit: number },
  ) {
    const found = this.list(timeframe).filter(({ timeMs }) => timeMs >= (fromMs ?? 0) && timeMs < toMs);
    return Promise.resolve(fromMs === undefined ? found.slice(-limit) : found.slice(0, limit));
  }

  readBefore = () => Promise.reject(new Error("not for joined bars"));
  readAllBefore = () => Promise.reject(new Error("not for joined bars"));
}

const NO_TICKS = { readRange: () => Promise.reject(new Error("no seconds here")) };

function createBars(stored: Stored) {
  const openHours = {
    get completeUntilMs() {
      return stored.nowMs;
    },
    getRevision: () => stored.nowMs,
  };
  return new JoinedBars({ bars: stored, ticks: NO_TICKS, openHours });
}

describe("bars that are joined", () => {
  const minutes = walk(6_000, MINUTE_MS);
  const hours = walk(700, HOUR_MS);

  test.each([
    ["M2", "M1", minutes],
    ["M7", "M1", minutes],
    ["M25", "M5", walk(3_000, 5 * MINUTE_MS)],
    ["H3", "H1", hours],
    ["H12", "H1", hours],
    ["M420", "H1", hours],
  ] as const)("of %s are those of a straight computation in every range", async (timeframe, part, parts) => {
    const base = part === "H1" && timeframe === "H12" ? { H1: parts, H4: joinSlowly(parts, "H4") } : { [part]: parts };
    const stored = new Stored(base, (parts.at(-1)?.timeMs ?? 0) + 20_000, 500);
    const bars = createBars(stored);
    const expected = joinSlowly(stored.list(part), timeframe);
    expect(await bars.readRange("BTCUSD", timeframe, { limit: 10_000 })).toEqual(expected);
    for (const limit of [1, 2, 9, 60]) {
      expect(await bars.readRange("BTCUSD", timeframe, { limit })).toEqual(expected.slice(-limit));
      for (const at of [0, 1, 17, 41, expected.length - 3]) {
        const fromMs = (expected[at]?.timeMs ?? 0) - (at % 2) * 1_000;
        const first = expected.filter(({ timeMs }) => timeMs >= fromMs);
        expect(await bars.readRange("BTCUSD", timeframe, { fromMs, limit })).toEqual(first.slice(0, limit));
        const toMs = fromMs + 1;
        const before = expected.filter(({ timeMs }) => timeMs < toMs);
        expect(await bars.readRange("BTCUSD", timeframe, { toMs, limit })).toEqual(before.slice(-limit));
      }
    }
  });

  test("follow every step of the parts, whose oldest leave the memory, and keep their list until a bar closes", async () => {
    const stored = new Stored({ M1: minutes }, START + 700 * MINUTE_MS + 20_000, 90);
    const bars = createBars(stored);
    let closedBefore: readonly Bar[] = [];
    for (let step = 0; step < 900; step++, stored.nowMs += 40_000) {
      const { closed, forming, isJoined } = await bars.readSeries("BTCUSD", "M7");
      const expected = joinSlowly(stored.list("M1").slice(-200), "M7");
      const isOpen = getBarEnd("M7", expected.at(-1)?.timeMs ?? 0) > stored.nowMs;
      expect(isJoined).toBe(true);
      expect(forming).toEqual(isOpen ? expected.at(-1) : null);
      const shown = (isOpen ? expected.slice(0, -1) : expected).slice(-20);
      expect(closed.slice(-20)).toEqual(shown);
      if (closed.length === closedBefore.length) expect(closed).toBe(closedBefore);
      closedBefore = closed;
    }
    expect(closedBefore.length).toBeGreaterThan(180);
  });

  test("give an indicator the same value live, in the past and from all bars", async () => {
    const stored = new Stored({ M1: walk(30_000, MINUTE_MS) }, START + 30_000 * MINUTE_MS, 900);
    const bars = createBars(stored);
    for (const name of ["EMA_50", "RSI_14", "SMA_200", "SAR", "ADX"]) {
      const indicator = findIndicator(name) as IndicatorDefinition;
      const live = getLatestReading(indicator, await bars.readSeries("BTCUSD", "M2"), 2);
      const range = { fromMs: undefined, toMs: undefined, limit: 3 };
      const past = await readPastReadings(bars, BTCUSD, "M2", range, [indicator]);
      expect(past.values[0]?.at(-1), name).toBeCloseTo(live as number, 4);
      let value: number | null = null;
      const stream = indicator.create();
      for (const bar of joinSlowly(stored.list("M1").slice(-29_000), "M2")) value = stream.push(bar);
      expect(value, name).toBeCloseTo(live as number, 4);
    }
    const sum = findIndicator("OBV") as IndicatorDefinition;
    expect(getLatestReading(sum, await bars.readSeries("BTCUSD", "M2"), 2)).toBeNull();
  });
});

test("Bars of seconds have the last prices of one side, and as volume the number of seconds with a price", async () => {
  const nowMs = START + 2 * HOUR_MS + 25 * SECOND_MS;
  const seconds = Array.from({ length: 7_225 }, (_, at) => at).filter((at) => at % 11 !== 4);
  const ticks = {
    readRange: (symbol: string, fromMs: number, toMs: number) => {
      const parts = [0, 1, 2].flatMap((hour) => {
        const hourMs = START + hour * HOUR_MS;
        const within = seconds.filter((at) => Math.floor(at / 3_600) === hour);
        const inRange = (at: number) => START + at * 1_000 >= fromMs && START + at * 1_000 < toMs;
        const from = within.findIndex(inRange);
        if (from === -1) return [];
        const columns = {
          digits: 2,
          seconds: Uint16Array.from(within, (at) => at % 3_600),
          bid: Int32Array.from(within, (at) => 100_000 + ((at * 31) % 97)),
          ask: Int32Array.from(within, (at) => 100_100 + at),
        };
        return { hour: { symbol, hourMs, ticks: columns }, from, to: within.findLastIndex(inRange) + 1 };
      });
      return { symbol, fromMs, toMs, knownUntilMs: toMs, count: 0, parts } as never;
    },
  };
  const openHours = { completeUntilMs: nowMs, getRevision: () => 0 };
  const join = (side: PriceSide) => new JoinedBars({ bars: new Stored({}, nowMs, 1), ticks, openHours, side });
  const list = (toPoints: (bid: number, ask: number) => number) =>
    seconds.map((at): Bar => {
      const price = toPoints(100_000 + ((at * 31) % 97), 100_100 + at) / 1_000;
      return { timeMs: START + at * SECOND_MS, open: price, high: price, low: price, close: price, volume: 1 };
    });
  const bars = join("bid");
  const all = list((bid) => bid * 10);
  const expected = joinSlowly(all, "S10");
  expect(await bars.readRange("BTCUSD", "S10", { limit: 700 })).toEqual(expected.slice(-700));
  expect(await bars.readRange("BTCUSD", "S10", { fromMs: START + 4_000, limit: 5 })).toEqual(expected.slice(1, 6));
  const { closed, forming } = await bars.readSeries("BTCUSD", "S10");
  expect(forming).toEqual(expected.at(-1));
  expect(closed.slice(-300)).toEqual(expected.slice(-301, -1));
  const asks = joinSlowly(
    list((_, ask) => ask * 10),
    "M1",
  );
  expect(await join("ask").readRange("BTCUSD", "M1", { limit: 100 })).toEqual(asks.slice(-100));
  const mids = joinSlowly(
    list((bid, ask) => (bid + ask) * 5),
    "M15",
  );
  const series = await join("mid").readSeries("BTCUSD", "M15");
  expect([...series.closed, series.forming]).toEqual(mids);
});

test("A series whose parts cannot be read is refused, and no other failure of it is left unhandled", async () => {
  const away = () => Promise.reject(new Error("The database is away"));
  const stored = new Stored({}, START, 1);
  const bars = new JoinedBars({
    bars: Object.assign(stored, { readSeries: away as never }),
    ticks: { readRange: away as never },
    openHours: { completeUntilMs: START, getRevision: () => 0 },
  });
  // The run of the tests fails at a rejection that nothing handles.
  for (const timeframe of ["MN1", "M2", "S10"] as const) {
    await expect(bars.readSeries("BTCUSD", timeframe)).rejects.toThrow("away");
  }
});
