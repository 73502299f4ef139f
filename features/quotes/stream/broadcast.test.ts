import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BoardRuntime } from "@/features/quotes/data";
import { watchBoard } from "@/features/quotes/stream/broadcast";
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
  const watch = (isWritable: () => boolean = () => true) => {
    const batches: string[][] = [];
    const stop = watchBoard(runtime, {
      send(bytes) {
        if (!isWritable()) return false;
        const data = decoder.decode(bytes).split("data: ")[1] ?? "";
        batches.push((JSON.parse(data) as { rows: [string][] }).rows.map(([symbol]) => symbol));
        return true;
      },
    });
    return { batches, stop };
  };
  return { quote, watch };
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
