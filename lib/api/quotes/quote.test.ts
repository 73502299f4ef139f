import { expect, test } from "vitest";
import type { Endpoint, HandlerRequest } from "@/lib/api/engine/endpoint";
import { quotes } from "@/lib/api/quotes/quote";
import { setUp } from "@/lib/book/book.fixture";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";

test("The answer to the same body has each price at once, also within one millisecond, and each state", async () => {
  const { book, update, pass, now } = setUp();
  const body = { symbols: ["EURUSD"] };
  const services = { book, marketNow: now, resolver: createResolver(instruments) };
  const request = { query: { envelope: "flat" }, body, key: null, services };
  async function read() {
    const answer = await (quotes as Endpoint).handle(request as unknown as HandlerRequest<unknown, unknown>);
    const { quotes: found } = JSON.parse(String(answer.body)) as { quotes: { bid: number; source: string }[] };
    const state = /X-Quote-State: (\w+)/i.exec(answer.headers ?? "")?.[1];
    return [found[0]?.bid, found[0]?.source, state];
  }
  update("first", 1.1, 1.2);
  expect(await read()).toEqual([1.1, "first", "live"]);
  expect(await read()).toEqual([1.1, "first", "live"]);
  update("first", 1.1001, 1.2);
  expect(await read()).toEqual([1.1001, "first", "live"]);
  update("second", 1.1002, 1.2);
  expect(await read()).toEqual([1.1001, "first", "live"]);
  book.setSources([{ name: "second", mode: "live" }], new Set());
  expect(await read()).toEqual([1.1002, "second", "live"]);
  pass(15);
  expect(await read()).toEqual([1.1002, "second", "delayed"]);
  pass(600);
  expect(await read()).toEqual([1.1002, "second", "stale"]);
});
