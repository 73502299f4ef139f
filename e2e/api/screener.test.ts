import { expect, test } from "vitest";
import { type DataOf, readData, send } from "@/e2e/api/server";
import type { screenerReply } from "@/lib/api/indicators/readings-replies";

type Screened = DataOf<typeof screenerReply>;

const screen = async (search: string) => {
  const reply = await send(`/v1/screener?indicator=RSI_14&${search}`);
  return readData<Screened>(reply);
};

test("The screener answers every symbol with its value and bid, lowest first", async () => {
  const { results, total_matches: total, filter } = await screen("limit=200");
  const values = results.map(({ value }) => value);
  expect(filter).toEqual({ min: null, max: null });
  expect(total).toBe(results.length);
  expect(values).toEqual([...values].sort((one, other) => one - other));
  const euro = results.find(({ symbol }) => symbol === "EURUSD");
  const { value } = readData<{ value: number }>(await send("/v1/indicator?symbol=EURUSD&indicator=RSI_14"));
  expect(euro).toMatchObject({ value, bid: expect.any(Number) as number });
});

test("min_val and max_val are inclusive bounds, and the results have pages", async () => {
  const all = await screen("limit=200&sort=desc");
  const [highest, lowest] = [all.results[0]?.value ?? 0, all.results.at(-1)?.value ?? 0];
  const bounds = `min_val=${lowest}&max_val=${highest}&sort=desc`;
  expect((await screen(`${bounds}&limit=200`)).filter).toEqual({ min: lowest, max: highest });
  const first = await screen(`${bounds}&limit=1`);
  expect(first.results[0]?.value).toBe(highest);
  expect(first.pagination).toMatchObject({ offset: 0, limit: 1, has_more: first.total_matches > 1 });
  const beyond = await screen(`${bounds}&limit=200&offset=100000`);
  expect(beyond).toMatchObject({ results: [], pagination: { has_more: false } });
  expect(await screen("min_val=100.5")).toMatchObject({ results: [], total_matches: 0 });
});

test("One bound leaves the other null", async () => {
  expect((await screen("min_val=1")).filter).toEqual({ min: 1, max: null });
});
