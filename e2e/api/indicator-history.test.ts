import { beforeAll, expect, test } from "vitest";
import { waitForBars } from "@/e2e/api/bars";
import { expectError, onEveryServer, readData } from "@/e2e/api/servers";
import { indicatorHistoryReply } from "@/lib/api/indicators/readings-replies";

interface Past {
  from: string | null;
  to: string | null;
  count: number;
  max_window_hours: number;
  series: { time: string; value: number | null }[];
}

onEveryServer(({ keys }, send) => {
  beforeAll(() => waitForBars(send, "EURUSD", "H1"));

  const path = "/v1/indicator/history?symbol=EURUSD&indicator=RSI_14";
  const readPast = async (search: string) => readData<Past>(await send(`${path}&${search}`));

  test("The series has the latest closed bars, oldest first, and ends with the reading of /v1/indicator", async () => {
    const reply = await send(`${path}&limit=3`);
    expect(() => indicatorHistoryReply.parse(reply.json), reply.text).not.toThrow();
    const { from, to, count, max_window_hours: hours, series } = readData<Past>(reply);
    expect({ from, to, count, hours }).toEqual({ from: null, to: null, count: 3, hours: 5000 });
    const { value } = readData<{ value: number }>(await send("/v1/indicator?symbol=EURUSD&indicator=RSI_14"));
    expect(series.at(-1)?.value).toBe(value);
  });

  test("The series begins at from and ends before to, also with UTC offsets", async () => {
    const { series } = await readPast("limit=6");
    const [second, last] = [series[1]?.time ?? "", series[5]?.time ?? ""];
    const between = await readPast(`from=${encodeURIComponent(second)}&to=${encodeURIComponent(last)}`);
    expect(between.series).toEqual(series.slice(1, 5));
    expect(between).toMatchObject({ from: second, to: last });
    expect((await readPast(`from=${second.slice(0, 19)}%2B00:00&limit=2`)).series).toEqual(series.slice(1, 3));
    expect((await readPast(`to=${last.slice(0, 19)}Z&limit=2`)).series).toEqual(series.slice(3, 5));
  });

  test("The series is empty where nothing was recorded", async () => {
    expect(await readPast("from=1970-01-01&to=1970-01-02")).toMatchObject({ count: 0, series: [] });
  });

  test("Keys without the plan or the scope are refused", async () => {
    const refused = await send(`${path}&limit=nonsense`, { key: keys.free });
    expectError(refused, 403, "PLAN_UPGRADE_REQUIRED");
    expect(refused.json).toMatchObject({ error: { current_plan: "free" } });
    expectError(await send(path, { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
  });

  test.each([
    ["symbol=EURUSD", "VALIDATION_ERROR"],
    ["symbol=EURUSD&indicator=RSI", "VALIDATION_ERROR"],
    ["symbol=EURUSD&indicator=RSI_14&limit=0", "VALIDATION_ERROR"],
    ["symbol=EURUSD&indicator=RSI_14&limit=5001", "VALIDATION_ERROR"],
    ["symbol=EURUSD&indicator=RSI_14&from=2026-02-30", "INVALID_DATETIME"],
    ["symbol=EURUSD&indicator=RSI_14&from=", "INVALID_DATETIME"],
    ["symbol=EURUSD&indicator=RSI_14&from=2026-01-02&to=2026-01-02", "INVALID_RANGE"],
    ["symbol=EURUSD&indicator=RSI_14&timeframe=D2", "INVALID_TIMEFRAME"],
  ])("/v1/indicator/history?%s is refused with %s", async (search, code) => {
    expectError(await send(`/v1/indicator/history?${search}`), 400, code);
  });

  test("An unknown symbol is refused with 404", async () => {
    expectError(await send("/v1/indicator/history?symbol=nope&indicator=RSI_14"), 404, "SYMBOL_NOT_FOUND");
  });
});
