import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PriceChanges } from "@/lib/api/stream/price-changes";
import { NO_EVENTS } from "@/lib/api/stream/price-streams.fixture";
import { readBatches, readEvent, setUpMarket, SOURCES, START, summarise } from "@/lib/api/stream/replay.fixture";
import { eventFormat, messageFormat } from "@/lib/api/stream/stream-format";
import { createOptions, PLAIN_OPTIONS, type StreamOptions } from "@/lib/api/stream/stream-options";
import type { CalendarEvent } from "@/lib/calendar/event";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { listTicks, readTapes } from "@/lib/history/tapes/tape-history";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const KEPT = ["EURUSD", "XAUUSD"];
const SYMBOLS = [...KEPT, "USDJPY"];
const PRICES: Readonly<Record<string, number>> = { EURUSD: 1.08, XAUUSD: 4_000, USDJPY: 150 };
const SECONDS = 100;
const BY_SOURCE = createOptions({ sources: ["all"] });
const CHOICES = {
  served: PLAIN_OPTIONS,
  sources: BY_SOURCE,
  fields: createOptions({ fields: ["ask", "spread_pips", "timestamp"], sources: ["beta"] }),
};

type Market = ReturnType<typeof setUpMarket>;

/** Numbers in [0, 1), the same every time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * Some minutes of ticks at any millisecond, often several in one. Alpha stops, so that its prices become delayed and stale and
 * those of beta are served, and recovers; beta is paused once. `onTick` is called after each tick and `onMs` after each
 * millisecond, with its end.
 */
async function runMarket(
  market: Market,
  { onTick = () => {}, onMs = () => {} }: { onTick?: (endMs: number) => void; onMs?: (endMs: number) => void },
  seconds = SECONDS,
): Promise<void> {
  const { clock, quote, flush, bookLog, book } = market;
  const random = createRandom(7);
  const startMs = clock.nowMs;
  await flush();
  for (let ms = 0; ms < seconds * 1000; ms++) {
    const second = Math.floor(ms / 1000);
    const endMs = startMs + ms + 1;
    const isAlphaDown = second >= 30 && second < 62;
    for (const symbol of random() < 0.01 ? SYMBOLS : []) {
      if (random() < 0.4) continue;
      const price = PRICES[symbol] as number;
      const source = random() < 0.6 ? "alpha" : "beta";
      const isStopped = (source === "alpha" && isAlphaDown) || (source === "beta" && second >= 52 && second < 59);
      clock.nowMs = startMs + ms;
      if (!isStopped) quote(source, symbol, price * (1 + Math.round(random() * 40 - 20) * 1e-5), price * 1e-4, 0);
      clock.nowMs = endMs;
      onTick(endMs);
    }
    if (ms === 79_999) {
      const kept = SOURCES.filter(({ name }) => name !== "beta");
      clock.nowMs = startMs + ms;
      book.setSources(kept, new Set());
      bookLog.onSources(kept, new Set());
      book.setSources(SOURCES, new Set());
    }
    clock.nowMs = endMs;
    onMs(endMs);
    if (endMs % 3_000 === 0) await flush();
  }
  clock.nowMs = startMs + (seconds + 2) * 1000;
  await flush();
}

/** The quotes and states of a stream in their order, each with the millisecond at whose end they were sent. */
function listEvents(text: string): string[] {
  return readBatches(text)
    .slice(1)
    .flatMap(({ id, events }) => events.map((event) => `${id.split("-")[1]} ${event}`));
}

const formatSecond = (ms: number) => (ms % 1000 === 0 ? String(ms / 1000) : (ms / 1000).toFixed(3));

describe("A replay of ticks", () => {
  let database: TestDatabase;
  let market: Market;
  /** What a stream that sends each tick at once sent in each millisecond, by its options. */
  const live = new Map<string, string[]>(Object.keys(CHOICES).map((name) => [name, []]));
  const from = START + 10;
  const to = START + SECONDS;

  beforeAll(async () => {
    database = await openTestDatabase();
    market = setUpMarket(database.db, START * 1000, KEPT);
    const symbols = instruments.map(({ symbol }) => symbol);
    const changes = new PriceChanges({ book: market.book, calendar: NO_EVENTS, gaps: { ended: [] } }, symbols);
    changes.addReader(BY_SOURCE, market.clock.nowMs);
    let at = 0;
    const note = (endMs: number) => {
      if (!changes.read(endMs, KEPT)) return;
      for (const [name, options] of Object.entries(CHOICES)) {
        const text = eventFormat.changes(changes.select(KEPT, options), at, "x");
        const events = text === null || endMs <= from * 1000 ? [] : (readBatches(text)[0]?.events ?? []);
        live.get(name)?.push(...events.map((event) => `${formatSecond(endMs)} ${event}`));
      }
      at = changes.last;
    };
    await runMarket(market, { onTick: note, onMs: note });
  }, 180_000);
  afterAll(() => database.cleanup());

  async function replayAll(
    options: StreamOptions,
    {
      symbols = KEPT,
      range = {},
      ...rest
    }: Parameters<Market["replay"]>[3] & { symbols?: string[]; range?: object } = {},
  ) {
    const { client } = market.replay({ from, to, resolution: "tick", ...range }, symbols, options, rest);
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), { timeout: 30_000, interval: 2 });
    return client;
  }

  const readStored = (symbol: string) =>
    readTapes((work) => work(database.db.pool), instrumentBySymbol.get(symbol) as Instrument, {
      ...{ fromMs: START * 1000, toMs: to * 1000, nowMs: market.clock.nowMs },
    });

  test.each(Object.entries(CHOICES))(
    "sends what the live book served after each tick and in each millisecond: %s",
    async (name, options) => {
      const text = (await replayAll(options)).text();
      const expected = live.get(name) ?? [];
      expect(listEvents(text)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(300);
      expect(readEvent(text, "done")).toEqual({ time: "2026-03-04T10:01:40+00:00", ...summarise(text) });
      if (name === "served") expect(new Set(text.match(/"source":"\w+"/g)).size).toBe(2);
      if (name === "sources") for (const state of ["delayed", "stale", "none"]) expect(text).toContain(`"${state}"`);
    },
  );

  test("sends every stored tick of every source, in the order of receipt, and of them those that were served", async () => {
    const rows: { receivedMs: number; text: string; isServed: boolean }[] = [];
    for (const symbol of KEPT) {
      for (const { source, tape, at } of listTicks((await readStored(symbol)).tapes, false)) {
        const [bid, ask] = [tape.bids, tape.asks].map((column) => toPrice(column[at] as number, tape.digits));
        const receivedMs = tape.receivedMs[at] as number;
        const time = new Date(tape.timesMs[at] as number).toISOString();
        rows.push({ receivedMs, text: `${symbol} ${source} ${time} ${bid} ${ask}`, isServed: tape.served[at] === 1 });
      }
    }
    rows.sort((a, b) => a.receivedMs - b.receivedMs);
    const inRange = rows.filter(({ receivedMs }) => receivedMs >= from * 1000);
    const list = (text: string) =>
      [...text.matchAll(/event: quote\ndata: (.*)/g)].map(([, data]) => {
        const { symbol, source, timestamp, bid, ask } = JSON.parse(data ?? "") as Record<string, unknown>;
        return [symbol, source, timestamp, bid, ask].join(" ");
      });
    const sent = list((await replayAll(BY_SOURCE)).text());
    expect(sent).toHaveLength(inRange.length);
    const bySymbol = (texts: readonly string[], symbol: string) => texts.filter((text) => text.startsWith(symbol));
    const all = inRange.map(({ text }) => text);
    for (const symbol of KEPT) expect(bySymbol(sent, symbol)).toEqual(bySymbol(all, symbol));
    const served = list((await replayAll(PLAIN_OPTIONS)).text());
    const flagged = new Set(inRange.filter(({ isServed }) => isServed).map(({ text }) => text));
    // A source that takes over is sent with its latest price, of a tick that was not served when it came.
    expect(served.filter((text) => !flagged.has(text)).length).toBeLessThan(10);
    expect([...flagged].filter((text) => !served.includes(text))).toEqual([]);
  });

  test("begins with the market of its first second", async () => {
    const text = (await replayAll(PLAIN_OPTIONS, { symbols: SYMBOLS })).text();
    const view = await market.createAsOf().open(from * 1000, SYMBOLS);
    const quotes = SYMBOLS.flatMap((symbol) => ("book" in view ? (view.book.served(symbol)?.json ?? []) : []));
    expect(JSON.stringify((readEvent(text, "snapshot") as { quotes: unknown }).quotes)).toBe(`[${quotes.join()}]`);
  });

  test("names the symbols of which not every tick is kept, and sends their seconds", async () => {
    const text = (await replayAll(PLAIN_OPTIONS, { symbols: SYMBOLS })).text();
    const span = { from: "2026-03-04T10:00:10.000+00:00", to: "2026-03-04T10:01:40.000+00:00" };
    expect(readEvent(text, "replay")).toMatchObject({
      resolution: "tick",
      not_kept: [{ ...span, symbols: ["USDJPY"] }],
    });
    const pick = (each: string) =>
      listEvents(each).filter((event) => event.includes("USDJPY") && event.includes("event: quote"));
    const bySource = pick((await replayAll(BY_SOURCE, { symbols: SYMBOLS })).text());
    const { client } = market.replay({ from, to }, ["USDJPY"], BY_SOURCE);
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), { timeout: 30_000, interval: 2 });
    expect(bySource).toEqual(pick(client.text()));
    expect(bySource.length).toBeGreaterThan(100);
    expect(listEvents(text).filter((event) => event.includes("EURUSD"))).toEqual(
      live.get("served")?.filter((event) => event.includes("EURUSD")),
    );
    expect(readEvent((await replayAll(PLAIN_OPTIONS)).text(), "replay")).toMatchObject({ not_kept: [] });
  });

  test.each([
    ["events", eventFormat],
    ["messages", messageFormat],
  ])("continues at every position, in any process, with what follows it, in %s", async (name, format) => {
    const options = createOptions({ sources: ["all"], bars: "1s" });
    const range = { from: from + 18, to: from + 26 };
    const read = async (position: string | null) => {
      const client = await replayAll(options, { symbols: SYMBOLS, range, format, position });
      if (name === "events") return readBatches(client.text()).map(({ id, events }) => ({ id, text: events.join() }));
      const messages = client.written.map((text) => ({ text, ...(JSON.parse(text) as { type: string; id: string }) }));
      return messages.flatMap(({ type, id, text }) => (["snapshot", "update"].includes(type) ? [{ id, text }] : []));
    };
    const whole = await read(null);
    expect(whole.filter(({ id }) => id.includes(".")).length).toBeGreaterThan(30);
    for (const [at, { id }] of whole.entries()) {
      if (name === "events" || at % 8 === 0) expect(await read(id)).toEqual(whole.slice(at + 1));
    }
    const inSeconds = await replayAll(PLAIN_OPTIONS, { range: { resolution: "1s" }, position: whole[9]?.id ?? "" });
    expect(readBatches(inSeconds.text())[0]?.events[0]).toContain("event: snapshot");
  });

  test("continues by seconds after a position among ticks, and loses nothing", async () => {
    const ticks = readBatches((await replayAll(PLAIN_OPTIONS)).text());
    const position = ticks.find(({ id }) => id.includes("."))?.id ?? "";
    const second = /^past-(\d+)\./.exec(position)?.[1];
    const rest = await replayAll(PLAIN_OPTIONS, { range: { resolution: "1s" }, position });
    const whole = readBatches((await replayAll(PLAIN_OPTIONS, { range: { resolution: "1s" } })).text());
    expect(readBatches(rest.text())).toEqual(whole.filter(({ id }) => Number(id.split("-")[1]) > Number(second)));
  });

  test("has the same bytes after its ticks were joined into hours", async () => {
    const before = readEvent((await replayAll(BY_SOURCE, { symbols: SYMBOLS })).text(), "done");
    await market.tapes.join(FIRST_FENCE);
    expect(readEvent((await replayAll(BY_SOURCE, { symbols: SYMBOLS })).text(), "done")).toEqual(before);
    const atMs = market.clock.nowMs;
    market.clock.nowMs += 2 * 3_600_000;
    await market.tapes.join(FIRST_FENCE);
    expect((await database.db.pool.query("SELECT FROM tape_hour WHERE part > 0")).rowCount).toBe(0);
    expect(readEvent((await replayAll(BY_SOURCE, { symbols: SYMBOLS })).text(), "done")).toEqual(before);
    market.clock.nowMs = atMs;
  });

  test("has bars of all ticks of their second, and releases and gaps in the millisecond of their receipt", async () => {
    const atMs = (from + 30) * 1000 + 250;
    const event = { id: "cpi", title: "CPI", currency: "USD", impact: "high", actual: "2%", timeMs: atMs };
    market.releases.push({ atMs, event: event as CalendarEvent });
    market.gaps.push({ source: "beta", fromMs: atMs - 60_000, toMs: atMs + 3, reason: "disconnected" });
    const client = await replayAll(createOptions({ bars: "1s", events: ["usd"] }));
    const batches = readBatches(client.text());
    const find = (id: string) => batches.find((batch) => batch.id.startsWith(`past-${id}-`))?.events.join("");
    expect(find(`${from + 30}.251`)).toContain("event: release");
    expect(find(`${from + 30}.254`)).toContain("event: gap");
    market.releases.length = market.gaps.length = 0;

    const bySecond = new Map<string, number[]>();
    for (const symbol of KEPT) {
      for (const { tape, at } of listTicks((await readStored(symbol)).tapes, true)) {
        const second = Math.floor((tape.receivedMs[at] as number) / 1000);
        if (second < from) continue;
        const name = `${symbol} ${new Date(second * 1000).toISOString()}`;
        bySecond.set(name, [...(bySecond.get(name) ?? []), toPrice(tape.bids[at] as number, tape.digits)]);
      }
    }
    const bars = [...client.text().matchAll(/event: bar\ndata: (.*)/g)].map(
      ([, data]) => JSON.parse(data ?? "") as Record<string, unknown>,
    );
    expect(bars).toHaveLength(bySecond.size);
    for (const { symbol, time, ...bar } of bars) {
      const bids = bySecond.get(`${String(symbol)} ${String(time)}`) ?? [];
      const [low, high] = [Math.min(...bids), Math.max(...bids)];
      expect(bar).toEqual({ open: bids[0], high, low, close: bids.at(-1), volume: bids.length });
    }
  });

  test("waits for a reader that takes nothing, with a bounded number of bytes", async () => {
    const { client } = market.replay({ from: START, to, resolution: "tick" }, SYMBOLS, BY_SOURCE);
    client.stall();
    await vi.waitFor(() => expect(client.waiting()).toBeGreaterThan(90_000), 30_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.waiting()).toBeLessThan(400_000);
    client.drain();
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), { timeout: 30_000, interval: 2 });
  });

  test("keeps to its speed within a second", async () => {
    const { client } = market.replay({ from: from + 5, to: from + 6, speed: 2, resolution: "tick" }, KEPT, BY_SOURCE);
    const startedAtMs = performance.now();
    const readMs = () => {
      const last = readBatches(client.text()).at(-1)?.id ?? "";
      return Number(last.split("-")[1]) * 1000 - (from + 5) * 1000;
    };
    // A busy machine is late, but never early.
    await vi.waitFor(() => expect(readMs()).toBeGreaterThan(300), { timeout: 30_000, interval: 5 });
    expect(readMs()).toBeLessThan(2 * (performance.now() - startedAtMs) + 50);
    await vi.waitFor(() => expect(client.ending()).toBe("finished"), 30_000);
    expect(performance.now() - startedAtMs).toBeGreaterThan(480);
  });
});

describe("A replay of ticks without an end", () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await openTestDatabase()));
  afterAll(() => database.cleanup());

  test.each([
    ["served", PLAIN_OPTIONS],
    ["by source", BY_SOURCE],
  ])("sends every tick, then becomes live without a gap or a double: %s", async (name, options) => {
    await database.db.pool.query("TRUNCATE book_log, tape_second, tape_hour, tape_run");
    const startMs = START * 1000 + (name === "served" ? 0 : 3_600_000);
    const market = setUpMarket(database.db, startMs, KEPT);
    const { clock, quote } = market;
    await market.flush();
    const all: string[] = [];
    const step = async (i: number) => {
      clock.nowMs += 125;
      const bid = 1.1 + i * 1e-5;
      quote("alpha", "EURUSD", bid, 0.0002, 0);
      if (i % 8 === 3) quote("beta", "XAUUSD", 4_100 + i, 1);
      all.push(bid.toFixed(5));
      if (i % 8 === 0) await market.flush();
      await new Promise((resolve) => setTimeout(resolve, 40));
      // Live changes are collected for some milliseconds; here each of them comes by itself.
      if (isLive()) await vi.waitFor(() => expect(readText()).toContain(`"bid":${Number(all.at(-1))},`), 10_000);
    };
    let readText = () => "";
    const isLive = () => readText().includes("event: live");
    for (let i = 0; i < 24; i++) await step(i);
    const { client } = market.replay({ from: startMs / 1000, resolution: "tick" }, SYMBOLS, options);
    readText = client.text;
    let steps = 24;
    while (!isLive() && steps < 200) await step(steps++);
    expect(isLive()).toBe(true);
    for (const end = steps + 20; steps < end;) await step(steps++);
    const text = client.text();
    expect(readEvent(text, "live")).toMatchObject(summarise(text));
    const listBids = (part: string) =>
      [...part.matchAll(/event: quote\ndata: (.*)/g)]
        .map(([, data]) => JSON.parse(data ?? "") as { symbol: string; bid: number; source: string })
        .filter(({ symbol, source }) => symbol === "EURUSD" && source === "alpha")
        .map(({ bid }) => bid.toFixed(5));
    const [past = ""] = text.split("event: live");
    const [before, bids] = [listBids(past), listBids(text)];
    expect(before).toEqual(all.slice(0, before.length));
    expect(before.length).toBeGreaterThan(24);
    expect(bids).toEqual(all);
    market.streams.endAll();
  });

  test("sends a tick once that reached the book after its second was stored, also from a position before it", async () => {
    await database.db.pool.query("TRUNCATE book_log, tape_second, tape_hour, tape_run");
    const market = setUpMarket(database.db, START * 1000, KEPT);
    const { clock, quote, flush } = market;
    const quoteAt = (ms: number, bid: number) => {
      clock.nowMs = START * 1000 + ms;
      quote("alpha", "EURUSD", bid, 0.0002, 0);
    };
    const flushAt = async (ms: number) => {
      clock.nowMs = START * 1000 + ms;
      await flush();
    };
    await flushAt(0);
    quoteAt(1_500, 1.1);
    await flushAt(2_000);
    quoteAt(1_990, 1.2);
    await flushAt(3_000);
    quoteAt(3_300, 1.3);
    await flushAt(60_000);
    await flushAt(70_000);
    const read = async (position: string | null) => {
      const range = { from: START + 1, to: START + 5, resolution: "tick" } as const;
      const { client } = market.replay(range, ["EURUSD"], BY_SOURCE, { position });
      await vi.waitFor(() => expect(client.ending()).toBe("finished"), { timeout: 30_000, interval: 2 });
      return readBatches(client.text()).map(({ id, events }) => [
        Number(id.split("-")[1]) - START,
        /"bid":([\d.]+)/.exec(events.join())?.[1],
      ]);
    };
    const round = (batches: (readonly (string | number | undefined)[])[]) =>
      batches.map(([at, bid]) => [Number(at).toFixed(3), bid]);
    const all = [
      ["1.501", "1.1"],
      ["1.991", "1.2"],
      ["3.301", "1.3"],
    ];
    expect(round(await read(null)).slice(1)).toEqual(all);
    const mark = /-(\w+)$/.exec(readBatches(await readText()).at(-1)?.id ?? "")?.[1] ?? "";
    expect(round(await read(`past-${START + 2}-${mark}`))).toEqual(all.slice(2));
    expect(round(await read(`past-${START + 1}.991-${mark}`))).toEqual(all.slice(2));
    expect(round(await read(`past-${START + 1}.990-${mark}`))).toEqual(all.slice(1));

    async function readText(): Promise<string> {
      const { client } = market.replay({ from: START + 1, to: START + 5, resolution: "tick" }, ["EURUSD"], BY_SOURCE);
      await vi.waitFor(() => expect(client.ending()).toBe("finished"), { timeout: 30_000, interval: 2 });
      return client.text();
    }
  });
});
