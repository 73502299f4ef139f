import { expect, test } from "vitest";
import { type DataOf, readData, send } from "@/e2e/api/server";
import type { summaryReply } from "@/lib/api/indicators/readings-replies";

type Summed = DataOf<typeof summaryReply>;

test("The summary has the values of /v1/indicators and levels around the bid", async () => {
  const reply = await send("/v1/summary?symbol=EURUSD");
  const { key_values: values, key_levels: levels } = readData<Summed>(reply);
  const { indicators } = readData<{ indicators: Record<string, number> }>(await send("/v1/indicators?symbol=EURUSD"));
  expect(values).toMatchObject({ rsi_14: indicators.RSI_14, sma_200: indicators.SMA_200, mfi_14: indicators.MFI_14 });
  const bid = values.bid ?? 0;
  expect(levels.resistance.every((level) => level > bid)).toBe(true);
  expect(levels.support.every((level) => level < bid)).toBe(true);
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
});
