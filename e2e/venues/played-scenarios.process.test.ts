import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Venue, VenueOptions } from "@/e2e/venues/kit/open-venue";
import { open } from "@/e2e/venues/kit/testing.fixture";
import { readVenueFile } from "@/e2e/venues/kit/venue-file";
import { collect } from "@/lib/feeds/collect.fixture";
import { createWebSocketFeed, type WebSocketVenue } from "@/lib/feeds/live/web-socket-feed";
import { binance } from "@/lib/feeds/venues/binance";
import { coinbase } from "@/lib/feeds/venues/coinbase";
import { deriv } from "@/lib/feeds/venues/deriv";
import { kraken } from "@/lib/feeds/venues/kraken";
import { massive } from "@/lib/feeds/venues/massive";
import { tiingo } from "@/lib/feeds/venues/tiingo";
import { traderMade } from "@/lib/feeds/venues/tradermade";
import { twelveData } from "@/lib/feeds/venues/twelve-data";
import { silentLog } from "@/lib/platform/log/log";
import { SECOND_MS } from "@/lib/time/units";

/** Connectors with the symbols of the scenarios; contract.process.test.ts has the rest of what each of them promises. */
const CONNECTORS: readonly (readonly [name: string, venue: WebSocketVenue, symbols: readonly string[]])[] = [
  ["binance", binance, ["BTCUSDT"]],
  ["coinbase", coinbase, ["BTC-USD", "ETH-USD"]],
  ["deriv", deriv, ["frxEURUSD", "frxXAUUSD"]],
  ["kraken", kraken, ["BTC/USD", "ETH/USD"]],
  ["massive", massive, ["EUR/USD", "XAU/USD"]],
  ["tiingo", tiingo, ["eurusd"]],
  ["tradermade", traderMade, ["EURUSD"]],
  ["twelve-data", twelveData, ["EUR/USD", "XAU/USD"]],
];

const TOKEN = "a-secret-token";

async function connect(name: string, venue: WebSocketVenue, symbols: readonly string[], options: VenueOptions) {
  const server: Venue = await open({ timeScale: 0.001, scenario: readVenueFile(name), ...options });
  const { pathname, search } = new URL(venue.getUrl({ symbols, token: TOKEN }));
  const { sink, ticks, statuses } = collect(0);
  const feed = createWebSocketFeed(venue, {
    ...{ name, symbols, token: TOKEN, url: server.url + pathname + search },
    ...{ now: Date.now, monotonic: () => performance.now(), random: () => 0, recorder: null },
    log: silentLog,
    times: { silenceMs: 500, retryMs: 5, maxRetryMs: 20 },
  });
  onTestFinished(() => feed.stop());
  await feed.start(sink);
  return { server, feed, ticks, statuses };
}

describe.each(CONNECTORS)("the connector of %s", (name, venue, symbols) => {
  test("leaves a venue that has become silent, and connects again", async () => {
    const { server, statuses } = await connect(name, venue, symbols, { name: "silence" });
    await vi.waitFor(() => expect(server.connections).toBeGreaterThan(1), { timeout: 10_000 });
    expect(statuses).toContain(`${name} disconnected nothing arrived for 500 ms`);
  });

  test("stops within a second while prices come, and reports nothing after that", async () => {
    const { server, feed, ticks, statuses } = await connect(name, venue, symbols, { name: "prices", timeScale: 1 });
    await vi.waitFor(() => expect(ticks.length).toBeGreaterThan(0), { timeout: 10_000 });
    const startedAtMs = performance.now();
    await feed.stop();
    expect(performance.now() - startedAtMs).toBeLessThan(SECOND_MS);
    const count = ticks.length;
    await vi.waitFor(() => expect(server.open).toBe(0), { timeout: 10_000 });
    expect(ticks).toHaveLength(count);
    expect(statuses).toEqual([`${name} connected undefined`]);
  });
});
