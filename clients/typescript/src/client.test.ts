import { describe, expect, test } from "vitest";
import { OPERATIONS } from "./generated.js";
import {
  ApiError,
  ConnectionError,
  type ErrorCode,
  type Quote,
  RateLimitError,
  Spotline,
  TimeoutError,
} from "./index.js";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose calls are answered by a function instead of a server. */
function createClient(answer: (sent: Sent, count: number) => Response | Promise<Response>, rest: object = {}) {
  const sent: Sent[] = [];
  const answerNext = async (url: string, init: RequestInit) => {
    init.signal?.throwIfAborted();
    sent.push({ url, init });
    return answer({ url, init }, sent.length);
  };
  const retry = { baseMs: 1, maxMs: 1 };
  const client = new Spotline({
    url: "https://prices.test/",
    key: "secret",
    fetch: answerNext as typeof fetch,
    retry,
    ...rest,
  });
  return { client, sent };
}

const reply = (data: unknown, headers: Record<string, string> = {}) =>
  Response.json({ success: true, data }, { headers });
const refuse = (status: number, error: object, headers: Record<string, string> = {}) =>
  Response.json({ success: false, error }, { status, headers });

describe("A call", () => {
  test("sends its key in a header, lists as one value, and resolves with the data and what the headers say", async () => {
    const headers = {
      "X-Request-Id": "5f",
      "X-Quote-State": "stale",
      "X-Quote-Age-Ms": "90000",
      "X-Data-Mode": "simulated",
    };
    const limits = {
      "X-RateLimit-Limit": "60",
      "X-RateLimit-Remaining": "59",
      "X-RateLimit-Reset": "12",
      "X-Coverage": "58/60",
    };
    const { client, sent } = createClient(() =>
      reply({ timeframe: "H1" }, { ...headers, ...limits, "X-Ignored-Params": "a%20b, c" }),
    );
    const { data, meta } = await client.multi({ symbols: ["EURUSD", "GBP/USD"], indicators: ["RSI_14"] });
    expect(data).toEqual({ timeframe: "H1" });
    expect(meta).toMatchObject({
      requestId: "5f",
      quoteState: "stale",
      quoteAgeMs: 90_000,
      dataMode: "simulated",
      asOf: null,
      asOfResolution: null,
      barState: "current",
      barHoles: [],
      coverage: { rows: 58, expected: 60 },
      rateLimit: { limit: 60, remaining: 59, resetSeconds: 12 },
      ignored: ["a b", "c"],
    });
    expect(sent[0]?.url).toBe("https://prices.test/v1/multi?symbols=EURUSD,GBP%2FUSD&indicators=RSI_14");
    expect(sent[0]?.init).toMatchObject({ method: "GET", redirect: "error", headers: { "X-API-Key": "secret" } });
  });

  test("exists for every endpoint of the document", async () => {
    const { client, sent } = createClient(() => reply({}));
    const one = {
      symbol: "EURUSD",
      indicator: "RSI_14",
      timeframe: "H1",
      from: "2026-01-05",
      to: "2026-01-06",
    } as const;
    await Promise.all([
      client.quote(one),
      client.quotes({ symbols: ["EURUSD"] }),
      client.symbols(),
      client.symbol("EURUSD"),
      client.ohlc(one),
      client.ticks(one),
      client.exportCsv({ what: "bars", ...one }),
      client.createExport({ what: "bars", symbols: ["EURUSD"], from: "2026-01-05", to: "2026-01-06" }),
      client.readExport("id"),
      client.exports(),
      client.deleteExport("id"),
      client.spread(one),
      client.spreadCompare({ symbols: ["EURUSD"] }),
      client.quality(one),
      client.qualityDay(),
      client.indicator(one),
      client.indicators(one),
      client.indicatorsList(),
      client.indicatorHistory(one),
      client.multi({ symbols: ["EURUSD"], indicators: ["RSI_14"] }),
      client.screener(one),
      client.summary(one),
      client.heatmap(),
      client.sessions(),
      client.calendar(),
      client.calendarWindow({ symbol: "EURUSD" }),
      client.calendarFeed(),
      client.calendarSubscription(),
      client.account(),
      client.layout(),
      client.saveLayout({ layout: [] }),
      client.alerts(),
      client.createAlert({ condition: { type: "price", symbol: "EURUSD", level: 1.1 } }),
      client.alert("id"),
      client.changeAlert("id", { active: false }),
      client.deleteAlert("id"),
      client.webhooks(),
      client.createWebhook({ name: "Desk", url: "https://receiver.test" }),
      client.testWebhook("id"),
      client.deleteWebhook("id"),
      client.openapi(),
      client.health(),
      client.ready(),
    ]);
    const called = sent.map(({ url, init }) => `${init.method} ${new URL(url).pathname}`);
    const documented = Object.values(OPERATIONS)
      .map(({ method, path }) => `${method} ${path.replace("{symbol}", "EURUSD").replace(/\{\w+\}/, "id")}`)
      // Links of files are opened as they are.
      .filter((each) => each !== "GET /v1/stream" && each !== "GET /v1/export/files/id");
    expect(called.sort()).toEqual(documented.sort());
  });

  // `npm run types` fails where a type is not that of the document.
  test("has the types of the document: numbers, flags, lists and named schemas", async () => {
    const { client, sent } = createClient(({ url }) =>
      url.includes("symbol=NONE") ? refuse(404, { code: "SYMBOL_NOT_FOUND" }) : reply({ bid: 1.1, ask: 1.3 }),
    );
    await client.ohlc({ symbol: "EURUSD", timeframe: "H1", limit: 10 });
    // @ts-expect-error The limit is a number.
    await client.ohlc({ symbol: "EURUSD", limit: "10" });
    const { data } = await client.quote({ symbol: "EURUSD", include_sources: true });
    const findMiddle = ({ bid, ask }: Quote): number => (bid + ask) / 2;
    expect(findMiddle(data)).toBeCloseTo(1.2);
    const error = (await client.quote({ symbol: "NONE" }).catch((each: unknown) => each)) as ApiError;
    const code: ErrorCode = "SYMBOL_NOT_FOUND";
    expect([error.code === code, error.fields.reset_in_seconds]).toEqual([true, undefined]);
    // @ts-expect-error No error has this code.
    expect(error.code === "SYMBOL_LOST").toBe(false);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      "?symbol=EURUSD&timeframe=H1&limit=10",
      "?symbol=EURUSD&limit=10",
      "?symbol=EURUSD&include_sources=true",
      "?symbol=NONE",
    ]);
  });

  test("of an address without http is refused at once", () => {
    expect(() => new Spotline({ url: "prices.test" })).toThrow(TypeError);
  });
});

describe("A refusal", () => {
  test("is an error with code, status, request id and further fields", async () => {
    const error = { code: "SYMBOL_NOT_FOUND", message: "The symbol is not known.", suggestions: ["EURUSD"] };
    const { client, sent } = createClient(() => refuse(404, error, { "X-Request-Id": "abc" }));
    const failure = await client.quote({ symbol: "EURUSDD" }).catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      message: "The symbol is not known.",
      code: "SYMBOL_NOT_FOUND",
      status: 404,
      requestId: "abc",
      fields: { suggestions: ["EURUSD"] },
    });
    expect(sent).toHaveLength(1);
  });

  test("of a flat reading or of a proxy is an error, too", async () => {
    const flat = { error: "Rate Limited", message: "Too many.", code: 429, retry_after: 9_999 };
    const { client } = createClient(() => Response.json(flat, { status: 429 }));
    await expect(client.indicator({ symbol: "EURUSD", indicator: "CCI_14" })).rejects.toMatchObject({
      name: "RateLimitError",
      message: "Too many.",
      retryAfterMs: 9_999_000,
    });
    const { client: behindProxy } = createClient(() => new Response("<html>", { status: 502 }), {
      retry: { retries: 0 },
    });
    await expect(behindProxy.sessions()).rejects.toMatchObject({ code: "UNKNOWN", status: 502, message: "HTTP 502" });
    const { client: cutOff } = createClient(
      () => new Response("{", { headers: { "Content-Type": "application/json" } }),
    );
    await expect(cutOff.sessions()).rejects.toMatchObject({ code: "UNKNOWN", status: 200 });
  });
});

describe("After a failure", () => {
  const limited = () => refuse(429, { code: "RATE_LIMIT_EXCEEDED", message: "" }, { "Retry-After": "0" });

  test("a GET is sent again, up to the limit", async () => {
    const { client, sent } = createClient((_, count) => {
      if (count === 1) throw new TypeError("fetch failed");
      return count === 2 ? limited() : reply({ bid: 1 });
    });
    expect((await client.quote({ symbol: "EURUSD" })).data).toEqual({ bid: 1 });
    expect(sent).toHaveLength(3);
    const { client: unlucky, sent: all } = createClient(limited);
    await expect(unlucky.quote({ symbol: "EURUSD" })).rejects.toBeInstanceOf(RateLimitError);
    expect(all).toHaveLength(4);
    await expect(unlucky.quote({ symbol: "EURUSD" }, { retries: 0 })).rejects.toBeInstanceOf(RateLimitError);
    expect(all).toHaveLength(5);
  });

  test("nothing but a GET is sent again", async () => {
    const { client, sent } = createClient(limited);
    await expect(client.quotes({ symbols: ["EURUSD"] })).rejects.toBeInstanceOf(RateLimitError);
    await expect(client.saveLayout({ layout: [] })).rejects.toBeInstanceOf(RateLimitError);
    expect(sent).toHaveLength(2);
  });

  test("an aborted signal ends the wait, and its reason is thrown", async () => {
    const { client, sent } = createClient(() =>
      refuse(429, { code: "RATE_LIMIT_EXCEEDED", message: "" }, { "Retry-After": "60" }),
    );
    const controller = new AbortController();
    const waiting = client.quote({ symbol: "EURUSD" }, { signal: controller.signal });
    controller.abort(new Error("not needed"));
    await expect(waiting).rejects.toThrow("not needed");
    expect(sent.length).toBeLessThan(2);
  });

  test("a lost connection and a late answer are told apart", async () => {
    const lost = createClient(() => Promise.reject(new TypeError("fetch failed")), { retry: { retries: 0 } });
    const failure = await lost.client.sessions().catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).not.toBeInstanceOf(TimeoutError);
    const never = ({ init }: Sent) =>
      new Promise<Response>((_, reject) =>
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error)),
      );
    const late = createClient(never, { timeoutMs: 5, retry: { retries: 0 } });
    await expect(late.client.sessions()).rejects.toBeInstanceOf(TimeoutError);
  });
});
