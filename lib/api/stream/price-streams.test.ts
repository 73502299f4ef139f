import { afterEach, describe, expect, test, vi } from "vitest";
import { EventParser, Holding } from "@/e2e/support/event-client";
import { countUsedToday, createDayWindow } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { createMinuteWindow } from "@/lib/access/admission/minute-window";
import { localWindows } from "@/lib/access/admission/windows";
import { getEntitlements } from "@/lib/access/plans";
import { createSymbolList } from "@/lib/access/symbol-list";
import type { Call } from "@/lib/api/engine/call";
import type { Services } from "@/lib/api/engine/services";
import { STALE_PRICES } from "@/lib/api/engine/stale-prices";
import { createUpkeep, PriceStreams } from "@/lib/api/stream/price-streams";
import {
  CALL,
  createReader,
  endStreams,
  KEY,
  NO_EVENTS,
  setUpStreams,
  SYMBOLS,
} from "@/lib/api/stream/price-streams.fixture";
import { eventFormat, messageFormat } from "@/lib/api/stream/stream-format";
import { setUp, WEDNESDAY } from "@/lib/book/book.fixture";
import { dropInstruments, instrumentBySymbol, instruments, putInstruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { MINUTE_MS } from "@/lib/time/units";

afterEach(endStreams);

function hold(texts: readonly string[]): Holding {
  const parser = new EventParser();
  const holding = new Holding();
  for (const event of parser.push(texts.join(""))) holding.apply(event);
  return holding;
}

const readBids = ({ quotes }: Holding) => Object.fromEntries([...quotes].map(([symbol, { bid }]) => [symbol, bid]));

describe("A stream", () => {
  test("begins with a snapshot, then has each change with the text of /v1/quote", async () => {
    const { book, streams, tick } = setUpStreams();
    tick("EURUSD", 1);
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, null);
    expect(client.text()).toContain(`event: snapshot\ndata: {"quotes":[${book.served("EURUSD")?.json}],"states":[`);
    expect(client.text()).toContain('{"symbol":"GBPUSD","state":"none","data_mode":null}');
    tick("GBPUSD", 2);
    await vi.waitFor(() => expect(client.text()).toContain(`event: quote\ndata: ${book.served("GBPUSD")?.json}\n\n`));
    expect(client.text()).toContain('event: state\ndata: {"symbol":"GBPUSD","state":"live","data_mode":"live"}\n\n');
  });

  test("tells when a quote becomes delayed, without its quote once more", async () => {
    const { streams, tick, pass } = setUpStreams();
    tick("EURUSD", 1);
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, ["EURUSD"]).open(client.reader, null);
    pass(20);
    await vi.waitFor(() => expect(client.written.at(-1)).toContain('"state":"delayed"'));
    expect(client.written.at(-1)).not.toContain("event: quote");
  });

  test("has the gaps that ended since the position of a stream of another process, after its snapshot", () => {
    for (const format of [eventFormat, messageFormat]) {
      const before = setUpStreams();
      before.tick("EURUSD", 1);
      const first = createReader(format);
      before.streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(first.reader, null);
      const position = /(?:id: |"id":")([^"\n]+)/.exec(first.text())?.[1] ?? "";
      const { streams, gaps, now } = setUpStreams();
      const gap = (source: string, atMs: number) => ({
        source,
        fromMs: atMs - 40_000,
        toMs: atMs,
        reason: "stopped" as const,
      });
      gaps.ended = [gap("old", now() - 10_000), gap("first", now() + 1_000), gap("second", now() + 2_000)];
      const read = (symbols: readonly string[], from: string | null) => {
        const client = createReader(format);
        streams.admit({ key: KEY, call: CALL }, symbols).open(client.reader, from);
        return [...client.text().matchAll(/snapshot|"source":"(first|second|old)","from"/g)].map(
          ([text, source]) => source ?? text,
        );
      };
      expect(read(SYMBOLS, position)).toEqual(["snapshot", "first", "second"]);
      expect(read(SYMBOLS, null)).toEqual(["snapshot"]);
      expect(read(["EURUSD"], position)).toEqual(["snapshot"]);
    }
  });

  test("is written once for all readers of the same symbols", async () => {
    const { streams, tick } = setUpStreams();
    const clients = Array.from({ length: 20 }, () => createReader(messageFormat));
    const written: Buffer[] = [];
    for (const { reader } of clients) {
      const kept = { ...reader, write: (bytes: Buffer) => void written.push(bytes) };
      streams.admit({ key: { ...KEY, id: String(written.length) }, call: CALL }, SYMBOLS).open(kept, null);
    }
    written.length = 0;
    tick("EURUSD", 1);
    await vi.waitFor(() => expect(written).toHaveLength(20));
    expect(new Set(written).size).toBe(1);
  });

  test("reads the book only while a stream is open, and only for the symbols that changed", async () => {
    const { streams, tick, reads } = setUpStreams();
    tick("EURUSD", 1);
    expect(reads).toEqual([]);
    const client = createReader();
    const stream = streams.admit({ key: KEY, call: CALL }, SYMBOLS);
    stream.open(client.reader, null);
    stream.close();
    reads.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(reads).toEqual([]);
  });
});

describe("A stream of all symbols", () => {
  const EVERY = { name: "all", has: () => true };
  const CRYPTO = createSymbolList(["crypto"]);
  const add = (symbol: string, category: Instrument["category"]) =>
    putInstruments([{ ...(instrumentBySymbol.get("EURUSD") as Instrument), symbol, category }]);

  afterEach(() => dropInstruments(["PEPEUSD", "EURPLN"]));

  test("has the symbols that the catalog gets while it is open, and continues with them", async () => {
    const { book, streams, tick } = setUpStreams();
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, EVERY).open(client.reader, null);
    add("PEPEUSD", "crypto");
    streams.onInstruments();
    tick("PEPEUSD", 4);
    await vi.waitFor(() => expect(client.text()).toContain(`event: quote\ndata: ${book.served("PEPEUSD")?.json}\n\n`));
    const position = /id: (\S+)/.exec(client.written.at(-1) ?? "")?.[1] ?? "";
    tick("PEPEUSD", 5);
    const later = createReader();
    streams.admit({ key: { ...KEY }, call: CALL }, EVERY).open(later.reader, position);
    await vi.waitFor(() => expect(readBids(hold(later.written))).toEqual({ PEPEUSD: 5 }));
    expect(later.text()).not.toContain("event: snapshot");
  });

  test("has new symbols of the categories that its key may read, and no others", async () => {
    const { streams, tick } = setUpStreams();
    const client = createReader();
    const key = { ...KEY, symbols: CRYPTO } as KeyEntry;
    streams.admit({ key, call: CALL }, { name: "crypto", has: CRYPTO.has }).open(client.reader, null);
    add("PEPEUSD", "crypto");
    add("EURPLN", "forex");
    streams.onInstruments();
    tick("EURPLN", 4);
    tick("PEPEUSD", 5);
    await vi.waitFor(() => expect(readBids(hold(client.written))).toEqual({ PEPEUSD: 5 }));
    expect(client.text()).not.toContain("EURPLN");
  });
});

describe("A reader that does not read", () => {
  test.each([
    [eventFormat, 'event: skipped\ndata: {"changes":4,"exact":true}\n\n'],
    [messageFormat, '{"type":"skipped","changes":4,"exact":true}'],
  ])("is told how many changes it did not get, and one that reads is told nothing", async (format, expected) => {
    const { streams, tick } = setUpStreams();
    const [slow, quick] = [createReader(format), createReader(format)];
    slow.stall();
    streams.admit({ key: KEY, call: CALL }, ["EURUSD", "GBPUSD"]).open(slow.reader, null);
    streams.admit({ key: { ...KEY }, call: CALL }, SYMBOLS).open(quick.reader, null);
    const send = async (symbol: string, bid: number) => {
      tick(symbol, bid);
      await vi.waitFor(() => expect(quick.text()).toContain(`"symbol":"${symbol}","bid":${bid}`));
    };
    for (let bid = 1; bid <= 4; bid++) await send("EURUSD", bid);
    for (let bid = 5; bid <= 6; bid++) await send("GBPUSD", bid);
    await send("XAUUSD", 7);
    await send("XAUUSD", 8);
    slow.drain();
    await vi.waitFor(() => expect(slow.text()).toContain('"bid":4'));
    expect(slow.written).toContain(expected);
    expect(quick.text()).not.toContain("skipped");
  });

  test("gets the newest price of each symbol when it reads again, and nothing in between", async () => {
    const { streams, tick } = setUpStreams();
    const client = createReader();
    const other = createReader();
    client.stall();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, null);
    streams.admit({ key: { ...KEY }, call: CALL }, SYMBOLS).open(other.reader, null);
    const waiting = client.waiting();
    for (let bid = 1; bid <= 50; bid++) {
      for (const symbol of SYMBOLS) tick(symbol, bid);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await vi.waitFor(() => expect(readBids(hold(other.written))).toEqual({ EURUSD: 50, GBPUSD: 50, XAUUSD: 50 }));
    expect(client.waiting()).toBe(waiting);
    expect(client.written).toHaveLength(1);
    client.drain();
    await vi.waitFor(() => expect(readBids(hold(client.written))).toEqual({ EURUSD: 50, GBPUSD: 50, XAUUSD: 50 }));
    expect(client.text().match(/event: quote/g)).toHaveLength(3);
  });

  test("is closed after a time", async () => {
    const { streams } = setUpStreams(300);
    const client = createReader();
    client.stall();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, null);
    await vi.waitFor(() => expect(client.ending()).toBe("destroyed"), 2_000);
    expect(streams.size).toBe(0);
  });
});

describe("A reader that comes back", () => {
  test("holds what the book has, wherever its connection was cut", async () => {
    const { book, streams, tick } = setUpStreams();
    const holding = new Holding();
    let position: string | null = null;
    let bid = 0;
    for (let round = 0; round < 120; round++) {
      const client = createReader();
      const stream = streams.admit({ key: KEY, call: CALL }, SYMBOLS);
      stream.open(client.reader, position);
      for (let change = 0; change < round % 4; change++) tick(SYMBOLS[(round + change) % 3] as string, ++bid);
      if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 25));
      stream.close();
      for (let change = 0; change < round % 3; change++) tick(SYMBOLS[(bid * 7) % 3] as string, ++bid);
      const parser = new EventParser();
      const text = client.text();
      for (const event of parser.push(text.slice(0, (round * 37) % (text.length + 1)))) holding.apply(event);
      position = parser.lastId ?? position;
    }
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, position);
    for (const event of new EventParser().push(client.text())) holding.apply(event);
    expect(bid).toBeGreaterThan(100);
    expect(position).not.toBeNull();
    for (const symbol of SYMBOLS) {
      const { json = "null", state } = book.served(symbol) ?? {};
      expect(holding.quotes.get(symbol)).toEqual(JSON.parse(json));
      expect(holding.states.get(symbol)).toBe(state);
    }
  });

  test("gets only what has changed since, and nothing if nothing has", () => {
    const { streams, tick } = setUpStreams();
    for (const symbol of SYMBOLS) tick(symbol, 1);
    const first = createReader();
    const stream = streams.admit({ key: KEY, call: CALL }, SYMBOLS);
    stream.open(first.reader, null);
    const position = /^id: (.*)$/m.exec(first.text())?.[1] ?? "";
    stream.close();
    const unchanged = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(unchanged.reader, position);
    expect(unchanged.written).toEqual([]);
    tick("GBPUSD", 2);
    const changed = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(changed.reader, position);
    expect(changed.text()).not.toContain("snapshot");
    expect(readBids(hold(changed.written))).toEqual({ GBPUSD: 2 });
  });

  test.each(["", "x", "a-b-c", "-1--1-", "9".repeat(5_000), "\u0000", "ffffffffffff-1-0"])(
    "with the unknown position %j gets everything",
    (position) => {
      const { streams } = setUpStreams();
      const client = createReader();
      streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, position);
      expect(client.text()).toContain("event: snapshot");
    },
  );

  test("for other symbols, or from the future, gets everything", () => {
    const { streams, tick } = setUpStreams();
    tick("EURUSD", 1);
    const first = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(first.reader, null);
    const position = /^id: (.*)$/m.exec(first.text())?.[1] ?? "";
    const [epoch, at, mark] = position.split("-");
    for (const [symbols, id] of [
      [["EURUSD"], position],
      [SYMBOLS, `${epoch}-${Number(at) + 1}-${mark}`],
      [SYMBOLS, `${epoch}-1e1-${mark}`],
    ] as const) {
      const client = createReader();
      streams.admit({ key: KEY, call: CALL }, symbols).open(client.reader, id);
      expect(client.text()).toContain("event: snapshot");
    }
  });
});

describe("The streams of a server", () => {
  afterEach(() => void vi.useRealTimers());

  test("are at most as many for a key as its plan allows", () => {
    const { streams } = setUpStreams();
    const key = { ...KEY, entitlements: getEntitlements("free", "standard") };
    void streams.reserve(key);
    const stream = streams.admit({ key, call: CALL }, SYMBOLS);
    expect(() => streams.reserve(key)).toThrow("may have 1 open stream");
    stream.close();
    expect(() => streams.reserve(key)).not.toThrow();
  });

  test("end with the server, with a reason, and no more begin", () => {
    const { streams } = setUpStreams();
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, null);
    streams.endAll();
    expect(client.ending()).toBe("SERVICE_UNAVAILABLE");
    expect(streams.size).toBe(0);
    expect(() => streams.admit({ key: KEY, call: CALL }, SYMBOLS)).toThrow("The server stops.");
  });

  test("end while its prices are too old, and none begins until they are new again", () => {
    vi.useFakeTimers();
    const { streams, setStale } = setUpStreams();
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, null);
    setStale(true);
    expect(() => streams.reserve(KEY)).toThrow(STALE_PRICES);
    expect(() => streams.admit({ key: KEY, call: CALL }, SYMBOLS)).toThrow(STALE_PRICES);
    vi.advanceTimersByTime(1_500);
    expect([client.ending(), streams.size]).toEqual(["SERVICE_UNAVAILABLE", 0]);
    setStale(false);
    expect(() => streams.reserve(KEY)).not.toThrow();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(createReader().reader, null);
    vi.advanceTimersByTime(5_000);
    expect(streams.size).toBe(1);
  });

  test("go on when a lost change is replaced within a moment", () => {
    vi.useFakeTimers();
    const { streams, setStale } = setUpStreams();
    const client = createReader();
    streams.admit({ key: KEY, call: CALL }, SYMBOLS).open(client.reader, null);
    for (let loss = 0; loss < 3; loss++) {
      setStale(true);
      vi.advanceTimersByTime(800);
      setStale(false);
      vi.advanceTimersByTime(800);
    }
    expect([client.ending(), streams.size]).toEqual([null, 1]);
  });
});

/** Streams of one key, with a clock that the test moves. */
function setUpUpkeep(limits: Partial<KeyEntry> = {}) {
  let passedMs = 0;
  const counted: string[] = [];
  const { book, now } = setUp();
  const streams = new PriceStreams({
    book,
    calendar: NO_EVENTS,
    gaps: { ended: [] },
    instruments,
    marketNow: now,
    monotonic: () => passedMs,
    isStale: () => false,
  });
  const services = {
    now: () => WEDNESDAY + passedMs,
    directory: { lastSyncAtMs: Infinity },
    windows: localWindows,
    usage: {
      count: (_: unknown, path: string, status: number, credits: number) =>
        counted.push(`${path} ${status} ${credits}`),
    },
  } as unknown as Services;
  const key = {
    account: { suspended: false },
    allowList: null,
    symbols: null,
    endpoints: null,
    scopes: new Set(["all"]),
    entitlements: getEntitlements("pro", "standard"),
    expiresAtMs: Infinity,
    perMinute: 10,
    perDay: 1_000,
    ownPerDay: 1_000,
    minute: createMinuteWindow(),
    day: createDayWindow(),
    ownDay: null,
    ...limits,
  } as KeyEntry;
  const endings: string[] = [];
  const call = { address: () => null, search: "", header: () => undefined } as unknown as Call;
  const open = () => {
    const end = (reason: { code: string }) => void endings.push(reason.code);
    const stream = streams.admit({ key, call }, ["EURUSD"]);
    stream.open({ format: eventFormat, countWaiting: () => 0, write() {}, finish() {}, end, destroy() {} }, null);
    return stream;
  };
  const upkeep = createUpkeep(services, () => passedMs);
  const pass = async (ms: number) => {
    passedMs += ms;
    const opened = new Set(all);
    upkeep(opened);
    await Promise.resolve();
    await Promise.resolve();
  };
  const all: ReturnType<typeof open>[] = [];
  return {
    key,
    counted,
    endings,
    open: () => void all.push(open()),
    pass,
    now: services.now,
    close: () => streams.endAll(),
  };
}

test("Each further minute of a stream counts as one call and one credit", async () => {
  const { open, pass, counted, key, now, close } = setUpUpkeep();
  open();
  await pass(MINUTE_MS - 1);
  expect(counted).toEqual([]);
  await pass(1);
  await pass(1);
  expect(counted).toEqual(["/v1/stream 200 1"]);
  for (let minute = 0; minute < 5; minute++) await pass(MINUTE_MS);
  expect(counted).toHaveLength(6);
  expect(countUsedToday(key.day, now())).toBe(6);
  close();
});

test("A stream ends when the calls of the day are used up", async () => {
  const { open, pass, endings, close } = setUpUpkeep({ perDay: 2 });
  open();
  for (let minute = 0; minute < 3; minute++) await pass(MINUTE_MS);
  expect(endings).toEqual(["QUOTA_EXCEEDED"]);
  close();
});

test("A minute that the calls of the minute hold up is counted later, or the stream ends", async () => {
  const { open, pass, endings, counted, key, close } = setUpUpkeep({ perMinute: 1 });
  open();
  const useUp = () => Object.assign(key.minute, { startedAtMs: Infinity, used: 1 });
  useUp();
  await pass(MINUTE_MS);
  expect([counted, endings]).toEqual([[], []]);
  Object.assign(key.minute, createMinuteWindow());
  await pass(1_000);
  expect(counted).toHaveLength(1);
  for (let second = 0; second < 4 * 60; second++) {
    useUp();
    await pass(1_000);
  }
  expect(endings).toEqual(["RATE_LIMIT_EXCEEDED"]);
  close();
});

test("A stream ends when its key has more than its plan allows now, the newest first", async () => {
  const { open, pass, endings, key, close } = setUpUpkeep();
  for (let stream = 0; stream < 3; stream++) open();
  key.entitlements = { ...key.entitlements, streams: 2 };
  await pass(200);
  expect(endings).toEqual(["TOO_MANY_STREAMS"]);
  close();
});
