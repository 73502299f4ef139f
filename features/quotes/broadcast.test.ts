import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchBoard } from "@/features/quotes/broadcast";
import { type BoardRuntime, listInstruments, readFirstBoard } from "@/features/quotes/data";
import { readBoardChoice } from "@/features/quotes/read-choice";
import type { BoardUpdate } from "@/features/quotes/types";
import { createBook } from "@/lib/book/book";
import { dropInstruments, instrumentBySymbol, instruments, putInstruments } from "@/lib/market/catalog";
import type { TradingDay } from "@/lib/market/day-change";
import type { Instrument } from "@/lib/market/instrument";

const START = Date.UTC(2026, 0, 7, 12);
const BATCH_MS = 250;
const decoder = new TextDecoder();

function openBoard() {
  const book = createBook({ sources: [{ name: "alpha", mode: "simulated" }], now: Date.now });
  const days = new Map<string, TradingDay>();
  const history = {
    days: { load: async () => {}, read: (symbol: string) => days.get(symbol), readQuarters: () => [] },
  };
  const runtime: BoardRuntime = { book, history, marketNow: Date.now };
  const quote = (symbol: string, bid: number) => {
    const instrument = instrumentBySymbol.get(symbol);
    if (instrument === undefined) throw new Error(`${symbol} is not in the catalogue`);
    book.accept({ source: "alpha", instrument, bid, ask: bid + 0.001, timeMs: Date.now() });
  };
  const watch = (isWritable: () => boolean = () => true) => {
    const batches: string[][] = [];
    const sentDays: unknown[][] = [];
    const catalogs: string[] = [];
    const stop = watchBoard(runtime, {
      send(bytes) {
        if (!isWritable()) return false;
        const data = decoder.decode(bytes).split("data: ")[1] ?? "";
        const { message: update } = JSON.parse(data) as { message: BoardUpdate };
        batches.push(update.rows.map(([symbol]) => symbol));
        sentDays.push([...(update.days ?? [])]);
        if (update.catalog !== undefined) catalogs.push(update.catalog);
        return true;
      },
    });
    return { batches, sentDays, catalogs, stop };
  };
  return { runtime, quote, watch, days };
}

describe("watchBoard", () => {
  beforeEach(() => void vi.useFakeTimers({ now: START }));
  afterEach(() => void vi.useRealTimers());

  test("sends the whole board first, then only changed rows", () => {
    const { quote, watch } = openBoard();
    quote("EURUSD", 1.1);
    const { batches, stop } = watch();
    vi.advanceTimersByTime(BATCH_MS);
    quote("GBPUSD", 1.3);
    vi.advanceTimersByTime(BATCH_MS);
    expect(batches[0]).toEqual(["EURUSD"]);
    expect(batches.at(-1)).toEqual(["GBPUSD"]);
    stop();
  });

  test("sends every symbol's day first, then only days that changed", () => {
    const { quote, watch, days } = openBoard();
    const day = { startMs: START, previousClose: null, open: 1.1, high: 1.2, low: 1 };
    days.set("EURUSD", day);
    const { sentDays, stop } = watch();
    expect(sentDays).toEqual([[["EURUSD", START, null, 1.1, 1.2, 1]]]);
    vi.advanceTimersByTime(BATCH_MS);
    quote("EURUSD", 1.1);
    vi.advanceTimersByTime(BATCH_MS);
    expect(sentDays.at(-1)).toEqual([]);
    days.set("EURUSD", { ...day, high: 1.3 });
    vi.advanceTimersByTime(BATCH_MS);
    expect(sentDays.at(-1)).toEqual([["EURUSD", START, null, 1.1, 1.3, 1]]);
    stop();
  });

  test("tells the state of the catalog first, then each time that it has changed", () => {
    const { watch } = openBoard();
    const { catalogs, stop } = watch();
    vi.advanceTimersByTime(BATCH_MS * 40);
    putInstruments([{ ...(instrumentBySymbol.get("EURUSD") as Instrument), symbol: "PEPEUSD", category: "crypto" }]);
    vi.advanceTimersByTime(BATCH_MS);
    const listed = listInstruments();
    expect(catalogs).toHaveLength(2);
    expect(catalogs[1]).toBe(listed.catalog);
    expect(catalogs[0]).not.toBe(listed.catalog);
    expect(listed.instruments.at(-1)).toEqual(["PEPEUSD", "Euro vs US Dollar", 4, 5, 0.0001, "EUR,USD"]);
    dropInstruments(["PEPEUSD"]);
    expect(listInstruments().catalog).toBe(catalogs[0]);
    stop();
  });

  test("sends a row whose state changed by its age alone", () => {
    const { quote, watch } = openBoard();
    quote("EURUSD", 1.1);
    const { batches, stop } = watch();
    vi.advanceTimersByTime(BATCH_MS);
    const before = batches.length;
    vi.advanceTimersByTime(10_000);
    expect(batches.slice(before).flat()).toEqual(["EURUSD"]);
    stop();
  });

  test("sends an empty batch every five seconds without changes", () => {
    const { watch } = openBoard();
    const { batches, stop } = watch();
    vi.advanceTimersByTime(10_000);
    expect(batches).toEqual([[], [], []]);
    stop();
  });

  test("sends the whole board to a viewer that missed a batch", () => {
    const { quote, watch } = openBoard();
    let isWritable = true;
    const { batches, stop } = watch(() => isWritable);
    isWritable = false;
    quote("EURUSD", 1.1);
    vi.advanceTimersByTime(BATCH_MS);
    quote("GBPUSD", 1.3);
    vi.advanceTimersByTime(BATCH_MS);
    isWritable = true;
    vi.advanceTimersByTime(BATCH_MS);
    expect(batches.at(-1)?.toSorted()).toEqual(["EURUSD", "GBPUSD"]);
    stop();
  });

  test("stops its timer without viewers", () => {
    const { watch } = openBoard();
    const first = watch();
    const second = watch();
    first.stop();
    expect(vi.getTimerCount()).toBe(1);
    second.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("A long board", () => {
  const added = Array.from({ length: 1_000 }, (_, at) => `T${at}`);
  afterEach(() => dropInstruments(added));

  test("is rendered with the rows that are seen first, and with all where their prices sort them", () => {
    const { runtime, quote } = openBoard();
    const apple = instrumentBySymbol.get("AAPL") as Instrument;
    putInstruments(added.map((symbol) => ({ ...apple, symbol, aliases: [] })));
    for (const { symbol } of instruments) quote(symbol, 5);
    const read = (address: Record<string, string>) =>
      readFirstBoard(runtime, readBoardChoice(address), [
        { slug: "own", name: "Own", symbols: ["T7", "EURUSD"] },
      ]).rows.map(([symbol]) => symbol);
    expect(read({})).toEqual(instruments.slice(0, 80).map(({ symbol }) => symbol));
    expect(read({ show: "stocks", open: "T999" })).toHaveLength(81);
    expect(read({ list: "own" })).toEqual(["T7", "EURUSD"]);
    expect(read({ q: "t99" })).toEqual(expect.arrayContaining(["T99", "T990", "T999"]));
    expect(read({ sort: "symbol" })[0]).toBe("AAPL");
    expect(read({ sort: "-spread" })).toHaveLength(instruments.length);
  });
});
