import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchBoard } from "@/features/quotes/stream/broadcast";
import type { BoardRuntime } from "@/features/quotes/data";
import { createBook } from "@/lib/book/book";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";

const START = Date.UTC(2026, 0, 7, 12);
const BATCH_MS = 250;
const decoder = new TextDecoder();

function openBoard() {
  const book = createBook({ instruments, sources: [{ name: "alpha", mode: "simulated" }], now: Date.now });
  const runtime: BoardRuntime = { book, marketNow: Date.now };
  const quote = (symbol: string, bid: number) => {
    const instrument = instrumentBySymbol.get(symbol);
    if (instrument === undefined) throw new Error(`${symbol} is not in the catalogue`);
    book.accept({ source: "alpha", instrument, bid, ask: bid + 0.001, timeMs: Date.now() });
  };
  const watch = (listens: () => boolean = () => true) => {
    const heard: string[][] = [];
    const leave = watchBoard(runtime, {
      send(bytes) {
        if (!listens()) return false;
        const data = decoder.decode(bytes).split("data: ")[1] ?? "";
        heard.push((JSON.parse(data) as { rows: [string][] }).rows.map(([symbol]) => symbol));
        return true;
      },
    });
    return { heard, leave };
  };
  return { quote, watch };
}

describe("watchBoard", () => {
  beforeEach(() => void vi.useFakeTimers({ now: START }));
  afterEach(() => void vi.useRealTimers());

  test("sends the whole board first, and then only what changed", () => {
    const { quote, watch } = openBoard();
    quote("EURUSD", 1.1);
    const { heard, leave } = watch();
    vi.advanceTimersByTime(BATCH_MS);
    quote("GBPUSD", 1.3);
    vi.advanceTimersByTime(BATCH_MS);
    expect(heard[0]).toEqual(["EURUSD"]);
    expect(heard.at(-1)).toEqual(["GBPUSD"]);
    leave();
  });

  test("reports a price that only grew old", () => {
    const { quote, watch } = openBoard();
    quote("EURUSD", 1.1);
    const { heard, leave } = watch();
    vi.advanceTimersByTime(BATCH_MS);
    const before = heard.length;
    vi.advanceTimersByTime(10_000);
    expect(heard.slice(before).flat()).toEqual(["EURUSD"]);
    leave();
  });

  test("proves every five seconds that it is alive, even when nothing moves", () => {
    const { watch } = openBoard();
    const { heard, leave } = watch();
    vi.advanceTimersByTime(10_000);
    expect(heard).toEqual([[], [], []]);
    leave();
  });

  test("tells a viewer that fell behind everything once it listens again", () => {
    const { quote, watch } = openBoard();
    let listens = true;
    const { heard, leave } = watch(() => listens);
    listens = false;
    quote("EURUSD", 1.1);
    vi.advanceTimersByTime(BATCH_MS);
    quote("GBPUSD", 1.3);
    vi.advanceTimersByTime(BATCH_MS);
    listens = true;
    vi.advanceTimersByTime(BATCH_MS);
    expect(heard.at(-1)?.toSorted()).toEqual(["EURUSD", "GBPUSD"]);
    leave();
  });

  test("rests while nobody watches", () => {
    const { watch } = openBoard();
    const first = watch();
    const second = watch();
    first.leave();
    expect(vi.getTimerCount()).toBe(1);
    second.leave();
    expect(vi.getTimerCount()).toBe(0);
  });
});
