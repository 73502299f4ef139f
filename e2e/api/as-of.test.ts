import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { expectError, keys, readData, type Reply, send } from "@/e2e/api/server";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** How long live answers are recorded, at most until enough seconds passed without a change, and the pause between two. */
const RECORDED_MS = 8_000;
const MOST_RECORDED_MS = 40_000;
const STEADY_SECONDS = 2;
const PAUSE_MS = 40;
/** A key may make so many calls a minute. */
const READINGS_PAUSE_MS = 400;
/** Bars and spreads of a server follow its clock within some seconds, once all ticks are stored. */
const FOLLOWED_MS = 5_000;

interface Answer {
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  readonly reply: Reply;
}

/** A call whose answers are recorded, and made again with `at`. */
interface Recorded {
  readonly call: (at?: string) => Promise<Reply>;
  readonly answers: Answer[];
}

const iso = (ms: number) => new Date(ms).toISOString();
const second = (ms: number) => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** Sends a call with `at` in its query. */
const get = (path: string) => (at?: string) =>
  send(at === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}at=${at}`);

async function record(call: Recorded["call"]): Promise<Recorded> {
  const answers: Answer[] = [];
  const recorded = { call, answers };
  const isEnough = () => listSeconds(recorded).filter(isSteady).length >= STEADY_SECONDS;
  const startMs = Date.now();
  for (let passedMs = 0; passedMs < RECORDED_MS || (passedMs < MOST_RECORDED_MS && !isEnough());) {
    const sentAtMs = Date.now();
    const reply = await call();
    answers.push({ sentAtMs, receivedAtMs: Date.now(), reply });
    await pause(PAUSE_MS);
    passedMs = Date.now() - startMs;
  }
  return recorded;
}

interface Second {
  readonly atMs: number;
  readonly before: Reply;
  readonly after: Reply;
}

/** Whether nothing changed around a second. */
function isSteady({ before, after }: Second): boolean {
  const getState = ({ headers }: Reply) => headers.get("x-quote-state");
  return before.text === after.text && getState(before) === getState(after);
}

/** The whole seconds of the recorded time, each with the live answers before and after it. */
function listSeconds({ answers }: Recorded): Second[] {
  return answers.flatMap(({ receivedAtMs, reply }, at) => {
    const next = answers[at + 1];
    const atMs = Math.ceil(receivedAtMs / SECOND_MS) * SECOND_MS;
    return next === undefined || next.sentAtMs < atMs ? [] : [{ atMs, before: reply, after: next.reply }];
  });
}

/** The seconds of which a server had stored its ticks before the last answer. */
function listFollowed(recorded: Recorded): Second[] {
  const lastMs = recorded.answers.at(-1)?.sentAtMs ?? 0;
  return listSeconds(recorded).filter(({ atMs }) => atMs + FOLLOWED_MS <= lastMs);
}

/** The last answer before a second, and those until a server had stored its ticks. */
function listLater({ answers }: Recorded, atMs: number): Reply[] {
  const first = answers.findLastIndex(({ receivedAtMs }) => receivedAtMs <= atMs);
  const later = answers.filter(({ sentAtMs }, at) => at >= first && sentAtMs < atMs + FOLLOWED_MS);
  return later.map(({ reply }) => reply);
}

/** What of an answer changes with each tick or with the clock. */
const TICKING = new Set([
  "bid",
  "ask",
  "updated_at",
  "server_time",
  "data_age_seconds",
  "current",
  "current_pips",
  "source",
]);

/** An answer without what changes with each tick, as text. */
const withoutTicks = ({ status, json }: Reply): string =>
  JSON.stringify([status, json], (name, value: unknown) => (TICKING.has(name) ? undefined : value));

interface Priced {
  readonly symbol?: string;
  readonly broker?: string;
  readonly bid: number;
  readonly ask: number;
  readonly timestamp?: string;
  readonly updated?: string;
}

/** Every quote in an answer by the symbol or source that it names. */
function listQuotes({ json }: Reply): Map<string, Priced> {
  const found = new Map<string, Priced>();
  JSON.stringify(json, (_, value: unknown) => {
    const quote = value as Priced | null;
    if (typeof quote?.bid === "number") found.set(quote.broker ?? quote.symbol ?? "", quote);
    return value;
  });
  return found;
}

const getTime = (quote: Priced | undefined) => Date.parse(quote?.timestamp ?? quote?.updated ?? "");

const sendQuotes = (at?: string) =>
  send(`/v1/quotes${at === undefined ? "" : `?at=${at}`}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ symbols: ["EURUSD", "gold", "BTCUSD", "USDTRY", "NOSUCH"] }),
  });
const quoted: Recorded[] = [];
const read: Recorded[] = [];
const readings = [
  "/v1/indicator?symbol=EURUSD&indicator=RSI_14&timeframe=H1",
  "/v1/indicator?symbol=EURUSD&indicator=CCI_14&timeframe=M5&bars=20",
  "/v1/indicators?symbol=XAUUSD&timeframe=M15",
  "/v1/multi?symbols=EURUSD,GBPUSD,NOSUCH&indicators=EMA_20,OBV,MACD_main&timeframe=M1",
  "/v1/screener?indicator=RSI_14&timeframe=M5&limit=200",
  "/v1/heatmap?timeframe=H1",
  "/v1/heatmap?timeframe=H1&type=correlation&symbols=EURUSD,GBPUSD,USDJPY",
  "/v1/spread?symbol=EURUSD&period=1h&include=percentiles&series=15m",
  "/v1/spread/compare?symbols=EURUSD,USDTRY,NOSUCH&period=24h",
  "/v1/calendar?from=2026-01-01&to=2026-01-20",
  "/v1/calendar?prev_hours=96&next_hours=96&limit=500&include=history,numeric,revised",
];

beforeAll(async () => {
  const first = second(Date.now());
  const singles = ["EURUSD", "USDTRY"].map((symbol) => get(`/v1/quote?symbol=${symbol}&include_sources=true`));
  quoted.push(...(await Promise.all([...singles, sendQuotes].map(record))));
  read.push(...readings.map((path) => ({ call: get(path), answers: [] })));
  const startMs = Date.now();
  const isEnough = () => Date.now() > startMs + RECORDED_MS && read.every((each) => listFollowed(each).length > 2);
  while (!isEnough() && Date.now() < startMs + MOST_RECORDED_MS) {
    await Promise.all(
      read.map(async ({ call, answers }) => {
        const sentAtMs = Date.now();
        const reply = await call();
        answers.push({ sentAtMs, receivedAtMs: Date.now(), reply });
      }),
    );
    await pause(READINGS_PAUSE_MS);
  }
  const last = second(Date.now());
  expect(first).toBeLessThan(last);
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await pause(200)) {
    if ((await send(`/v1/quote?symbol=EURUSD&at=${last}`)).status === 200) return;
  }
  throw new Error("the last second was not recorded");
});

test("Quotes at a second are the live answer of that second: prices, sources, best prices, states and ages", async () => {
  let steady = 0;
  for (const recorded of quoted) {
    for (const around of listSeconds(recorded)) {
      const { atMs, before, after } = around;
      const past = await recorded.call(iso(atMs));
      expect(past.headers.get("x-data-mode")).toBe("as-of");
      expect(past.headers.get("x-as-of")).toBe(iso(atMs).replace(".000Z", "+00:00"));
      expect(past.headers.get("x-as-of-resolution")).toBe("the last price of each source in each second; simulated");
      const oldest = Math.min(...[...listQuotes(past).values()].map(getTime));
      const { timestamp } = (past.json as { data: { timestamp: string } }).data;
      const ageMs = atMs - (recorded.call === sendQuotes ? oldest : Date.parse(timestamp));
      expect(past.headers.get("x-quote-age-ms")).toBe(String(Math.max(0, ageMs)));
      if (isSteady(around)) {
        steady++;
        expect({ at: iso(atMs), json: past.json }).toEqual({ at: iso(atMs), json: before.json });
        expect(past.headers.get("x-quote-state")).toBe(before.headers.get("x-quote-state"));
      }
      // Of a second with a change, each quote is that before it, that after it, or one between.
      const [earlier, later] = [listQuotes(before), listQuotes(after)];
      for (const [name, quote] of listQuotes(past)) {
        expect(getTime(quote)).toBeGreaterThanOrEqual(getTime(earlier.get(name)));
        expect(getTime(quote)).toBeLessThanOrEqual(getTime(later.get(name)));
        for (const same of [earlier.get(name), later.get(name)]) {
          if (JSON.stringify(same?.timestamp ?? same?.updated) === JSON.stringify(quote.timestamp ?? quote.updated)) {
            expect([quote.bid, quote.ask]).toEqual([same?.bid, same?.ask]);
          }
        }
      }
    }
  }
  expect(steady).toBeGreaterThanOrEqual(STEADY_SECONDS);
});

test("Readings, spreads, strengths and the calendar at a second are what the server answered then, or once it had stored its ticks", async () => {
  for (const [index, recorded] of read.entries()) {
    const path = readings[index];
    expect({ path, seconds: listFollowed(recorded).length }).not.toMatchObject({ seconds: 0 });
    const compared: { path?: string; at: string; text: string; isFound: boolean; live?: string }[] = [];
    for (const { atMs } of listFollowed(recorded)) {
      const past = await recorded.call(iso(atMs));
      if (past.status === 200) expect(past.headers.get("x-data-mode")).toBe("as-of");
      const found = listLater(recorded, atMs).map(withoutTicks);
      const text = withoutTicks(past);
      compared.push({ path, at: iso(atMs), text, isFound: found.includes(text), live: found.at(-1) });
    }
    // A busy server goes on by some seconds at once, and has then not answered those between.
    const missing = compared.filter(({ isFound }) => !isFound);
    const [first] = missing.length * 2 > compared.length ? missing : [];
    if (first !== undefined) expect({ ...first, text: first.live }).toEqual(first);
  }
});

test("Readings at a second have the quote of that second, and its time", async () => {
  const atMs = second(Date.now()) - 8 * SECOND_MS;
  const quote = readData<Priced>(await send(`/v1/quote?symbol=EURUSD&at=${atMs}`));
  const { bid, ask } = quote;
  const at = `at=${atMs}`;
  const reading = readData(await send(`/v1/indicator?symbol=EURUSD&indicator=RSI_14&${at}`));
  const updated = Math.floor(getTime(quote) / SECOND_MS);
  expect(reading).toMatchObject({ bid, ask, updated_at: updated, server_time: iso(atMs).replace(".000Z", "+00:00") });
  expect(readData(await send(`/v1/indicators?symbol=EURUSD&${at}`))).toMatchObject({ bid, ask, updated_at: updated });
  const { results } = readData<{ results: Priced[] }>(await send(`/v1/screener?indicator=RSI_14&limit=200&${at}`));
  expect(results.find(({ symbol }) => symbol === "EURUSD")?.bid).toBe(bid);
  const summary = readData<{ key_values: object }>(await send(`/v1/summary?symbol=EURUSD&timeframe=M5&${at}`));
  expect(summary.key_values).toMatchObject({ bid, ask });
  const spread = readData<{ current: object }>(await send(`/v1/spread?symbol=EURUSD&${at}`));
  expect(spread.current).toMatchObject({ spread_points: Math.round((ask - bid) * 1e5) });
});

test("Past bars with from and at end with the bars that were closed then", async () => {
  // The prepared past may be some hours old, and nothing fills the time since then.
  const atMs = second(Date.now()) - 7 * HOUR_MS;
  const path = `/v1/multi?symbols=EURUSD&indicators=EMA_20&timeframe=M5&from=${atMs - HOUR_MS}&at=${atMs}`;
  const { data } = readData<{ data: { EURUSD: { time: string }[] } }>(await send(path));
  const last = Math.floor(atMs / (5 * MINUTE_MS)) * 5 * MINUTE_MS - 5 * MINUTE_MS;
  expect(Date.parse(data.EURUSD.at(-1)?.time ?? "")).toBe(last);
});

test("Bars at a second end with the one that was filling, which no later price is in", async () => {
  const atMs = second(Date.now()) - HOUR_MS;
  const closed = await send(`/v1/ohlc?symbol=EURUSD&timeframe=M1&to=${iso(atMs)}&limit=3&at=${iso(atMs)}`);
  expect(closed.headers.get("x-data-mode")).toBe("as-of");
  const path = `/v1/ohlc?symbol=EURUSD&timeframe=H4&limit=1&at=`;
  for (const each of [atMs, atMs + 1_000]) {
    const [bar] = readData<{ candles: { close: number; time: string }[] }>(await send(path + each)).candles;
    const { bid } = readData<Priced>(await send(`/v1/quote?symbol=EURUSD&at=${each}`));
    expect(bar?.close).toBe(bid);
    expect(Date.parse(bar?.time ?? "")).toBeGreaterThan(each - 4 * HOUR_MS);
  }
});

test("Before the first recording, the price of a second is of the simulated past, and its source is named so", async () => {
  const atMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS;
  const { ticks } = readData<{ ticks: { time: string; bid: number; ask: number }[] }>(
    await send(`/v1/ticks?symbol=BTCUSD&from=${iso(atMs - MINUTE_MS)}&to=${iso(atMs)}`),
  );
  const last = ticks.at(-1);
  const past = await send(`/v1/quote?symbol=BTCUSD&at=${iso(atMs)}`);
  expect(readData(past)).toMatchObject({ bid: last?.bid, ask: last?.ask, source: "generated" });
  expect(getTime(readData<Priced>(past))).toBe(Date.parse(last?.time ?? ""));
  expect(past.headers.get("x-as-of-resolution")).toBe("the last price in each second, filled in later; simulated");
});

test("Where nothing was recorded, the nearest recorded times are named", async () => {
  const reply = await send("/v1/quote?symbol=BTCUSD&at=2001-01-03T12:00:00Z");
  expectError(reply, 404, "DATA_NOT_FOUND");
  const { error } = reply.json as { error: { nearest_recorded: { before: string | null; after: string } } };
  expect(error.nearest_recorded.before).toBeNull();
  const at = encodeURIComponent(error.nearest_recorded.after);
  expect((await send(`/v1/quote?symbol=BTCUSD&at=${at}`)).status).toBe(200);
  expectError(await send("/v1/calendar?at=2001-01-03T12:00:00Z"), 404, "DATA_NOT_FOUND");
  const heatmap = await send("/v1/heatmap?timeframe=H1&at=2001-01-03T12:00:00Z");
  expect(heatmap.json).toMatchObject({ error: { nearest_recorded: { before: null, after: expect.any(String) } } });
  expectError(await send("/v1/quote?symbol=NOSUCH&at=2001-01-03T12:00:00Z"), 404, "SYMBOL_NOT_FOUND");
});

test("A moment of the future is refused, also under an encoded name", async () => {
  expectError(await send(`/v1/quote?symbol=EURUSD&at=${iso(Date.now() + DAY_MS)}`), 400, "INVALID_DATETIME");
  expectError(await send("/v1/quote?symbol=EURUSD&%61t=soon"), 400, "INVALID_DATETIME");
  expect((await send("/v1/indicators/list?at=0")).headers.get("x-ignored-params")).toBe("at");
});

test("A moment of the past needs the plan and the scope of ticks, and any spelling of it is the same", async () => {
  const atMs = second(Date.now()) - 4 * SECOND_MS;
  for (const key of [keys.free, keys.payg, keys.starter, keys.tool]) {
    expectError(await send(`/v1/quote?symbol=EURUSD&at=${atMs}`, { key }), 403, "PLAN_UPGRADE_REQUIRED");
  }
  const reading = `/v1/indicator?symbol=EURUSD&indicator=RSI_14&at=${atMs}`;
  expectError(await send(reading, { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
  const [text] = await Promise.all(
    [iso(atMs), String(atMs / SECOND_MS), iso(atMs + 999), iso(atMs).replace("Z", "%2B00:00")].map(
      async (at) => (await send(`/v1/quote?symbol=EUR/USD&at=${at}`)).text,
    ),
  );
  expect((await send(`/v1/quote?symbol=EURUSD&at=${atMs}`)).text).toBe(text);
});

test("The symbols of a moment are tradable if their market was open then", async () => {
  const read = async (at: string) =>
    readData<{ symbols: { tradable: boolean }[] }>(await send(`/v1/symbols?search=EURUSD&limit=1&at=${at}`)).symbols;
  expect(await read("2026-07-15T12:00:00Z")).toMatchObject([{ symbol: "EURUSD", tradable: true }]);
  expect(await read("2026-07-18T12:00:00Z")).toMatchObject([{ symbol: "EURUSD", tradable: false }]);
});
