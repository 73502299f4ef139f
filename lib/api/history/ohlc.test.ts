import { expect, test } from "vitest";
import { type Call, parseHeaderLines } from "@/lib/api/engine/call";
import { parseQuery } from "@/lib/api/engine/input";
import type { Services } from "@/lib/api/engine/services";
import { ohlc } from "@/lib/api/history/ohlc";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { HOUR_MS } from "@/lib/time/units";

const START = Date.UTC(2024, 4, 14, 6);

/** Two hours that were imported, before a simulation. */
const services = {
  resolver: createResolver(instruments),
  marketNow: () => START + 100 * HOUR_MS,
  keepDays: { ticks: 10, m1: 10, m5: 10, spreads: 10 },
  origins: {
    findMode: (_: string, fromMs: number, toMs = Infinity) =>
      fromMs >= START && toMs <= START + 2 * HOUR_MS ? "live" : "simulated",
  },
  history: {
    bars: {
      readRange: (_: string, __: string, { toMs = Infinity }: { toMs?: number }) =>
        [0, 1, 2, 3]
          .map((hour) => ({ timeMs: START + hour * HOUR_MS, open: 1, high: 1, low: 1, close: 1, volume: 1 }))
          .filter(({ timeMs }) => timeMs < toMs),
    },
  },
} as unknown as Services;

async function readMode(toMs: number): Promise<string | undefined> {
  const search = `symbol=EURUSD&timeframe=H1&from=${new Date(START).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const { value: query } = parseQuery(search, ohlc.query);
  const call = { path: ohlc.path, search, header: () => undefined } as unknown as Call;
  const handled = await ohlc.handle({ query, body: null, segment: "", key: null, call, isTable: false, services });
  return Object.fromEntries(parseHeaderLines(handled.headers ?? ""))["X-Data-Mode"];
}

test("/v1/ohlc has the data mode of the bars that it answers, not of later ones", async () => {
  expect(await readMode(START + 2 * HOUR_MS)).toBeUndefined();
  expect(await readMode(START + 2 * HOUR_MS + 1)).toBe("simulated");
});
