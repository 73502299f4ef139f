import { describe, expect, test } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import { brokers, isDown } from "@/lib/feeds/simulated/brokers";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { MINUTE_MS } from "@/lib/time/units";

const WEDNESDAY = Date.UTC(2026, 0, 14, 14);
const SATURDAY = Date.UTC(2026, 0, 17, 12);
const pure = createSimulatedFeed({ seed: "test", hours: "always", instruments, now: () => 0 });

/** Runs the feed into an intake for the given number of simulated minutes. */
async function run(startMs: number, minutes: number, hours: "always" | "market" = "always") {
  const { sink, ticks, statuses, clock, sleep, until } = collect(startMs);
  const feed = createSimulatedFeed({ seed: "test", hours, instruments, now: clock, sleep });
  const quotes: Quote[] = [];
  const resolver = createResolver(instruments);
  const intake = createIntake({ resolver, sources: feed.sources, onQuote: (quote) => quotes.push(quote), now: clock });
  await feed.start({
    tick(tick) {
      sink.tick(tick);
      intake.tick(tick);
    },
    status: sink.status,
  });
  await until(() => clock() >= startMs + minutes * MINUTE_MS);
  await feed.stop();
  return { ticks, statuses, quotes, counts: intake.counts() };
}

describe("the simulated feed", () => {
  test("reports every instrument from each broker that lists it within seconds", async () => {
    const { quotes } = await run(WEDNESDAY, 0.2);
    const seen = new Set(quotes.map(({ source, instrument }) => `${source} ${instrument.symbol}`));
    const listed = brokers.flatMap(({ categories }) => instruments.filter(({ category }) => categories.has(category)));
    expect(seen.size).toBe(listed.length);
  });

  test("ticks a few times a second for majors, slower for exotics, a few hundred times in all", async () => {
    const { quotes } = await run(WEDNESDAY, 2);
    const perSecond = (symbol: string) =>
      quotes.filter(({ source, instrument }) => source === "alpha-markets" && instrument.symbol === symbol).length /
      120;
    expect(perSecond("EURUSD")).toBeGreaterThan(1.5);
    expect(perSecond("EURUSD")).toBeLessThan(4);
    expect(perSecond("USDTRY")).toBeLessThan(1);
    expect(quotes.length / 120).toBeGreaterThan(300);
    expect(quotes.length / 120).toBeLessThan(800);
  });

  test("sends the same ticks for the same seed and time, whenever it was started", async () => {
    const key = ({ source, instrument, bid, ask, timeMs }: Quote) =>
      `${source} ${instrument.symbol} ${bid} ${ask} ${timeMs}`;
    const early = await run(WEDNESDAY, 1);
    const late = await run(WEDNESDAY + 30_000, 0.5);
    const settled = (quote: Quote) => quote.timeMs >= WEDNESDAY + 40_000 && quote.timeMs < WEDNESDAY + 59_000;
    expect(new Set(late.quotes.filter(settled).map(key))).toEqual(new Set(early.quotes.filter(settled).map(key)));
  });

  test("sends the prices that its history returns later", async () => {
    const { quotes } = await run(WEDNESDAY, 0.1);
    for (const { source, instrument, bid, ask, timeMs } of quotes) {
      const skewMs = brokers.find(({ name }) => name === source)?.skewMs ?? NaN;
      expect(pure.priceAt(instrument.symbol, source, timeMs - skewMs)).toEqual({ bid, ask });
    }
  });

  test("sends a few bad ticks, which the intake refuses", async () => {
    const { counts, ticks } = await run(WEDNESDAY, 5);
    const { accepted, refused } = counts;
    expect(refused.crossed).toBeGreaterThan(0);
    expect(refused.late).toBeGreaterThan(0);
    expect(refused.far_off + refused.unknown_symbol + refused.non_finite).toBeGreaterThan(0);
    expect(ticks.length - accepted).toBeLessThan(ticks.length / 1_000);
    expect(refused.future + refused.duplicate + refused.ambiguous_symbol + refused.non_positive).toBe(0);
  });

  test("reports an outage of a broker, and sends none of its ticks meanwhile", async () => {
    const name = "alpha-markets";
    let downMs = WEDNESDAY;
    while (!isDown("test", name, downMs)) downMs += 1_000;
    const { ticks, statuses } = await run(downMs - 5_000, 4);
    expect(statuses.filter((line) => line.startsWith(name))).toEqual([
      `${name} connected simulated`,
      `${name} disconnected simulated`,
      `${name} connected simulated`,
    ]);
    const wasDown = (atMs: number) => isDown("test", name, atMs - 100) && isDown("test", name, atMs + 100);
    const own = ticks.filter(({ source }) => source === name);
    expect(own.filter(({ receivedAtMs }) => wasDown(receivedAtMs))).toEqual([]);
    expect(own.length).toBeGreaterThan(100);
    expect(ticks.some(({ source }) => source === "borealis-fx")).toBe(true);
  });

  test("follows trading hours with `hours: market`, and reports a closed market's last price with its own time", async () => {
    const { quotes } = await run(SATURDAY, 0.5, "market");
    const euro = quotes.filter(
      ({ source, instrument }) => source === "alpha-markets" && instrument.symbol === "EURUSD",
    );
    const fridayClose = Date.UTC(2026, 0, 16, 22);
    expect(euro.map(({ timeMs }) => timeMs)).toEqual([fridayClose - 1_000 - 12]);
    for (const { instrument, timeMs } of quotes) expect(isMarketOpen(instrument.tradingHours, timeMs - 200)).toBe(true);
    const bitcoin = quotes.filter(
      ({ source, instrument }) => source === "alpha-markets" && instrument.symbol === "BTCUSD",
    );
    expect(bitcoin.length).toBeGreaterThan(5);
  });

  test("trades through the weekend with `hours: always`", async () => {
    const { quotes } = await run(SATURDAY, 0.5);
    expect(quotes.filter(({ instrument }) => instrument.symbol === "EURUSD").length).toBeGreaterThan(20);
  });

  test("continues from now after a long pause, without sending what it missed", async () => {
    const { sink, ticks, clock, sleep, advance, until } = collect(WEDNESDAY);
    const feed = createSimulatedFeed({ seed: "test", hours: "always", instruments, now: clock, sleep });
    await feed.start(sink);
    await until(() => clock() >= WEDNESDAY + 2_000);
    const before = ticks.length;
    advance(8 * 60 * MINUTE_MS);
    const wokenMs = clock();
    await until(() => clock() >= wokenMs + 2_000);
    await feed.stop();
    const after = ticks.slice(before);
    expect(after.length).toBeLessThan(5_000);
    expect(after.filter(({ brokerTimeMs }) => brokerTimeMs < wokenMs - 60_000)).toEqual([]);
  });
});

describe("the simulated history", () => {
  test("has a price at every whole step, equal to the one computed alone", () => {
    const history = [...pure.history("GBPJPY", "borealis-fx", WEDNESDAY + 1, WEDNESDAY + 60_000, 15_000)];
    expect(history.map(({ timeMs }) => timeMs - WEDNESDAY)).toEqual([15_000, 30_000, 45_000]);
    for (const { timeMs, bid, ask } of history) {
      expect(pure.priceAt("GBPJPY", "borealis-fx", timeMs)).toEqual({ bid, ask });
    }
  });

  test("counts the prices of each second, and leaves out the seconds without one", async () => {
    const { quotes } = await run(WEDNESDAY, 2);
    for (const [symbol, fewest] of [
      ["EURUSD", 1.5],
      ["USDTRY", 0.1],
    ] as const) {
      const received = quotes.filter(
        ({ source, instrument }) => source === "alpha-markets" && instrument.symbol === symbol,
      );
      const past = [...pure.history(symbol, "alpha-markets", WEDNESDAY, WEDNESDAY + 2 * MINUTE_MS, 1_000)];
      const counted = past.reduce((sum, { updates }) => sum + updates, 0);
      expect(counted).toBeGreaterThan(120 * fewest);
      // Differs by ticks around the two ends, and by refused ones.
      expect(Math.abs(counted - received.length)).toBeLessThanOrEqual(8);
      expect(past.every(({ updates }) => updates > 0)).toBe(true);
    }
  });

  test("leaves out closed hours with `hours: market`", () => {
    const feed = createSimulatedFeed({ seed: "test", hours: "market", instruments, now: () => 0 });
    const day = 24 * 60 * MINUTE_MS;
    const monday = Date.UTC(2026, 0, 12);
    const readHours = (symbol: string) => [
      ...feed.history(symbol, "alpha-markets", monday, monday + 7 * day, 60 * MINUTE_MS),
    ];
    expect(readHours("EURUSD")).toHaveLength(4 * 24 + 22 + 2);
    expect(readHours("BTCUSD")).toHaveLength(7 * 24);
  });

  test("is empty for a symbol that the broker does not quote", () => {
    expect([...pure.history("AAPL", "cobalt-prime", WEDNESDAY, WEDNESDAY + MINUTE_MS, 1_000)]).toEqual([]);
    expect(pure.priceAt("AAPL", "cobalt-prime", WEDNESDAY)).toBeUndefined();
    expect(pure.priceAt("NOSUCHTHING", "alpha-markets", WEDNESDAY)).toBeUndefined();
  });
});
