import { describe, expect, test } from "vitest";
import type { VenueConnection } from "@/e2e/venues/kit/connection";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import { runFeed } from "@/e2e/venues/run-feed.fixture";
import type { PastPrice } from "@/lib/feeds/feed";
import type { LiveContext } from "@/lib/feeds/live/live-feed";
import { createOandaFeed, type OandaOptions } from "@/lib/feeds/venues/oanda";
import { silentLog } from "@/lib/platform/log/log";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

const ACCESS = { token: "test-token", account: "101-001-1-001" };
const PATIENCE = { timeout: 20_000, interval: 5 };
const TIMES = { silenceMs: 5_000, retryMs: 5, maxRetryMs: 20 };

const create =
  (url: string, options: Partial<OandaOptions> = {}) =>
  (context: LiveContext) =>
    createOandaFeed({
      ...{ ...context, ...ACCESS, url, times: TIMES, name: "oanda", symbols: null, server: "practice" },
      ...options,
    });

/** Every scenario but a few leaves the list of instruments to this rule. */
const INSTRUMENTS = `connect {"path":"/v3/accounts/101-001-1-001/instruments"}
  play instruments
`;

async function play(name: string, options: Partial<OandaOptions> = {}) {
  const text = readVenueFile("oanda");
  const heading = `scenario ${name}\n`;
  const hasOwnList =
    /^(prices|more than the catalog|rate limit|maintenance|wrong token|forbidden account|recorded day)$/.test(name);
  const venue = await open({ scenario: hasOwnList ? text : text.replace(heading, heading + INSTRUMENTS), name });
  const running = await runFeed(create(venue.url, options), { secrets: Object.values(ACCESS) });
  return { ...running, venue };
}

describe("the stream of an account", () => {
  test("is of all instruments of the account, if none are listed", async () => {
    const { venue, quotes } = await play("prices");
    await expect.poll(() => new Set(quotes.map(({ instrument }) => instrument.symbol)).size, PATIENCE).toBe(2);
    await venue.finished();
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test("is also of those that the catalog lacks, whose list comes before their prices", async () => {
    const { venue, quotes, facts } = await play("more than the catalog");
    await expect.poll(() => quotes.map(({ instrument, bid }) => [instrument.symbol, bid]), PATIENCE).toHaveLength(1);
    const { symbol, name, digits, minVolume, volumeStep } = quotes[0]?.instrument ?? {};
    expect([symbol, name, digits, minVolume, volumeStep]).toEqual(["CHINAH", "China H Shares", 1, 0.1, 0.1]);
    expect(facts.map(({ spelling }) => spelling)).toEqual(["CHINAH_HKD"]);
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test("leaves out and reports a listed instrument that the account does not have", async () => {
    const { venue, statuses, logged } = await play("stream", { symbols: ["EUR_USD", "NOPE_USD"] });
    await expect.poll(() => statuses, PATIENCE).toContain("connected");
    expect(venue.received.at(-1)?.text).toContain('"query":{"instruments":"EUR_USD"}');
    expect(logged.join()).toContain("not in the account, left out: NOPE_USD");
  });

  test("has the best price of each ladder, and none for a side that is empty", async () => {
    const { venue, quotes } = await play("ladder");
    await venue.finished();
    await expect.poll(() => quotes.map(({ bid, ask }) => [bid, ask]), PATIENCE).toEqual([[1.19197, 1.19216]]);
  });

  test("is the same wherever the lines are split", async () => {
    const { venue, quotes, statuses } = await play("split lines");
    await venue.finished();
    await expect.poll(() => quotes.at(-1)?.bid, PATIENCE).toBe(1.0895);
    expect(statuses).toEqual(["connected"]);
  });

  test("keeps the time of an old price on a closed market, whatever heartbeats follow", async () => {
    const { venue, quotes } = await play("market closed");
    await venue.finished();
    expect(quotes.map(({ timeMs }) => timeMs)).toEqual([Date.parse("2020-10-23T21:02:02.692Z")]);
  });

  test("continues after a line was cut, and after messages of unknown types", async () => {
    const cut = await play("cut mid-line");
    await cut.venue.finished();
    await expect.poll(() => cut.statuses.filter((status) => status === "connected").length, PATIENCE).toBe(3);
    const broken = await play("broken message");
    await expect.poll(() => broken.statuses, PATIENCE).toContainEqual(expect.stringMatching(/^disconnected/));
    await expect.poll(() => broken.quotes.length, PATIENCE).toBeGreaterThan(0);
    const unknown = await play("unknown messages");
    await expect.poll(() => unknown.quotes.length, PATIENCE).toBe(1);
    expect(unknown.statuses).toEqual(["connected"]);
  });

  test.each([
    ["wrong token", "ended refused with HTTP status 401"],
    ["forbidden account", "ended refused with HTTP status 403"],
  ])("ends for good with the %s", async (name, status) => {
    const { venue, statuses } = await play(name);
    await expect.poll(() => statuses, PATIENCE).toEqual([status]);
    expect(venue.connections).toBe(1);
  });

  test("waits as long as a busy venue demands, and returns after maintenance", async () => {
    const startedMs = performance.now();
    const busy = await play("rate limit");
    const later = await play("maintenance");
    await expect
      .poll(() => later.statuses.slice(0, 2), PATIENCE)
      .toEqual(Array(2).fill("disconnected refused with HTTP status 503"));
    await expect.poll(() => busy.venue.connections, PATIENCE).toBeGreaterThan(1);
    expect(busy.statuses[0]).toBe("disconnected refused with HTTP status 429");
    expect(performance.now() - startedMs).toBeGreaterThan(SECOND_MS - 50);
  });
});

describe("the past", () => {
  const START = Date.UTC(2026, 0, 14, 14);
  const STEP = 5 * SECOND_MS;
  /** From the begin of a candle to its last second. */
  const LAST = 4_000;
  const NOW = START + DAY_MS;

  /** A venue with a candle every five seconds from START to NOW, without one hour. The last one is not complete. */
  async function openPast(refusals = 0) {
    const queries: Record<string, string>[] = [];
    const write = (timeMs: number) => {
      const price = 1 + (timeMs - START) / DAY_MS;
      const side = (spread: number) => ({ o: "9", h: "9", l: "9", c: (price + spread).toFixed(5) });
      const time = new Date(timeMs).toISOString().replace("Z", "000000Z");
      return { time, bid: side(0), ask: side(0.0001), volume: 7, complete: timeMs + STEP <= NOW };
    };
    function list({ from = "", count = "500" }: Record<string, string>) {
      const candles: unknown[] = [];
      for (let at = Math.ceil(Date.parse(from) / STEP) * STEP; at < NOW + STEP && candles.length < +count; at += STEP) {
        if (at < START + HOUR_MS || at >= START + 2 * HOUR_MS) candles.push(write(at));
      }
      return candles;
    }
    const onConnection = async (connection: VenueConnection) => {
      const { path = "", query = {}, headers } = connection.opening;
      expect(headers).toMatchObject({ authorization: "Bearer test-token" });
      if (path.endsWith("/instruments")) {
        await connection.send(JSON.stringify({ instruments: [{ name: "EUR_USD" }, { name: "XAU_USD" }] }));
      } else if (queries.push(query) <= refusals) connection.answer(429, {});
      else await connection.send(JSON.stringify({ candles: list(query) }));
      await connection.close();
    };
    const venue = await open({ transport: "http", onConnection });
    const context = { now: () => NOW, monotonic: () => performance.now(), log: silentLog, random: () => 0 };
    const feed = create(venue.url)({ ...context, recorder: null });
    const fetch = async (symbol: string, fromMs: number, toMs: number, signal = new AbortController().signal) => {
      const prices: PastPrice[] = [];
      for await (const price of feed.fetchPast?.(symbol, fromMs, toMs, signal) ?? []) prices.push(price);
      return prices;
    };
    return { venue, queries, fetch };
  }

  test("has the close of each five seconds at its last second, in order, over several pages and a gap", async () => {
    const { venue, queries, fetch } = await openPast();
    const prices = await fetch("EURUSD", START + 1, START + 12 * HOUR_MS);
    const times = prices.map(({ timeMs }) => timeMs);
    const begins = Array.from({ length: (12 * HOUR_MS) / STEP }, (_, step) => START + step * STEP).filter(
      (timeMs) => timeMs > START && (timeMs < START + HOUR_MS || timeMs >= START + 2 * HOUR_MS),
    );
    expect(times).toEqual(begins.map((timeMs) => timeMs + LAST));
    expect(prices[0]).toEqual({ timeMs: START + STEP + LAST, bid: 1.00006, ask: 1.00016, updates: 7 });
    expect(queries).toHaveLength(2);
    for (const query of queries) expect(query).toMatchObject({ price: "BA", granularity: "S5" });
    expect(Number(queries[0]?.count)).toBe(5_000);
    await venue.close();
    expect(venue.violations).toEqual([]);
  });

  test("ends at the present, without the candle that is still open", async () => {
    const { fetch } = await openPast();
    const prices = await fetch("EUR_USD", NOW - 3 * STEP, NOW + HOUR_MS);
    expect(prices.map(({ timeMs }) => timeMs - NOW)).toEqual([-3 * STEP, -2 * STEP, -STEP].map((ms) => ms + LAST));
  });

  test("is empty for a symbol that the account does not have", async () => {
    const { queries, fetch } = await openPast();
    expect(await fetch("GBPUSD", START, NOW)).toEqual([]);
    expect(queries).toEqual([]);
  });

  test("is requested again when the venue is busy, and can be stopped meanwhile", async () => {
    const { queries, fetch } = await openPast(1);
    expect(await fetch("EURUSD", START, START + STEP)).toHaveLength(1);
    expect(queries).toHaveLength(2);
    const busy = await openPast(100);
    const stopping = new AbortController();
    const fetching = busy.fetch("EURUSD", START, NOW, stopping.signal);
    await expect.poll(() => busy.queries.length, PATIENCE).toBe(1);
    stopping.abort();
    await expect(fetching).rejects.toThrow(/abort/i);
  });
});

test("A token or an account that cannot be one is refused before anything is opened", () => {
  const context = { now: Date.now, monotonic: Date.now, log: silentLog, random: () => 0, recorder: null };
  expect(() => create("http://127.0.0.1:1", { token: "a\nb" })(context)).toThrow("token");
  expect(() => create("http://127.0.0.1:1", { account: "../x" })(context)).toThrow("account");
});
