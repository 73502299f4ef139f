import { expect, test } from "vitest";
import { expectError, readData, send } from "@/e2e/api/server";

interface Quote {
  symbol: string;
  bid: number;
  ask: number;
  spread: number;
  spread_pips: number;
  timestamp: string;
  source: string;
}

interface QuoteWithSources extends Quote {
  best_bid: number;
  best_ask: number;
  best_spread: number;
  source_count: number;
  sources: { broker: string; bid: number; ask: number; spread: number; updated: string }[];
}

test("A quote has exactly the specified fields, with rounded numbers", async () => {
  const reply = await send("/v1/quote?symbol=EURUSD");
  const quote = readData<Quote>(reply);
  expect(Object.keys(quote)).toEqual(["symbol", "bid", "ask", "spread", "spread_pips", "timestamp", "source"]);
  expect(quote.ask).toBeGreaterThanOrEqual(quote.bid);
  expect(quote.spread).toBe(Number((quote.ask - quote.bid).toFixed(5)));
  expect(quote.spread_pips).toBe(Number((quote.spread / 0.0001).toFixed(1)));
  expect(reply.text).not.toMatch(/\d\.\d{7,}/);
});

test("A quote has the documented headers, including state, age and data mode", async () => {
  const { headers } = await send("/v1/quote?symbol=EURUSD");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-ratelimit-limit")).toBe("6000");
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(6000);
  expect(Number(headers.get("x-ratelimit-reset"))).toBeLessThanOrEqual(60);
  expect(headers.get("ratelimit-policy")).toBe('"minute";q=6000;w=60');
  expect(headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+$/);
  expect(headers.get("x-quote-state")).toMatch(/^(live|delayed|stale|closed)$/);
  expect(headers.get("x-quote-age-ms")).toMatch(/^\d+$/);
  expect(headers.get("x-data-mode")).toBe("simulated");
});

test("include_sources adds every source and the best price", async () => {
  const quote = readData<QuoteWithSources>(await send("/v1/quote?symbol=EURUSD&include_sources=TRUE"));
  expect(quote.source_count).toBe(quote.sources.length);
  expect(quote.source_count).toBeGreaterThan(1);
  expect(quote.sources.map(({ broker }) => broker)).toContain(quote.source);
  expect(quote.best_spread).toBe(Number((quote.best_ask - quote.best_bid).toFixed(5)));
  for (const source of quote.sources)
    expect(Object.keys(source)).toEqual(["broker", "bid", "ask", "spread", "updated"]);
  expect(quote.sources.map(({ bid }) => bid)).toContain(quote.best_bid);
  expect(quote.sources.map(({ ask }) => ask)).toContain(quote.best_ask);
});

test("source selects the source of the quote", async () => {
  const { sources } = readData<QuoteWithSources>(await send("/v1/quote?symbol=GBPUSD&include_sources=1"));
  for (const { broker } of sources) {
    expect(readData<Quote>(await send(`/v1/quote?symbol=GBPUSD&source=${broker}`)).source).toBe(broker);
  }
  expectError(await send("/v1/quote?symbol=GBPUSD&source=nobody"), 404, "SOURCE_NOT_FOUND");
});
