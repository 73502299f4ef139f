import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKey } from "@/e2e/process/own-key";
import { type Spotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { isBuiltIn } from "@/lib/market/catalog";
import { createTestPlace, type TestPlace } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Everything of a broker: a terminal with a thousand symbols, of which the catalog knows few. */

interface BrokerSymbol {
  readonly spelling: string;
  /** As answers name it. */
  readonly symbol: string;
  readonly digits: number;
  readonly points: number;
}

const OFFSET_MS = 2 * HOUR_MS;
/** What brokers list beside shares, and the catalog has not built in; and one that it has. */
const USUAL: readonly BrokerSymbol[] = [
  { spelling: "EURUSD", symbol: "EURUSD", digits: 5, points: 117_004 },
  { spelling: "COFFEE", symbol: "COFFEE", digits: 2, points: 38_010 },
  { spelling: "BTCUSDT", symbol: "BTCUSDT", digits: 2, points: 9_100_012 },
  { spelling: "PEPEUSD", symbol: "PEPEUSD", digits: 10, points: 45_678 },
  { spelling: "SHIBUSDm", symbol: "SHIBUSD", digits: 8, points: 845 },
  { spelling: "USDRUB", symbol: "USDRUB", digits: 4, points: 781_234 },
  { spelling: "VIX", symbol: "VIX", digits: 2, points: 1_745 },
  { spelling: "TSM", symbol: "TSM", digits: 2, points: 29_011 },
];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const PLACES = [
  ["US", ""],
  ["DE", ".DE"],
  ["UK", ".GB"],
  ["FR", ".FR"],
] as const;

/** A share with four letters, which no company in the catalog has. */
function createShare(at: number): BrokerSymbol {
  const name = `Q${[676, 26, 1].map((step) => LETTERS[Math.floor(at / step) % 26]).join("")}`;
  const [place, suffix] = PLACES[at % PLACES.length] as (typeof PLACES)[number];
  return { spelling: `${name}.${place}`, symbol: `${name}${suffix}`, digits: 2 + (at % 3), points: 12_345 + at };
}
const listShares = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => createShare(from + at));

describe("a terminal with a thousand symbols", () => {
  let place: TestPlace;
  let server: Spotline;
  let key = "";
  let token = "";
  let seq = 0;
  let sentAtMs = 0;
  /** The last price of each symbol, in points. */
  const sent = new Map<string, number>();
  const env = () => ({
    ...WITHOUT_PAGES,
    SPOTLINE_DATA_DIR: place.dataDir,
    ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
  });

  beforeAll(async () => {
    place = await createTestPlace();
    server = await startTestServer({ env: env() });
    key = await createKey(server, "enterprise");
    ({ token } = await server.cli<{ token: string }>("terminal", "create", "--source", "icm"));
  });
  afterAll(async () => {
    await server.stop();
    await place.remove();
  });

  /** Sends what the program in the terminal says of symbols, and a price of each. */
  async function push(symbols: readonly BrokerSymbol[], { withFacts = false } = {}): Promise<void> {
    sentAtMs = Math.max(Date.now(), sentAtMs + 1);
    const format = (points: number, digits: number) => (points / 10 ** digits).toFixed(digits);
    for (const each of symbols) sent.set(each.symbol, (sent.get(each.symbol) ?? each.points) + 1);
    const ticks = symbols.map(({ spelling, symbol, digits }) => {
      const points = sent.get(symbol) ?? 0;
      return { s: spelling, b: format(points, digits), a: format(points + 3, digits), t: sentAtMs + OFFSET_MS };
    });
    const facts = symbols.map(({ spelling, digits }) => ({ s: spelling, digits, description: `${spelling} CFD` }));
    const body = {
      ...{ boot_id: "run", seq: ++seq, sent_gmt: sentAtMs, made_gmt: sentAtMs, broker: "Whole-Live", ticks },
      ...(withFacts ? { symbols: facts } : {}),
    };
    const init = { method: "POST", headers: { "X-Ingest-Token": token }, body: JSON.stringify(body) };
    // A server knows a new token within a second, and a batch that was stored is repeated without effect.
    await vi.waitFor(async () => expect((await fetch(`${server.url}/ingest/v1/mt5/ticks`, init)).status).toBe(200), {
      timeout: 20_000,
      interval: 200,
    });
  }

  const ask = async <Data>(path: string, body?: unknown): Promise<Data> => {
    const headers = { "X-API-Key": key, "Content-Type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}${path}`, init);
    const { data, error } = (await answer.json()) as { data?: Data; error?: unknown };
    if (data === undefined) throw new Error(`${path}: ${JSON.stringify(error)}`);
    return data;
  };
  interface Quoted {
    readonly symbol: string;
    readonly bid: number;
    readonly ask: number;
    readonly source: string;
  }
  /** The quotes that the terminal's source serves, by symbol. */
  async function readQuotes(symbols: readonly BrokerSymbol[]): Promise<Map<string, Quoted>> {
    const quotes = new Map<string, Quoted>();
    for (let at = 0; at < symbols.length; at += 50) {
      const names = symbols.slice(at, at + 50).map(({ symbol }) => symbol);
      const { quotes: some } = await ask<{ quotes: Quoted[] }>("/v1/quotes", { symbols: names });
      for (const quote of some) if (quote.source === "icm") quotes.set(quote.symbol, quote);
    }
    return quotes;
  }
  const toPrice = (points: number, digits: number) => Number((points / 10 ** digits).toFixed(digits));
  /** Expects the last price of each symbol to be served, digit by digit. */
  const expectQuoted = (symbols: readonly BrokerSymbol[]) =>
    vi.waitFor(
      async () => {
        const quotes = await readQuotes(symbols);
        for (const { symbol, digits } of symbols) {
          const points = sent.get(symbol) ?? 0;
          const expected = { bid: toPrice(points, digits), ask: toPrice(points + 3, digits) };
          expect(quotes.get(symbol), symbol).toMatchObject(expected);
        }
      },
      { timeout: 40_000, interval: 500 },
    );

  const first = [...USUAL, ...listShares(0, 992)];
  const later = listShares(992, 1_092);

  test("All of them are quoted, recorded and charted, and 100 more leave every quote where it is", async () => {
    expect(first.filter(({ symbol }) => isBuiltIn(symbol)).map(({ symbol }) => symbol)).toEqual(["EURUSD"]);
    await push(first, { withFacts: true });
    // The clock of the trade server is known after three live batches.
    for (let batch = 0; batch < 3; batch++) await push(first);
    await expectQuoted(first);
    await push(later, { withFacts: true });
    const quotes = await readQuotes(first);
    expect(quotes.size).toBe(first.length);
    await push(later);
    await expectQuoted([...first, ...later]);
    const { total } = await ask<{ total: number }>("/v1/symbols?limit=1");
    expect(total).toBeGreaterThanOrEqual(162 + first.length - 1 + later.length);
  });

  test("After kill -9 a server goes on with all of them, without a lost digit", { timeout: 120_000 }, async () => {
    const all = [...first, ...later];
    await push(all);
    const beforeMs = sentAtMs;
    await expectQuoted(all);
    process.kill(server.pid, "SIGKILL");
    await server.ended;
    const killed = server;
    const again = await startTestServer({ env: env() });
    server = {
      ...again,
      async stop() {
        const code = await again.stop();
        await killed.stop();
        return code;
      },
    };
    await expectQuoted(all);
    await push(all);
    await expectQuoted(all);
    for (const { symbol, digits } of [...USUAL, ...later.slice(0, 4)]) {
      const points = sent.get(symbol) ?? 0;
      const bids = [points - 1, points].map((each) => toPrice(each, digits));
      await vi.waitFor(
        async () => {
          const [from, to] = [beforeMs - SECOND_MS, Date.now()].map((ms) => new Date(ms).toISOString());
          const { ticks } = await ask<{ ticks: { bid: number }[] }>(`/v1/ticks?symbol=${symbol}&from=${from}&to=${to}`);
          expect(ticks.map(({ bid }) => bid).slice(-2), symbol).toEqual(bids);
          const minute = new Date(beforeMs - MINUTE_MS).toISOString();
          const { candles } = await ask<{ candles: { close: number }[] }>(
            `/v1/ohlc?symbol=${symbol}&timeframe=M1&from=${minute}`,
          );
          expect(candles.at(-1)?.close, symbol).toBe(bids[1]);
        },
        { timeout: 40_000, interval: 500 },
      );
    }
  });
});
