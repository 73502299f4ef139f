import { expect, test } from "vitest";
import { type DataOf, readData, send } from "@/e2e/api/server";
import type { indicatorsReply } from "@/lib/api/indicators/readings-replies";

type All = DataOf<typeof indicatorsReply>;

test("/v1/indicators answers all 42 readings with the same values as /v1/indicator", async () => {
  const reply = await send("/v1/indicators?symbol=EURUSD");
  const all = readData<All>(reply);
  expect(all.count).toBe(42);
  expect(Object.keys(all.indicators)).toHaveLength(42);
  expect(Object.keys(all.ohlcv ?? {})).toEqual(["open", "high", "low", "close", "volume"]);
  for (const name of ["RSI_14", "SMA_200", "OBV"]) {
    const one = readData<{ value: number }>(await send(`/v1/indicator?symbol=EURUSD&indicator=${name}`));
    expect(all.indicators[name]).toBe(one.value);
  }
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
});

test("category selects the indicators of one category", async () => {
  const { indicators, count } = readData<All>(await send("/v1/indicators?symbol=EURUSD&category=volume"));
  expect(Object.keys(indicators)).toEqual(["OBV", "MFI_14", "AD", "Volumes"]);
  expect(count).toBe(4);
});
