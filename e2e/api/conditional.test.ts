import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { keys, send, url } from "@/e2e/api/server";
import { matchesEtag } from "@/lib/api/engine/etag";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/** Answers that clients may keep, and how long answers are compressed. */

const DECOMPRESS = { br: brotliDecompressSync, gzip: gunzipSync };
/** Read once: a range of an hour and a millisecond is too long. */
const nowMs = Date.now();

interface RawReply {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Makes a call with exactly these headers: `fetch` adds its own and decompresses. */
function callRaw(path: string, headers: Record<string, string>): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers: { "X-API-Key": keys.full, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    })
      .on("error", reject)
      .end();
  });
}

describe("What no longer changes has an entity tag", () => {
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const range = (fromMs: number, toMs: number) =>
    `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const closed = [
    `/v1/ohlc?symbol=EURUSD&timeframe=M1&${range(hourMs - 3 * HOUR_MS, hourMs - HOUR_MS)}`,
    `/v1/ohlc?symbol=EURUSD&timeframe=M1&${range(hourMs - 3 * HOUR_MS, hourMs - HOUR_MS)}&format=csv`,
    `/v1/ticks?symbol=EURUSD&${range(hourMs - 2 * HOUR_MS, hourMs - HOUR_MS)}`,
    `/v1/ticks?symbol=EURUSD&${range(hourMs - 2 * HOUR_MS, hourMs - 2 * HOUR_MS + 60_000)}&format=csv`,
    `/v1/indicator/history?symbol=EURUSD&indicator=RSI_14&${range(hourMs - DAY_MS, hourMs - HOUR_MS)}`,
    `/v1/multi?symbols=EURUSD&indicators=RSI_14&timeframe=M30&${range(hourMs - 10 * DAY_MS, hourMs - DAY_MS)}`,
    `/v1/calendar?${range(hourMs - 15 * DAY_MS, hourMs - DAY_MS)}`,
    "/v1/calendar.ics?currencies=CHF",
    "/v1/symbols?category=crypto",
    "/v1/symbols/BTCUSD",
    "/v1/sessions?at=2026-01-15T10:00:00Z",
    "/v1/indicators/list",
    "/v1/openapi.json",
  ];

  test.each(closed)("%s", async (path) => {
    const reply = await send(path);
    expect(reply.status).toBe(200);
    const etag = reply.headers.get("etag") ?? "";
    expect(etag).toMatch(/^(W\/)?"[\w-]+"$/);
    expect(reply.headers.get("cache-control")).toBe("private, no-cache");
    const strong = etag.replace("W/", "");
    for (const sent of [etag, strong, `W/${strong}`, `"other", W/${strong}`, "*"]) {
      const again = await send(path, { headers: { "If-None-Match": sent } });
      expect([sent, again.status, again.text]).toEqual([sent, 304, ""]);
      expect(matchesEtag(again.headers.get("etag") ?? "", strong)).toBe(true);
      expect(again.headers.get("vary")).toBe(reply.headers.get("vary"));
    }
    expect((await send(path, { headers: { "If-None-Match": '"other", W/"more"' } })).status).toBe(200);
    const head = await send(path, { method: "HEAD" });
    expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", etag]);
  });

  test.each([
    "/v1/quote?symbol=EURUSD",
    "/v1/sessions",
    "/v1/ohlc?symbol=EURUSD&timeframe=M1",
    `/v1/multi?symbols=EURUSD&indicators=RSI_14&timeframe=M30&from=${new Date(nowMs - DAY_MS).toISOString()}`,
    // Its end is in the future, also when an hour ends while the tests run.
    `/v1/ticks?symbol=EURUSD&${range(nowMs - HOUR_MS / 2, nowMs + HOUR_MS / 2)}`,
  ])("but not what still does: %s", async (path) => {
    const reply = await send(path, { headers: { "If-None-Match": "*" } });
    expect([reply.status, reply.headers.get("etag")]).toEqual([200, null]);
    expect(reply.headers.get("cache-control")).toBe("private, no-store");
  });

  test("A call that is answered with 304 does not spend the day", async () => {
    const count = async () => {
      const { json } = await send("/v1/monitor/account", { key: keys.payg });
      return (json as { data: { daily_used: number } }).data.daily_used;
    };
    const etag = (await send("/v1/symbols", { key: keys.payg })).headers.get("etag") ?? "";
    const before = await count();
    const headers = { "If-None-Match": etag };
    for (let call = 0; call < 3; call++)
      expect((await send("/v1/symbols", { key: keys.payg, headers })).status).toBe(304);
    expect(await count()).toBe(before + 1);
  });
});

describe("Answers of a kilobyte and more are compressed", () => {
  const paths = [
    "/v1/symbols?limit=500",
    "/v1/symbols?limit=20&category=forex",
    "/v1/openapi.json",
    "/v1/indicators/list",
    "/v1/nope".padEnd(30, "x"),
  ];

  test.each(paths)("%s", async (path) => {
    const plain = await callRaw(path, {});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const isLong = plain.body.length >= 1024;
    expect(/accept-encoding/i.test(String(plain.headers.vary))).toBe(isLong);
    for (const coding of ["br", "gzip"] as const) {
      for (let call = 0; call < 2; call++) {
        const { headers, body } = await callRaw(path, { "Accept-Encoding": `${coding}, identity;q=0.5` });
        expect(headers["content-encoding"]).toBe(isLong ? coding : undefined);
        const text = isLong ? DECOMPRESS[coding](body) : body;
        if (!isLong) continue;
        expect(text.toString()).toBe(plain.body.toString());
        expect(body.length).toBeLessThan(plain.body.length / 2);
        expect(Number(headers["content-length"])).toBe(body.length);
        expect(headers.etag).toBe(`W/${String(plain.headers.etag)}`);
      }
    }
    const refused = await callRaw(path, { "Accept-Encoding": "br;q=0, gzip;q=0, *;q=0" });
    expect(refused.headers["content-encoding"]).toBeUndefined();
  });
});
