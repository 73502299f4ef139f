import { expect, test } from "vitest";
import { readData, send } from "@/e2e/api/server";
import { summaryReply } from "@/lib/api/indicators/readings-replies";

interface Summed {
  key_values: Record<string, number | null>;
  key_levels: { resistance: number[]; support: number[] };
}

test("The summary has the values of /v1/indicators and levels around the bid", async () => {
  const reply = await send("/v1/summary?symbol=EURUSD");
  expect(() => summaryReply.parse(reply.json), reply.text).not.toThrow();
  const { key_values: values, key_levels: levels } = readData<Summed>(reply);
  const { indicators } = readData<{ indicators: Record<string, number> }>(await send("/v1/indicators?symbol=EURUSD"));
  expect(values).toMatchObject({ rsi_14: indicators.RSI_14, sma_200: indicators.SMA_200, mfi_14: indicators.MFI_14 });
  const bid = values.bid ?? 0;
  expect(levels.resistance.every((level) => level > bid)).toBe(true);
  expect(levels.support.every((level) => level < bid)).toBe(true);
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
});
