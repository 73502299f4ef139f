import { expect, test } from "vitest";
import { expectError, keys, readData, send } from "@/e2e/api/server";
import { HOUR_MS } from "@/lib/time/units";

interface Live {
  data: Record<string, Record<string, number | null>>;
  not_found: string[];
  updated_at: number;
}

interface Past {
  mode: string;
  from: string;
  to: string;
  data: Record<string, { time: string; RSI_14: number | null }[]>;
  not_found: string[];
}

test("Symbols have their canonical names, indicators their requested names, and unknown symbols are listed", async () => {
  const reply = await send("/v1/multi?symbols=EURUSD,EUR/USD,nope,GBPUSD,nope&indicators=RSI_14,SAR,Parabolic_SAR");
  const { data, not_found: missing } = readData<Live>(reply);
  expect(Object.keys(data)).toEqual(["EURUSD", "GBPUSD"]);
  expect(Object.keys(data.EURUSD ?? {})).toEqual(["RSI_14", "SAR", "Parabolic_SAR"]);
  expect(data.EURUSD?.SAR).toBe(data.EURUSD?.Parabolic_SAR);
  expect(missing).toEqual(["nope"]);
  const { value } = readData<{ value: number }>(await send("/v1/indicator?symbol=EURUSD&indicator=RSI_14"));
  expect(data.EURUSD?.RSI_14).toBe(value);
});

test("from answers every bar of a past range", async () => {
  const from = new Date(Date.now() - 240 * HOUR_MS).toISOString();
  const reply = await send(`/v1/multi?symbols=EURUSD,nope&indicators=RSI_14&from=${from}`);
  const { mode, data, not_found: missing } = readData<Past>(reply);
  expect({ mode, missing }).toEqual({ mode: "historical", missing: ["nope"] });
  const rows = data.EURUSD ?? [];
  expect(rows.length).toBeGreaterThan(50);
  const history = `/v1/indicator/history?symbol=EURUSD&indicator=RSI_14&from=${from}&limit=${rows.length}`;
  const { series } = readData<{ series: { time: string; value: number | null }[] }>(await send(history));
  expect(rows).toEqual(series.map(({ time, value }) => ({ time, RSI_14: value })));
});

test("Plans without historical indicators are refused before the input is checked", async () => {
  expect((await send("/v1/multi?symbols=EURUSD&indicators=RSI_14", { key: keys.free })).status).toBe(200);
  for (const from of ["2026-11-20", "nonsense", ""]) {
    const refused = await send(`/v1/multi?symbols=EURUSD&from=${from}`, { key: keys.free });
    expectError(refused, 403, "PLAN_UPGRADE_REQUIRED");
  }
});
