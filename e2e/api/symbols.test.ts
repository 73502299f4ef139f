import { expect, test } from "vitest";
import { type DataOf, expectError, readData, send } from "@/e2e/api/server";
import type { symbolsReply } from "@/lib/api/quotes/replies";

type Page = DataOf<typeof symbolsReply>;

test("The pages list every instrument once", async () => {
  const seen: string[] = [];
  for (let offset = 0, more = true; more; offset += 40) {
    const reply = await send(`/v1/symbols?offset=${offset}&limit=40`);
    const page = readData<Page>(reply);
    expect(page.pagination).toEqual({ offset, limit: 40, total: page.total, has_more: offset + 40 < page.total });
    seen.push(...page.symbols.map(({ symbol }) => symbol));
    more = page.pagination.has_more;
    if (!more) expect(seen).toHaveLength(page.total);
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(["EURUSD", "XAUUSD", "USOIL", "NATGAS", "US500", "BTCUSD", "AAPL"]));
});

test("Symbols can be filtered by category and by a part of their names", async () => {
  const metals = readData<Page>(await send("/v1/symbols?category=metals"));
  expect(new Set(metals.symbols.map(({ category }) => category))).toEqual(new Set(["metals"]));
  expect(readData<Page>(await send("/v1/symbols?search=gOLd")).symbols.map(({ symbol }) => symbol)).toContain("XAUUSD");
  expect(readData<Page>(await send("/v1/symbols?category=bonds"))).toMatchObject({ symbols: [], total: 0 });
});

test("One symbol is answered with its metadata and the rule that resolved its spelling", async () => {
  const reply = await send("/v1/symbols/GOLD");
  expect(readData(reply)).toMatchObject({ symbol: "XAUUSD", category: "metals", resolved_by: "alias" });
  expect(readData(await send("/v1/symbols/EURUSD"))).toMatchObject({
    digits: 5,
    point: 0.00001,
    pip_size: 0.0001,
    resolved_by: "exact",
  });
  expect(readData(await send("/v1/symbols/EUR%2FUSD"))).toMatchObject({ symbol: "EURUSD" });
});

test("An unknown symbol and a path that cannot be decoded are refused", async () => {
  for (const spelling of ["EUR%24USD", "EUR%3CUSD", "E%D0%A3RUSD", "A".repeat(33)]) {
    expectError(await send(`/v1/symbols/${spelling}`), 400, "INVALID_SYMBOL");
    expectError(await send(`/v1/quote?symbol=${spelling}`), 400, "INVALID_SYMBOL");
  }
  expectError(await send(`/v1/symbols/${"A".repeat(32)}`), 404, "SYMBOL_NOT_FOUND");
  expectError(await send("/v1/symbols/%ff"), 400, "VALIDATION_ERROR");
});
