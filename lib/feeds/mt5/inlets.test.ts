import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { createMt5Feed } from "@/lib/feeds/mt5/mt5-kind";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tick = { source: "icm", brokerSymbol: "EURUSD", bid: 1, ask: 2, brokerTimeMs: 1_000, receivedAtMs: 1_000 };

function open() {
  const inlets = new Inlets();
  const feed = createMt5Feed({ name: "icm", inlets, monotonic: () => Date.now() });
  return { inlets, feed, ...collect(0) };
}

test("A feed is connected while batches come, with ticks or without, and disconnected by their silence.", async () => {
  const { inlets, feed, sink, statuses, ticks } = open();
  await feed.start(sink);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statuses).toEqual([]);
  inlets.deliver("icm", [tick, tick], 0);
  await vi.advanceTimersByTimeAsync(15_000);
  inlets.deliver("icm", [], 0);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(statuses).toEqual(["icm connected the terminal sends"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(statuses).toEqual(["icm connected the terminal sends", "icm disconnected the terminal sends nothing"]);
  expect(ticks).toHaveLength(2);
  await feed.stop();
  inlets.deliver("icm", [tick], 0);
  expect(ticks).toHaveLength(2);
});

test("Ticks wait a few seconds for a feed that is started again, and others get none of them.", async () => {
  const { inlets, feed, sink, ticks } = open();
  inlets.deliver("icm", [tick], 1_000);
  inlets.deliver("another", [tick], 1_000);
  inlets.deliver("icm", [{ ...tick, receivedAtMs: 15_000 }], 15_000);
  await feed.start(sink);
  expect(ticks).toEqual([{ ...tick, receivedAtMs: 15_000 }]);
  await feed.stop();
});
