import { describe, expect, test } from "vitest";
import { expectError, keys, place, readData, type Reply, send } from "@/e2e/api/server";
import { joinServer, withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createSignedIds, LINK_TOKENS } from "@/lib/access/keys/signed-ids";
import { loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { RESOLUTIONS, UDF_PATH } from "@/lib/api/udf/udf-endpoint";
import { DAY_MS } from "@/lib/time/units";

/** By the protocol's public description: https://www.tradingview.com/charting-library-docs/latest/connecting_data/UDF */

interface Bars {
  readonly s: string;
  readonly t: readonly number[];
  readonly o: readonly number[];
  readonly h: readonly number[];
  readonly l: readonly number[];
  readonly c: readonly number[];
  readonly v: readonly number[];
  readonly nextTime?: number;
}

interface Candle {
  readonly time: string;
  readonly open: number;
  readonly close: number;
  readonly volume: number;
}

const read = async <T>(path: string, key = keys.full): Promise<T> => {
  const reply = await send(`/udf/${path}`, { key });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  return reply.json as T;
};
const readTime = async () => Number((await send("/udf/time", { key: null })).text);
const history = async (search: string) => read<Bars>(`history?symbol=EURUSD&${search}`);

function expectChartError(reply: Reply, status: number) {
  expect([reply.status, reply.json]).toEqual([status, { s: "error", errmsg: expect.stringMatching(/\w/) as string }]);
}

test("The configuration names resolutions, and marks only for plans with the calendar", async () => {
  const config = await read<Record<string, unknown>>("config");
  expect(config).toMatchObject({ supports_search: true, supports_time: true, supports_marks: true });
  expect(config.supported_resolutions).toEqual(RESOLUTIONS);
  expect(await read("config", keys.free)).toMatchObject({ supports_marks: false, supports_timescale_marks: false });
  expect(Math.abs((await readTime()) - Date.now() / 1000)).toBeLessThan(120);
});

test("A symbol has its scale, session and zone, in any spelling", async () => {
  for (const name of ["EURUSD", "EUR%2FUSD", "SPOTLINE:EURUSD"]) {
    expect(await read(`symbols?symbol=${name}`)).toMatchObject({
      name: "EURUSD",
      ticker: "EURUSD",
      type: "forex",
      session: "1700-1700",
      timezone: "America/New_York",
      pricescale: 100_000,
      minmov: 1,
      has_intraday: true,
      has_daily: true,
      currency_code: "USD",
    });
  }
  expectChartError(await send("/udf/symbols?symbol=NOPE1"), 404);
  expectChartError(await send("/udf/symbols"), 400);
});

test("A search finds symbols by part of their name and by type", async () => {
  const found = await read<{ symbol: string; full_name: string }[]>("search?query=eur&type=forex&exchange=&limit=5");
  expect(found).toHaveLength(5);
  expect(found.map(({ symbol }) => symbol)).toContain("EURUSD");
  expect(found.every(({ symbol, full_name: full }) => full === `SPOTLINE:${symbol}`)).toBe(true);
  expect(await read("search?query=EUR%2FUSD&type=&exchange=&limit=1")).toMatchObject([{ symbol: "EURUSD" }]);
  const rest = await read<{ symbol: string }[]>("search?query=eur&type=forex&exchange=&limit=4&offset=1");
  expect(rest.map(({ symbol }) => symbol)).toEqual(found.slice(1).map(({ symbol }) => symbol));
  expect(await read("search?query=nothing-has-this&type=&exchange=")).toEqual([]);
});

describe("The history", () => {
  test("has the bars of /v1/ohlc, oldest first, from the start up to but not at the end", async () => {
    const now = await readTime();
    const { data } = (await send("/v1/ohlc?symbol=EURUSD&timeframe=H1&limit=50")).json as {
      data: { candles: readonly Candle[] };
    };
    const closed = data.candles.slice(0, -1);
    const [first, last] = [closed[0] as Candle, closed.at(-1) as Candle];
    const seconds = ({ time }: Candle) => Date.parse(time) / 1000;
    const bars = await history(`resolution=60&from=${seconds(first)}&to=${seconds(last)}`);
    expect(bars.s).toBe("ok");
    expect(bars.t).toEqual(closed.slice(0, -1).map(seconds));
    expect(bars.c).toEqual(closed.slice(0, -1).map(({ close }) => close));
    expect(bars.v).toEqual(closed.slice(0, -1).map(({ volume }) => volume));
    const later = await history(`resolution=60&from=${seconds(first)}&to=${now + 9_999_999}`);
    expect(later.t.length).toBeGreaterThanOrEqual(closed.length);
  });

  test("with a number of bars has so many before the end, whatever the start", async () => {
    const now = await readTime();
    const bars = await history(`resolution=60&from=${now - 60}&to=${now}&countback=30`);
    expect(bars.t).toHaveLength(30);
    expect(bars.t).toEqual([...bars.t].sort((a, b) => a - b));
    expect(Math.max(...bars.t)).toBeLessThan(now);
    const before = await history(`resolution=60&from=0&to=${bars.t[0]}&countback=10`);
    expect(before.t).toHaveLength(10);
    expect(before.t.at(-1)).toBeLessThan(bars.t[0] as number);
  });

  test.each(["D", "1D", "W", "1W"])("names the bars of %s by midnight UTC of their first day", async (resolution) => {
    const now = await readTime();
    const timeframe = `${resolution.replace("1", "")}1`;
    const { data } = (await send(`/v1/ohlc?symbol=EURUSD&timeframe=${timeframe}&limit=20`)).json as {
      data: { candles: readonly Candle[] };
    };
    const bars = await history(`resolution=${resolution}&from=0&to=${now + 86_400}&countback=20`);
    expect(bars.t.length).toBeGreaterThan(2);
    // 17:00 in New York is 21:00 or 22:00 UTC.
    expect(bars.t).toEqual(
      data.candles.map(({ time }) => (Math.ceil(Date.parse(time) / DAY_MS) * DAY_MS) / 1000).slice(-bars.t.length),
    );
    if (resolution.includes("W")) expect(bars.t.every((time) => new Date(time * 1000).getUTCDay() === 1)).toBe(true);
    const [, second] = bars.t as [number, number];
    const one = await history(`resolution=${resolution}&from=${second}&to=${second + 1}`);
    expect(one.t).toEqual([second]);
    expect(await history(`resolution=${resolution}&from=0&to=${second}&countback=1`)).toMatchObject({
      t: [bars.t[0]],
    });
  });

  test("without a bar in the range says where the older ones are, and nothing before the first", async () => {
    const now = await readTime();
    const empty = await history(`resolution=60&from=${now + 86_400}&to=${now + 172_800}`);
    expect([empty.s, empty.t]).toEqual(["no_data", undefined]);
    expect(empty.nextTime).toBeLessThanOrEqual(now);
    expect(await history("resolution=60&from=0&to=1000")).toEqual({ s: "no_data" });
    expect(await history("resolution=1D&from=-2208988800&to=0&countback=5")).toEqual({ s: "no_data" });
  });

  test.each([
    ["resolution=45&from=0&to=1", 400],
    ["resolution=60&from=x&to=1", 400],
    ["resolution=60&from=0", 400],
    ["resolution=60&from=0&to=1&countback=0", 400],
    ["resolution=60&from=0&to=99999999999", 400],
  ])("refuses %s", async (search, status) => {
    expectChartError(await send(`/udf/history?symbol=EURUSD&${search}`), status);
  });
});

test("Quotes have the price, and unknown symbols an error of their own", async () => {
  const { s, d } = await read<{ s: string; d: { s: string; n: string; v: Record<string, number> }[] }>(
    "quotes?symbols=EURUSD,SPOTLINE:GBPUSD,NOPE1",
  );
  expect([s, d.map((each) => [each.s, each.n])]).toEqual([
    "ok",
    [
      ["ok", "EURUSD"],
      ["ok", "SPOTLINE:GBPUSD"],
      ["error", "NOPE1"],
    ],
  ]);
  expect(d[0]?.v.ask).toBeGreaterThanOrEqual(d[0]?.v.bid ?? Infinity);
  expect(d[0]?.v.lp).toBe(d[0]?.v.bid);
});

test("Marks are the events of a symbol's currencies", async () => {
  const now = await readTime();
  const range = `symbol=EURUSD&from=${now - 5 * 86_400}&to=${now + 5 * 86_400}`;
  const marks = await read<{ id: string[]; time: number[]; text: string[] }>(`marks?${range}&resolution=60`);
  expect(marks.id.length).toBeGreaterThan(0);
  expect(marks.text.every((text) => /^(EUR|USD) /.test(text))).toBe(true);
  expect(marks.time.every((time) => time % 3_600 === 0)).toBe(true);
  const below = await read<{ id: string; time: number }[]>(`timescale_marks?${range}&resolution=1D`);
  expect(below.map(({ id }) => id)).toEqual(marks.id);
  expect(below.every(({ time }) => time % 86_400 === 0)).toBe(true);
  expectChartError(await send(`/udf/marks?${range}&resolution=60`, { key: keys.free }), 403);
});

test("Keys, scopes and unknown paths are refused as everywhere, in the protocol's form", async () => {
  expectChartError(await send("/udf/config", { key: null }), 401);
  expectChartError(await send("/udf/history?symbol=EURUSD&resolution=60&to=1", { key: keys.indicatorsOnly }), 403);
  expectChartError(await send("/udf/history?symbol=EURUSD&resolution=60&to=1", { key: keys.elsewhereOnly }), 403);
  expectChartError(await send("/udf/config", { method: "POST" }), 405);
  for (const path of ["/udf/x", "/udf/a/x", "/udf/a/b/config", "/udf/config/", "/udf/"]) {
    const reply = await send(path, { redirect: "manual" });
    if (reply.status !== 308) expectError(reply, 404, "NOT_FOUND");
  }
});

test("A link opens the charts of its key without a header, and its calls count", async () => {
  const owner = await withAccess(place, async ({ accounts, keys: service, links }) => {
    const input = { email: "charts@example.com", password: "long enough to do", plan: "pro" } as const;
    const { id: accountId } = await accounts.create(input, OPERATOR_CLI);
    const key = await service.create({ accountId, label: "charts", scopes: ["all"], symbols: ["forex"] });
    const link = await links.create(
      key.id,
      { path: UDF_PATH, query: "" },
      { kind: "owner", accountId, confirmed: true },
    );
    return { secret: key.secret, linkId: link.id };
  });
  const database = await joinServer(place);
  const tokens = createSignedIds(await loadSessionSecret(database), LINK_TOKENS);
  await database.close();
  const chart = `/udf/${tokens.createToken(owner.linkId)}`;
  const config = await send(`${chart}/config`, { key: null });
  expect(config.json).toMatchObject({ supports_search: true });
  const now = await readTime();
  const bars = await send(`${chart}/history?symbol=EURUSD&resolution=60&from=0&to=${now}&countback=5`, { key: null });
  expect((bars.json as Bars).t).toHaveLength(5);
  expectChartError(await send(`${chart}/symbols?symbol=XAUUSD`, { key: null }), 403);
  expectChartError(await send(`${chart.slice(0, -1)}_/config`, { key: null }), 401);
  expectChartError(await send(`${chart.slice(0, -1)}_/time`, { key: null }), 401);
  const account = readData<{ requests?: unknown }>(await send("/v1/monitor/account", { key: owner.secret }));
  expect(JSON.stringify(account)).toContain("3");
});
