import { expect, test, vi } from "vitest";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import { instruments } from "@/lib/market/catalog";
import { silentLog } from "@/lib/platform/log/log";
import { openPrices } from "@/lib/runtime/prices";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const START_MS = Date.parse("2026-03-04T10:10:00Z");

test("No price that a clock dated while it was an hour ahead is served once it has come back", async () => {
  const realMs = performance.now();
  let [passedMs, setByMs] = [0, 0];
  const monotonic = () => performance.now() - realMs + passedMs;
  const shared = { priority: 0, symbols: null, aliases: {}, hours: null, expectedRate: null, secrets: {} };
  const feed = { name: "simulated", kind: "simulated", ...shared, settings: { seed: "test", trading: "always" } };
  const settings = { feeds: [feed], sourcePriority: [], file: null };
  const prices = openPrices({
    ...{ settings, log: silentLog, recorder: null, storedUntilMs: null, inlets: new Inlets() },
    ...{ dataDir: "/nowhere", instruments: { name: () => Promise.resolve() } },
    summariseGaps: () => ({ count: 0, latest: [] }),
    ...{ system: () => START_MS + monotonic() + setByMs, monotonic },
  });
  const dropped = new Set<string>();
  prices.onSources((_, names) => names.forEach((name) => dropped.add(name)));
  /** Sets the clock, and lets the minute pass after which it is followed. */
  const setClock = (ms: number) => {
    setByMs = ms;
    prices.marketNow();
    passedMs += 61 * SECOND_MS;
    return prices.marketNow();
  };
  const list = () => instruments.flatMap(({ symbol }) => prices.book.sources(symbol));
  const waitFor = (isThere: () => boolean) => vi.waitFor(() => expect(isThere()).toBe(true), { timeout: 30_000 });
  await prices.start(async () => {});
  await waitFor(() => prices.book.served("EURUSD")?.state === "live");
  expect(setClock(HOUR_MS)).toBeGreaterThan(START_MS + HOUR_MS);
  await waitFor(() => list().some(({ timeMs }) => timeMs > START_MS + HOUR_MS));
  const nowMs = setClock(0);
  expect(nowMs).toBeLessThan(START_MS + HOUR_MS);
  expect(list().filter(({ timeMs }) => timeMs > nowMs + 5_000)).toEqual([]);
  expect(dropped.size).toBeGreaterThan(0);
  await waitFor(() => prices.book.served("EURUSD")?.state === "live");
  await prices.stop();
});
