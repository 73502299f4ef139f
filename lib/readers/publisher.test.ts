import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Quote } from "@/lib/feeds/intake";
import { silentLog } from "@/lib/platform/log/log";
import type { Changes, Snapshot } from "@/lib/readers/messages";
import { Publisher } from "@/lib/readers/publisher";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quote = (bid: number) => ({ source: "x", instrument: { symbol: "EURUSD" }, bid, ask: bid, timeMs: 1 }) as Quote;

test("Readers get a snapshot, then all changes in their order, each with the number of those before it", async () => {
  const publisher = new Publisher({
    book: { sources: () => [], findGapMs: () => undefined },
    listSources: () => [],
    isInPast: false,
    instruments: [],
    marketNow: () => 5,
    saveHistory: () => Promise.reject(new Error("no database")),
    lagMs: () => 0,
    everyMs: 10,
    log: silentLog,
  });
  const received: (Snapshot | Changes)[][] = [[], []];
  const readers = received.map((messages) => (message: Snapshot | Changes) => void messages.push(message));
  publisher.onQuote(quote(1));
  for (const reader of readers) await publisher.add(reader);
  publisher.onQuote(quote(2));
  publisher.onQuote(quote(3));
  publisher.history.onClosed(7);
  publisher.onSources([], new Set(["x"]));
  publisher.onQuote(quote(4));
  vi.advanceTimersByTime(10);
  vi.advanceTimersByTime(30);
  publisher.remove(readers[1] as (typeof readers)[number]);
  publisher.onQuote(quote(5));
  vi.advanceTimersByTime(10);
  publisher.stop();

  // Without changes they only learn that there are none.
  const [first = [], second = []] = received.map((messages) =>
    messages.filter((message) => message.type === "snapshot" || message.changes.length > 0),
  );
  expect(first.map(({ type, at }) => [type, at])).toEqual([
    ["snapshot", 0],
    ["changes", 0],
    ["changes", 5],
  ]);
  expect((first[1] as Changes).changes.map(({ type }) => type)).toEqual(["quotes", "closed", "sources", "quotes"]);
  expect(second).toEqual(first.slice(0, 2));
  expect(new Set(first.map(({ epoch }) => epoch)).size).toBe(1);
});
