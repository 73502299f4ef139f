import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PriceChanges } from "@/lib/api/stream/price-changes";
import { NO_EVENTS } from "@/lib/api/stream/price-streams.fixture";
import { readBatches, readEvent, setUpMarket, SOURCES, START, summarise } from "@/lib/api/stream/replay.fixture";
import { eventFormat, messageFormat } from "@/lib/api/stream/stream-format";
import { createOptions, PLAIN_OPTIONS, type StreamOptions } from "@/lib/api/stream/stream-options";
import type { CalendarEvent } from "@/lib/calendar/event";
import { encodeBook } from "@/lib/history/as-of/book-block";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { instruments } from "@/lib/market/catalog";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const SYMBOLS = ["EURUSD", "XAUUSD", "USDJPY", "BTCUSD", "GBPUSD"] as const;
const PRICES: Readonly<Record<string, number>> = { EURUSD: 1.08, XAUUSD: 4_000, USDJPY: 150, BTCUSD: 98_000 };
const SECONDS = 200;
const BY_SOURCE = createOptions({ sources: ["all"] });
const CHOICES = {
  served: PLAIN_OPTIONS,
  sources: BY_SOURCE,
  fields: createOptions({ fields: ["ask", "spread_pips", "timestamp"], sources: ["beta"] }),
};

type Market = ReturnType<typeof setUpMarket>;

/**
 * Minutes in which sources stop, one after another, so that prices become delayed and stale, are served from the next
 * source, and recover; one source is paused. After each second `onSecond` is called.
 */
async function runMarket(market: Market, onSecond: (second: number) => void, seconds = SECONDS): Promise<void> {
  const { clock, quote, flush, bookLog, book } = market;
  const first = clock.nowMs / 1000;
  await flush();
  for (let second = 0; second < seconds; second++) {
    for (const [i, ms] of [120, 470, 830].entries()) {
      clock.nowMs = (first + second) * 1000 + ms;
      for (const [at, [symbol, price]] of Object.entries(PRICES).entries()) {
        if ((second * 7 + i * 3 + at) % 4 === 0) continue;
        const move = (((second * 31 + i * 17 + at * 5) % 23) - 11) * price * 1e-4;
        const isAlphaDown = second > 30 && second < 80;
        if (!isAlphaDown) quote("alpha", symbol, price + move, price * 1e-4);
        if (i === 1 && !(isAlphaDown && second > 70) && at < 3) quote("beta", symbol, price - move, price * 2e-4);
        if (second === 5 && i === 0) quote("gamma", symbol, price, price * 3e-4);
      }
    }
    if (second === 150) {
      const kept = SOURCES.filter(({ name }) => name !== "beta");
      book.setSources(kept, new Set());
      bookLog.onSources(kept, new Set());
      book.setSources(SOURCES, new Set());
    }
    clock.nowMs = (first + second + 1) * 1000;
    onSecond(first + second + 1);
    if (second % 3 === 0 || second === seconds - 1) await flush();
  }
}

describe("A replay", () => {
  let database: TestDatabase;
  let market: Market;
  /** What live streams sent in each second, by their options. */
  const live = new Map<string, Map<number, readonly string[]>>();
  const from = START + 20;
  const to = START + SECONDS;

  beforeAll(async () => {
    database = await openTestDatabase();
    market = setUpMarket(database.db);
    const changes = new PriceChanges({ book: market.book, calendar: NO_EVENTS, gaps: { ended: [] } }, [
      ...instruments.map(({ symbol }) => symbol),
    ]);
    changes.addReader(BY_SOURCE, market.clock.nowMs);
    let at = 0;
    await runMarket(market, (second) => {
      changes.read(market.clock.nowMs);
      for (const [name, options] of Object.entries(CHOICES)) {
        const text = eventFormat.changes(changes.select(SYMBOLS, options), at, "x");
        const bySecond = live.get(name) ?? new Map<number, readonly string[]>();
        live.set(name, bySecond.set(second, text === null ? [] : (readBatches(text)[0]?.events ?? [])));
      }
      at = changes.last;
    });
  });
  afterAll(() => database.cleanup());

  async function replayAll(options: StreamOptions, rest: Parameters<Market["replay"]>[3] = {}, range = { from, to }) {
    const { client } = market.replay(range, SYMBOLS, options, rest);
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), 10_000);
    return client;
  }

  test.each(Object.entries(CHOICES))(
    "sends what the live stream of the same seconds sent, change for change: %s",
    async (name, options) => {
      const text = (await replayAll(options)).text();
      const [snapshot, ...batches] = readBatches(text);
      expect(snapshot?.events[0]).toContain("event: snapshot");
      const replayed = new Map(batches.map(({ id, events }) => [Number(id.split("-")[1]), events]));
      let count = 0;
      for (let second = from + 1; second <= to; second++) {
        const expected = live.get(name)?.get(second) ?? [];
        count += expected.length;
        expect([second - START, [...(replayed.get(second) ?? [])].sort()]).toEqual([
          second - START,
          [...expected].sort(),
        ]);
      }
      expect(count).toBeGreaterThan(300);
      expect(readEvent(text, "done")).toEqual({ time: "2026-03-04T10:03:20+00:00", ...summarise(text) });
      expect(summarise(text).changes).toBe(count);
      if (name === "sources") for (const state of ["delayed", "stale", "none"]) expect(text).toContain(`"${state}"`);
    },
  );

  test("begins with the market of that second, as at= answers it", async () => {
    const text = (await replayAll(PLAIN_OPTIONS)).text();
    const view = await market.createAsOf().open(from * 1000, SYMBOLS);
    const quotes = SYMBOLS.flatMap((symbol) => ("book" in view ? (view.book.served(symbol)?.json ?? []) : []));
    const states = (readEvent(text, "snapshot") as { states: unknown[] }).states;
    expect(JSON.stringify((readEvent(text, "snapshot") as { quotes: unknown }).quotes)).toBe(`[${quotes.join()}]`);
    expect(states).toContainEqual({ symbol: "GBPUSD", state: "none", data_mode: null });
    expect(readEvent(text, "replay")).toEqual({
      from: "2026-03-04T10:00:20+00:00",
      to: "2026-03-04T10:03:20+00:00",
      speed: "max",
      resolution: "1s",
    });
  });

  test("continues at every position, in any process, with what follows it", async () => {
    const whole = readBatches((await replayAll(BY_SOURCE)).text());
    for (const at of [0, 1, 17, 60, 61, 130, whole.length - 1]) {
      const rest = readBatches((await replayAll(BY_SOURCE, { position: whole[at]?.id ?? "" })).text());
      expect(rest).toEqual(whole.slice(at + 1));
    }
    const others = readBatches((await replayAll(PLAIN_OPTIONS, { position: whole[9]?.id ?? "" })).text());
    expect(others[0]?.events[0]).toContain("event: snapshot");
  });

  test("is the same over a WebSocket", async () => {
    const events = readBatches((await replayAll(BY_SOURCE)).text());
    const client = await replayAll(BY_SOURCE, { format: messageFormat });
    const messages = client.written.map((text) => JSON.parse(text) as Record<string, unknown[] | string>);
    const updates = messages.filter(({ type }) => type === "update");
    expect(updates.map(({ id }) => id)).toEqual(events.slice(1).map(({ id }) => id));
    for (const [i, { quotes, states }] of updates.entries()) {
      const data = (events[i + 1]?.events ?? []).map((event) => event.split("\ndata: ")[1]);
      const found = [...(quotes as unknown[]), ...(states as unknown[])].map((each) => JSON.stringify(each));
      expect(found.sort()).toEqual(data.map((each) => JSON.stringify(JSON.parse(each ?? ""))).sort());
    }
    expect(messages.at(-1)).toMatchObject({
      type: "done",
      changes: summarise((await replayAll(BY_SOURCE)).text()).changes,
    });
  });

  test("waits for a reader that takes nothing, with a bounded number of bytes", async () => {
    const { client } = market.replay({ from, to }, SYMBOLS, BY_SOURCE);
    client.stall();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(client.waiting()).toBeLessThan(400_000);
    client.drain();
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), 10_000);
  });

  test("keeps to its speed", async () => {
    const startedAtMs = performance.now();
    await replayAll(PLAIN_OPTIONS, {}, { from, to: from + 40, speed: 100 } as never);
    expect(performance.now() - startedAtMs).toBeGreaterThan(380);
  });

  test("has bars, releases and gaps of sources in the seconds of their receipt", async () => {
    const atMs = (from + 30) * 1000 + 250;
    const event = {
      id: "cpi",
      title: "CPI",
      currency: "USD",
      impact: "high",
      actual: "2%",
      timeMs: atMs,
    } as CalendarEvent;
    market.releases.push({ atMs, event }, { atMs: atMs + 9_000, event: { ...event, currency: "EUR" } });
    market.gaps.push({ source: "beta", fromMs: atMs - 60_000, toMs: atMs, reason: "disconnected" });
    const text = (await replayAll(createOptions({ bars: "1s", events: ["usd"] }))).text();
    const found = readBatches(text).find(({ id }) => id.startsWith(`past-${from + 31}-`));
    expect(found?.events.find((each) => each.startsWith("event: release"))).toContain('"event":"CPI"');
    expect(found?.events.at(-1)).toBe(
      'event: gap\ndata: {"source":"beta","from":"2026-03-04T09:59:50+00:00","to":"2026-03-04T10:00:50+00:00","reason":"disconnected"}',
    );
    expect(text.match(/event: release/g)).toHaveLength(1);
    const bars = text.match(/event: bar\n/g)?.length ?? 0;
    expect(bars).toBeGreaterThan(300);
    expect(text).toMatch(/event: bar\ndata: {"symbol":"EURUSD","time":"2026-03-04T10:00:2\d.000Z","open":1\.\d+,/);
    market.releases.length = market.gaps.length = 0;
  });

  test("says where nothing was recorded, and refuses a range without anything", async () => {
    const { pool } = database.db;
    const later = to + 500;
    const change = { symbol: "EURUSD", source: "alpha", digits: 5, bid: 108_000, ask: 108_010, staleAfterMs: 20_000 };
    const changes = [{ ...change, second: later - 1, timeMs: later * 1000 - 500 }];
    const block = encodeBook(later, changes);
    await pool.query("INSERT INTO book_log VALUES ($1, $2, true, $3)", [later, later + 30, block]);
    const { client } = market.replay({ from: to - 5, to: later + 10 }, SYMBOLS);
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), 10_000);
    expect(readEvent(client.text(), "gap")).toMatchObject({
      source: null,
      from: "2026-03-04T10:03:20+00:00",
      reason: "not_recorded",
    });
    const after = readBatches(client.text()).find(({ id }) => id.startsWith(`past-${later}-`));
    expect(after?.events.join()).toContain('"bid":1.08,"ask":1.0801');
    market.clock.nowMs = (later + 60) * 1000;
    market.keeper.onRecorded([], market.clock.nowMs);
    const { changes: past } = market.createAsOf();
    expect(await past.find(to + 10, to + 20, SYMBOLS)).toEqual({ beforeMs: to * 1000, afterMs: later * 1000 });
    expect(await past.find(to - 1, to + 20, SYMBOLS)).toBeNull();
    await pool.query("DELETE FROM book_log WHERE since = $1", [later]);
  });

  test("reads imported ticks where the sources were not recorded, and continues there", async () => {
    const day = START - 86_400;
    const rows = Array.from({ length: 300 }, (_, i) => ({
      ...{ symbol: "EURUSD", digits: 5, second: day + 3 * i + (i > 200 ? 120 : 0), bid: 108_000 + i, ask: 108_010 + i },
      ...{ open: 108_000, high: 108_000, low: 108_000, updates: 1 },
    }));
    await journalRows(database.db.pool, rows);
    market.keeper.onRecorded(rows, (day + 3_600) * 1000);
    await market.keeper.close(day * 1000, FIRST_FENCE);
    const range = { from: day + 30, to: day + 1_200 };
    const read = async (position: string | null) => {
      const { client } = market.replay(range, ["EURUSD"], PLAIN_OPTIONS, { position });
      await vi.waitFor(() => expect(client.ending()).toBe("finished"), 10_000);
      return client.text();
    };
    const text = await read(null);
    expect(text.match(/event: quote/g)).toHaveLength(290);
    expect(text).toContain('"source":"recorded"');
    for (const state of ["delayed", "stale", "live"]) expect(text).toContain(`"state":"${state}"`);
    const whole = readBatches(text);
    for (const at of [50, 190, 195, 250])
      expect(readBatches(await read(whole[at]?.id ?? ""))).toEqual(whole.slice(at + 1));
  });
});

describe("A replay without an end", () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await openTestDatabase()));
  afterAll(() => database.cleanup());

  test.each([
    ["served", PLAIN_OPTIONS],
    ["by source", BY_SOURCE],
  ])("becomes live without a gap or a double: %s", async (name, options) => {
    await database.db.pool.query("TRUNCATE book_log");
    const startMs = START * 1000 + (name === "served" ? 0 : 3_600_000);
    const market = setUpMarket(database.db, startMs);
    const { clock, quote } = market;
    await runMarket(market, () => {}, 60);
    const from = startMs / 1000 + 20;
    /** The last price of alpha in each second, and all in the order in which they came. */
    const ofSeconds = new Map<number, string>();
    const all: string[] = [];
    const step = async (i: number) => {
      clock.nowMs += 125;
      const bid = 1.1 + i * 1e-5;
      quote("alpha", "EURUSD", bid, 0.0002, 0);
      if (i % 8 === 3) quote("beta", "XAUUSD", 4_100 + i, 1);
      all.push(bid.toFixed(5));
      ofSeconds.set(Math.floor(clock.nowMs / 1000), bid.toFixed(5));
      if (i % 8 === 0) await market.flush();
      await new Promise((resolve) => setTimeout(resolve, 40));
    };
    for (let i = 0; i < 8; i++) await step(i);
    const { client, stream } = market.replay({ from }, SYMBOLS, options);
    const isLive = () => client.text().includes("event: live");
    let steps = 8;
    while (!isLive() && steps < 200) await step(steps++);
    expect(isLive()).toBe(true);
    for (const end = steps + 20; steps < end;) await step(steps++);
    await vi.waitFor(() => expect(client.text()).toContain(`"bid":${Number(all.at(-1))},`));
    const text = client.text();
    expect(readEvent(text, "live")).toMatchObject(summarise(text));
    const sent = [...text.matchAll(/event: quote\ndata: (.*)/g)]
      .map(([, data]) => JSON.parse(data ?? "") as { symbol: string; bid: number; source: string; timestamp: string })
      .filter(({ symbol, source, bid }) => symbol === "EURUSD" && source === "alpha" && bid >= 1.1);
    const bids = sent.map(({ bid }) => bid.toFixed(5));
    expect(new Set(bids).size).toBe(bids.length);
    expect([...bids].sort()).toEqual(bids);
    const missing = [...ofSeconds.values()].filter((bid) => !bids.includes(bid));
    expect(missing).toEqual([]);
    // What follows is of the live stream, of which another process knows the second.
    const position = readBatches(text).at(-1)?.id ?? "";
    expect(position).not.toContain("past");
    stream.close();
    await market.flush();
    const other = setUpMarket(database.db, clock.nowMs);
    const resumed = other.replay({ from, to: Math.floor(clock.nowMs / 1000) }, SYMBOLS, options, { position });
    await vi.waitFor(() => expect(resumed.client.ending()).toBe("finished"), 5_000);
    expect(resumed.client.text()).not.toContain("event: snapshot");
    expect(Number(readBatches(resumed.client.text())[0]?.id.split("-")[1])).toBeGreaterThan(clock.nowMs / 1000 - 5);
    market.streams.endAll();
  });

  test("ends when its connection does, and when the past cannot be read", async () => {
    const market = setUpMarket(database.db, START * 1000 + 7_200_000);
    await runMarket(market, () => {}, 30);
    const { client, stream } = market.replay({ from: market.clock.nowMs / 1000 - 20, speed: 5 }, SYMBOLS);
    await vi.waitFor(() => expect(client.text()).toContain("event: quote"));
    stream.close();
    const { length } = client.text();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(client.text()).toHaveLength(length);
    await database.db.pool.query("ALTER TABLE book_log RENAME TO hidden");
    const broken = market.replay({ from: market.clock.nowMs / 1000 - 20 }, SYMBOLS);
    await vi.waitFor(() => expect(broken.client.ending()).toBe("SERVICE_UNAVAILABLE"));
    await database.db.pool.query("ALTER TABLE hidden RENAME TO book_log");
    expect(market.streams.size).toBe(0);
  });
});
