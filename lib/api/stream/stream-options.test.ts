import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { EventParser, type StreamEvent } from "@/e2e/support/event-client";
import { CALL, createReader, endStreams, KEY, setUpStreams, SYMBOLS } from "@/lib/api/stream/price-streams.fixture";
import { eventFormat, messageFormat } from "@/lib/api/stream/stream-format";
import { createOptions, optionParams } from "@/lib/api/stream/stream-options";

afterEach(endStreams);

const schema = z.object(optionParams);
const read = (params: Record<string, string>) => createOptions(schema.parse(params));
const parse = (text: string): StreamEvent[] => new EventParser().push(text);
const listData = (text: string, name: string) =>
  parse(text)
    .filter((event) => event.name === name)
    .map(({ data }) => data as Record<string, unknown>);

function openWith(params: Record<string, string>, symbols: readonly string[] = ["EURUSD"], format = eventFormat) {
  const scene = setUpStreams();
  const client = createReader(format);
  const open = (reader = client, position: string | null = null) => {
    const stream = scene.streams.admit({ key: KEY, call: CALL }, symbols, read(params));
    stream.open(reader.reader, position);
    return stream;
  };
  return { ...scene, client, open };
}

describe("The options of a stream", () => {
  test.each([
    { fields: "" },
    { fields: "bid,colour" },
    { sources: "" },
    { sources: "a b" },
    { bars: "5s" },
    { events: "huge" },
    { events: "" },
    {
      events: Array.from(
        { length: 60 },
        (_, at) => `a${String.fromCharCode(97 + (at % 26))}${String.fromCharCode(97 + Math.floor(at / 26))}`,
      ).join(),
    },
  ])("%j are refused", (params) => expect(schema.safeParse(params).success).toBe(false));

  test("are the same for the same words in any order and case", () => {
    expect(read({ fields: "ask,bid", events: "USD, high" }).mark).toBe(
      read({ fields: "bid,ask,bid", events: "high,usd" }).mark,
    );
    expect(read({ fields: "ask,bid" }).fields).toBe(read({ fields: "bid,ask" }).fields);
    expect(read({ fields: "bid" }).mark).not.toBe(read({}).mark);
  });
});

describe("A stream with fields", () => {
  test("has these fields and the symbol, and is written once for all readers of the same", async () => {
    const { open, client, tick } = openWith({ fields: "ask,bid" });
    tick("EURUSD", 1);
    open();
    expect(listData(client.text(), "snapshot")[0]).toMatchObject({ quotes: [{ symbol: "EURUSD", bid: 1, ask: 2 }] });
    tick("EURUSD", 3);
    await vi.waitFor(() => expect(listData(client.text(), "quote")).toEqual([{ symbol: "EURUSD", bid: 3, ask: 4 }]));
  });

  test("shares its bytes with its like alone", async () => {
    const { open, streams, tick } = openWith({ fields: "bid" }, SYMBOLS, messageFormat);
    const written: Buffer[] = [];
    const others: Buffer[] = [];
    const createWriter = (list: Buffer[]) => {
      const client = createReader(messageFormat);
      return { ...client, reader: { ...client.reader, write: (bytes: Buffer) => void list.push(bytes) } };
    };
    for (let index = 0; index < 5; index++) open(createWriter(written));
    streams.admit({ key: { ...KEY }, call: CALL }, SYMBOLS).open(createWriter(others).reader, null);
    written.length = others.length = 0;
    tick("EURUSD", 1);
    await vi.waitFor(() => expect([written.length, others.length]).toEqual([5, 1]));
    expect(new Set(written).size).toBe(1);
    expect(others[0]?.toString()).toContain('"source":"first"');
    expect(written[0]?.toString()).not.toContain("source");
  });
});

describe("A stream of sources", () => {
  test("has each source's own price and state, also of one that comes later", async () => {
    const { open, client, tick } = openWith({ sources: "all", fields: "bid" });
    tick("EURUSD", 1);
    open();
    expect(listData(client.text(), "snapshot")).toEqual([
      {
        quotes: [{ symbol: "EURUSD", source: "first", bid: 1 }],
        states: [{ symbol: "EURUSD", source: "first", state: "live", data_mode: "live" }],
      },
    ]);
    tick("EURUSD", 5, "second");
    await vi.waitFor(() =>
      expect(listData(client.text(), "quote")).toEqual([{ symbol: "EURUSD", source: "second", bid: 5 }]),
    );
    expect(listData(client.text(), "state")).toMatchObject([{ source: "second", state: "live" }]);
  });

  test("has the chosen sources alone, and tells when one is removed", async () => {
    const { open, client, tick, book } = openWith({ sources: "second" });
    tick("EURUSD", 1);
    tick("EURUSD", 2, "second");
    open();
    expect(listData(client.text(), "snapshot")[0]?.quotes).toMatchObject([{ source: "second", bid: 2 }]);
    book.setSources([{ name: "first", mode: "live" }], new Set());
    await vi.waitFor(() =>
      expect(listData(client.text(), "state")).toMatchObject([{ source: "second", state: "none" }]),
    );
  });
});

describe("A stream with bars", () => {
  test("has the bar of each second once it is over, but not of the one that it began in", async () => {
    const { open, client, tick, pass } = openWith({ bars: "1s" });
    pass(0.5);
    open();
    for (const bid of [5, 9, 3, 4]) tick("EURUSD", bid);
    tick("EURUSD", 100, "second");
    pass(1);
    tick("EURUSD", 7);
    pass(1);
    await vi.waitFor(() => expect(listData(client.text(), "bar")).toHaveLength(2));
    expect(listData(client.text(), "bar")).toMatchObject([
      { symbol: "EURUSD", open: 5, high: 9, low: 3, close: 4, volume: 4 },
      { open: 7, high: 7, low: 7, close: 7, volume: 1 },
    ]);
  });

  test("has no bar twice and misses none when it comes back, wherever it was cut", () => {
    const { open, tick, pass } = openWith({ bars: "1s", events: "all" }, SYMBOLS);
    const bars = new Map<string, unknown>();
    let position: string | null = null;
    let received = 0;
    for (let round = 0; round < 40; round++) {
      const client = createReader();
      const stream = open(client, position);
      stream.close();
      const parser = new EventParser();
      const text = client.text();
      // A cut at any byte leaves out the rest, with the position of what it had.
      const cutAt = round % 4 === 0 ? text.length : (round * 131) % (text.length + 1);
      for (const { name, data } of parser.push(text.slice(0, cutAt))) {
        if (name !== "bar") continue;
        const { symbol, time } = data as { symbol: string; time: string };
        bars.set(`${symbol} ${time}`, data);
        received++;
      }
      position = parser.lastId ?? position;
      tick("EURUSD", round);
      tick("XAUUSD", round);
      pass(1);
    }
    const client = createReader();
    open(client, position);
    for (const data of listData(client.text(), "bar")) bars.set(`${String(data.symbol)} ${String(data.time)}`, data);
    expect(client.text()).not.toContain("snapshot");
    // Every second from the first whole one on, of both symbols.
    expect(bars.size).toBe(80);
    expect(received).toBeGreaterThan(20);
  });
});

describe("A stream with events", () => {
  test("has each figure that is released or corrected after it began, of the chosen kinds", async () => {
    const { open, client, release, pass } = openWith({ events: "high,USD" });
    release("old", "1.0");
    open();
    release("cpi", "2.0");
    release("small", "3.0", { impact: "low" });
    release("other", "4.0", { currency: "EUR" });
    pass(1);
    await vi.waitFor(() => expect(listData(client.text(), "release")).toMatchObject([{ id: "cpi", actual: "2.0" }]));
    release("cpi", "2.1");
    pass(1);
    await vi.waitFor(() =>
      expect(listData(client.text(), "release").map(({ actual }) => actual)).toEqual(["2.0", "2.1"]),
    );
  });

  test("has what was released while nobody read when it comes back", () => {
    const { open, client, release, pass } = openWith({ events: "all" });
    const stream = open();
    stream.close();
    const position = /^id: (.*)$/m.exec(client.text())?.[1] ?? "";
    release("cpi", "2.0");
    pass(5);
    const back = createReader();
    open(back, position);
    expect(listData(back.text(), "release")).toMatchObject([{ id: "cpi" }]);
  });
});

test("A position of other options begins anew", () => {
  const { open, streams, client, tick } = openWith({ fields: "bid" });
  tick("EURUSD", 1);
  open();
  const position = /^id: (.*)$/m.exec(client.text())?.[1] ?? "";
  const other = createReader();
  streams.admit({ key: { ...KEY }, call: CALL }, ["EURUSD"], read({ fields: "ask" })).open(other.reader, position);
  expect(other.text()).toContain("event: snapshot");
});
