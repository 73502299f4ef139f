import { describe, expect, test } from "vitest";
import { BarStore, withQuote } from "@/features/symbols/bar-store";
import type { BarPage, WireBar } from "@/features/symbols/types";

const bar = (timeMs: number, close = timeMs): WireBar => [timeMs, 1, 9, 0, close, 1];
const page = (times: number[], hasOlder = false): BarPage => ({
  bars: times.map((timeMs) => bar(timeMs)),
  isForming: false,
  hasOlder,
  values: { RSI_14: times.map((timeMs) => timeMs * 10) },
});
const times = (store: BarStore) => store.bars.map(([timeMs]) => timeMs);

describe("the loaded bars", () => {
  test("older bars come before the first one, and none comes twice", () => {
    const store = new BarStore(page([30, 40], true));
    store.prepend(page([10, 20, 30], false));
    expect(times(store)).toEqual([10, 20, 30, 40]);
    expect(store.getValues("RSI_14")).toEqual([100, 200, 300, 400]);
    expect(store.hasOlder).toBe(false);
  });

  test("a newer form of the last bar replaces it", () => {
    const store = new BarStore(page([10, 20]));
    expect(store.apply(bar(20, 7))).toBe("changed");
    expect(store.bars).toEqual([bar(10), bar(20, 7)]);
  });

  test("the first bar of a new span opens, without a value of any indicator", () => {
    const store = new BarStore(page([10, 20]));
    expect(store.apply(bar(30))).toBe("opened");
    expect(times(store)).toEqual([10, 20, 30]);
    expect(store.getValues("RSI_14")).toEqual([100, 200, null]);
  });

  test("a bar before the last one changes nothing", () => {
    const store = new BarStore(page([10, 20]));
    expect(store.apply(bar(10, 5))).toBe("ignored");
    expect(store.bars).toEqual([bar(10), bar(20)]);
  });

  test("the newest bars are replaced from the first of a page on, and older ones stay", () => {
    const store = new BarStore(page([10, 20, 30]));
    store.replaceNewest({ ...page([20, 30, 40]), values: { RSI_14: [2, 3, null] } });
    expect(times(store)).toEqual([10, 20, 30, 40]);
    expect(store.getValues("RSI_14")).toEqual([100, 2, 3, null]);
  });

  test("an empty page of newest bars changes nothing", () => {
    const store = new BarStore(page([10]));
    store.replaceNewest(page([]));
    expect(times(store)).toEqual([10]);
  });
});

describe("a quote in the newest bar", () => {
  const newest: WireBar = [1_000, 1.2, 1.4, 1.1, 1.3, 5];

  test("it is the close, and the high or the low where it is beyond them", () => {
    expect(withQuote(newest, { bid: 1.5, ask: 1.5 + 0.2, timeMs: 1_500 }, 2_000, "bid")).toEqual([
      1_000, 1.2, 1.5, 1.1, 1.5, 5,
    ]);
    expect(withQuote(newest, { bid: 1.0, ask: 1.0 + 0.2, timeMs: 1_500 }, 2_000, "bid")).toEqual([
      1_000, 1.2, 1.4, 1.0, 1.0, 5,
    ]);
    expect(withQuote(newest, { bid: 1.25, ask: 1.25 + 0.2, timeMs: 1_500 }, 2_000, "bid")).toEqual([
      1_000, 1.2, 1.4, 1.1, 1.25, 5,
    ]);
    expect(withQuote(newest, { bid: 1.25, ask: 1.75, timeMs: 1_500 }, 2_000, "mid")[4]).toBe(1.5);
  });

  test("a quote from before the bar or after its end changes nothing", () => {
    expect(withQuote(newest, { bid: 1.5, ask: 1.5 + 0.2, timeMs: 999 }, 2_000, "bid")).toBe(newest);
    expect(withQuote(newest, { bid: 1.5, ask: 1.5 + 0.2, timeMs: 2_000 }, 2_000, "bid")).toBe(newest);
    expect(withQuote(newest, null, 2_000, "bid")).toBe(newest);
  });
});
