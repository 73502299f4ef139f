import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { expectError, readData, type Reply, send } from "@/e2e/api/server";

interface Bulk {
  quotes: Record<string, unknown>[];
  count: number;
  not_found: string[];
  timestamp: string;
}

function post(body: unknown, path = "/v1/quotes"): Promise<Reply> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: text });
}

test("Quotes have the requested order, and unknown symbols are listed as they were spelled", async () => {
  const reply = await post({ symbols: ["GBPUSD", "nope", "EUR/USD", "USDEUR"] });
  const data = readData<Bulk>(reply);
  expect(data.quotes.map(({ symbol }) => symbol)).toEqual(["GBPUSD", "EURUSD"]);
  expect(data).toMatchObject({ count: 2, not_found: ["nope", "USDEUR"] });
});

test("The timestamp is that of the newest quote", async () => {
  const data = readData<Bulk>(await post({ symbols: ["EURUSD", "USDJPY", "XAUUSD"] }));
  expect(data.timestamp).toBe(
    data.quotes
      .map(({ timestamp }) => String(timestamp))
      .sort()
      .at(-1),
  );
});

test("A symbol is answered once, even if it is requested several times or by several names", async () => {
  const data = readData<Bulk>(await post({ symbols: ["EURUSD", "EURUSD", "EUR/USD", "x?", "x?"] }));
  expect(data).toMatchObject({ count: 1, not_found: ["x?"] });
});

test("fields selects the fields of a quote", async () => {
  const data = readData<Bulk>(await post({ symbols: ["EURUSD"], fields: ["ask", "bid"] }));
  expect(Object.keys(data.quotes[0] ?? {})).toEqual(["symbol", "bid", "ask"]);
});

test("envelope=flat answers at the top level", async () => {
  const { json } = await post({ symbols: ["EURUSD"] }, "/v1/quotes?envelope=flat");
  expect(json).toMatchObject({ success: true, count: 1, not_found: [], quotes: [{ symbol: "EURUSD" }] });
});

test("A hundred symbols are accepted and a hundred and one refused, repeated ones included", async () => {
  const data = readData<Bulk>(await post({ symbols: Array.from({ length: 100 }, () => "EURUSD") }));
  expect(data.count).toBe(1);
  expectError(await post({ symbols: Array.from({ length: 101 }, () => "EURUSD") }), 400, "TOO_MANY_SYMBOLS");
});

test("A body of another type, a compressed one and one that is too large are refused", async () => {
  const body = JSON.stringify({ symbols: ["EURUSD"] });
  expectError(
    await send("/v1/quotes", { method: "POST", body, headers: { "Content-Type": "text/plain" } }),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  );
  const packed = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
  expectError(
    await send("/v1/quotes", { method: "POST", body: gzipSync(body), headers: packed }),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  );
  expectError(await post(`{"symbols":["${"x".repeat(1_000_000)}"]}`), 413, "PAYLOAD_TOO_LARGE");
});

test("Prototype names, NUL and lone surrogates do no harm, and ignored fields are listed", async () => {
  const reply = await post('{"symbols":["EURUSD","\\u0000","\\ud800"],"__proto__":{"fields":["bid"]},"constructor":1}');
  expect(readData<Bulk>(reply)).toMatchObject({ count: 1, not_found: ["\u0000", "\ud800"] });
  expect(reply.headers.get("x-ignored-params")).toBe("__proto__, constructor");
});
