import { beforeAll, expect, test } from "vitest";
import { readData, expectError, onEveryServer, type Reply } from "@/e2e/api/servers";
import { ticksReply } from "@/lib/api/history/history-replies";

interface Ticks {
  symbol: string;
  ticks: { time: string; bid: number; ask: number; flags: number }[];
  count: number;
  gaps?: { from: string; to: string; seconds: number }[];
}

const RANGE = "from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:00Z";

onEveryServer(({ keys }, send) => {
  /** Half an hour back and ahead: whatever the feed has sent since the server was started. */
  let around = "";
  beforeAll(async () => {
    const now = Date.now();
    around = `from=${new Date(now - 1_800_000).toISOString()}&to=${new Date(now + 1_800_000).toISOString()}`;
    for (const deadline = now + 20_000; Date.now() < deadline;) {
      if (readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`)).count > 3) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error("nothing was recorded");
  });

  test("answers what is being recorded, at most once a second and oldest first", async () => {
    const reply = await send(`/v1/ticks?symbol=EURUSD.r&${around}`);
    const { symbol, ticks, count } = ticksReply.parse(reply.json).data;
    expect(symbol).toBe("EURUSD");
    expect(count).toBe(ticks.length);
    const times = ticks.map(({ time }) => Date.parse(time));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    for (const { time, bid, ask } of ticks) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect(ask).toBeGreaterThanOrEqual(bid);
      expect(`${bid} ${ask}`).not.toMatch(/\d\.\d{6,}/);
    }
    expect(reply.headers.get("x-coverage")).toMatch(new RegExp(`^${count}/\\d+$`));
    expect(reply.headers.get("x-data-mode")).toBe("simulated");
    expect(reply.headers.get("vary")).toMatch(/accept-encoding/i);
  });

  test("leaves out the second that ends a range, and keeps the one that begins it", async () => {
    const { ticks } = readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`));
    const [first, second] = ticks as [Ticks["ticks"][number], Ticks["ticks"][number]];
    const part = `from=${encodeURIComponent(first.time)}&to=${encodeURIComponent(second.time)}`;
    expect(readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${part}`)).ticks).toEqual([first]);
    // A plus sign that nobody encoded arrives as a blank.
    expect(readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&from=${first.time}&to=${second.time}`)).count).toBe(1);
  });

  test("tells the holes in a range on request", async () => {
    const reply = await send(`/v1/ticks?symbol=EURUSD&${around}&include=gaps`);
    const { count, gaps = [] } = readData<Ticks>(reply);
    expect(ticksReply.safeParse(reply.json).success).toBe(true);
    const holes = gaps.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(reply.headers.get("x-coverage")).toBe(`${count}/${count + holes}`);
    expect(readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`)).gaps).toBeUndefined();
  });

  test("answers an hour without a tick as one, since a closed market is no error", async () => {
    const reply = await send("/v1/ticks?symbol=EURUSD&from=2001-01-01T00:00:00&to=2001-01-01T01:00:00");
    expect(readData<Ticks>(reply)).toEqual({ symbol: "EURUSD", ticks: [], count: 0 });
    expect(reply.headers.get("x-coverage")).toBe("0/3600");
  });

  test("answers a table when that is asked for, by parameter or by header", async () => {
    const path = `/v1/ticks?symbol=EURUSD&${around}`;
    const expectTable = (reply: Reply) => {
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toMatch(/^text\/csv/);
      expect(reply.headers.get("content-disposition")).toMatch(/^attachment; filename="EURUSD-ticks-[\dTZ-]+\.csv"$/);
      expect(reply.text).toMatch(/^time,bid,ask,flags\r\n(\S+,[\d.]+,[\d.]+,0\r\n)+$/);
    };
    expectTable(await send(`${path}&format=csv`));
    expectTable(await send(path, { headers: { Accept: "text/csv" } }));
    expect((await send(path, { headers: { Accept: "text/html, */*" } })).json).not.toBeNull();
    expect((await send(`${path}&format=json`, { headers: { Accept: "text/csv" } })).json).not.toBeNull();
    expectError(await send(`/v1/ticks?symbol=EURUSD&format=csv`), 400, "VALIDATION_ERROR");
  });

  test.each([
    ["", "VALIDATION_ERROR"],
    ["symbol=EURUSD", "VALIDATION_ERROR"],
    ["symbol=EURUSD&from=2026-11-20T13:00:00Z", "VALIDATION_ERROR"],
    [`${RANGE}`, "VALIDATION_ERROR"],
    [`symbol=&${RANGE}`, "VALIDATION_ERROR"],
    [`symbol=EURUSD&symbol=GBPUSD&${RANGE}`, "VALIDATION_ERROR"],
    [`symbol=EURUSD&${RANGE}&format=xml`, "VALIDATION_ERROR"],
    [`symbol=EURUSD&${RANGE}&include=everything`, "VALIDATION_ERROR"],
    ["symbol=EURUSD&from=yesterday&to=2026-11-20T14:00:00Z", "INVALID_DATETIME"],
    ["symbol=EURUSD&from=&to=2026-11-20T14:00:00Z", "INVALID_DATETIME"],
    ["symbol=EURUSD&from=2026-02-30T00:00:00Z&to=2026-03-01T00:00:00Z", "INVALID_DATETIME"],
    ["symbol=EURUSD&from=2026-11-20T14:00:00Z&to=2026-11-20T13:00:00Z", "INVALID_RANGE"],
    ["symbol=EURUSD&from=2026-11-20T14:00:00Z&to=2026-11-20T14:00:00Z", "INVALID_RANGE"],
    ["symbol=EURUSD&from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:01Z", "RANGE_TOO_LARGE"],
  ])("refuses %s with 400 %s", async (query, code) => expectError(await send(`/v1/ticks?${query}`), 400, code));

  test("says how long the range was, and how long it may be", async () => {
    const reply = await send("/v1/ticks?symbol=EURUSD&from=2026-11-20T13:00:00Z&to=2026-11-20T15:30:00Z");
    expect(reply.json).toMatchObject({ error: { requested_range: "2h 30m", max_range: "1h" } });
  });

  test("does not know an unknown symbol", async () => {
    expectError(await send(`/v1/ticks?symbol=NOPE&${RANGE}`), 404, "SYMBOL_NOT_FOUND");
  });

  test("needs the scope, then the plan, then the input", async () => {
    const url = `/v1/ticks?symbol=EURUSD&${RANGE}`;
    expectError(await send(url, { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
    for (const plan of ["free", "payg", "starter"] as const) {
      const reply = await send("/v1/ticks?from=nonsense", { key: keys[plan] });
      expectError(reply, 403, "PLAN_UPGRADE_REQUIRED");
      expect(reply.json).toMatchObject({
        error: { current_plan: plan, upgrade_url: expect.stringMatching(/^http.*\/plan$/) as unknown },
      });
    }
  });
});
