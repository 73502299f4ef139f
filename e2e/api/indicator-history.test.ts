import { expect, test } from "vitest";
import { type DataOf, expectError, readData, send } from "@/e2e/api/server";
import type { indicatorHistoryReply } from "@/lib/api/indicators/readings-replies";

type Past = DataOf<typeof indicatorHistoryReply>;

const PATH = "/v1/indicator/history?symbol=EURUSD&indicator=RSI_14";
const readPast = async (search: string) => readData<Past>(await send(`${PATH}&${search}`));

test("The series has the latest closed bars, oldest first, and ends with the reading of /v1/indicator", async () => {
  const reply = await send(`${PATH}&limit=3`);
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

test("A range of more bars than limit has the next call in the answer and in the header Link", async () => {
  const { series } = await readPast("limit=5");
  const search = `&from=${encodeURIComponent(series[0]?.time ?? "")}&limit=3`;
  const reply = await send(`${PATH}${search}`);
  const { next_from: next } = readData<{ next_from?: string }>(reply);
  expect(next).toBe(series[3]?.time);
  const link = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get("link") ?? "")?.[1] ?? "";
  const rest = await send(link);
  expect(readData<{ series: object[] }>(rest).series.slice(0, 2)).toEqual(series.slice(3, 5));
  expect(rest.headers.get("link")).toBeNull();
});

test("A range that ends before the stored bars is refused, and one that has none is empty", async () => {
  const { series } = await readPast("limit=1");
  const lastMs = Date.parse(series[0]?.time ?? "");
  const [from, to] = [new Date(lastMs + 1).toISOString(), new Date(lastMs + 2).toISOString()];
  expect(await readPast(`from=${from}&to=${to}`)).toMatchObject({ count: 0, series: [] });
  expectError(await send(`${PATH}&from=1970-01-01&to=1970-01-02`), 400, "DATA_OUTSIDE_RETENTION");
});
