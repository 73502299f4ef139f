import { describe, expect, test } from "vitest";
import { inTransaction } from "@/lib/history/hour-store";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { acquireLease } from "@/lib/history/recording/recorder-lease";
import { addMissingSpreadHours, readSpreadHours, writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import type { Spreads } from "@/lib/history/spreads/spreads";
import { NOW_HOUR_MS, useSpreads } from "@/lib/history/spreads/spreads.fixture";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const CLOSED_MS = NOW_HOUR_MS - HOUR_MS;

describe("writes of spreads", () => {
  const { open, getPool } = useSpreads();
  const readSamples = async (source: "served" | "sources") => {
    const query = { symbol: "EURUSD", kind: source, fromMs: 0, minutesFromMs: Infinity } as const;
    return (await readSpreadHours(getPool(), query)).map(({ hourMs, rollup: { n, sum } }) => ({ hourMs, n, sum }));
  };
  const quoteSeconds = ({ onQuote }: Spreads, seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      const timeMs = CLOSED_MS + second * SECOND_MS;
      onQuote({ source: "alpha", instrument: EURUSD, bid: 1.08, ask: 1.0801, timeMs });
    }
  };

  test("A recorder that was paused until another one took over overwrites no hour that the other has stored", async () => {
    const [paused, successor] = [open(), open()];
    quoteSeconds(paused, 2);
    quoteSeconds(successor, 5);
    const before = await readFence(getPool());
    await paused.save(before);
    const fence = (await acquireLease(getPool(), "another server", true)) as number;
    await successor.save(fence);
    await expect(paused.save(before)).rejects.toThrow("Another server records on this database");
    expect(await readSamples("sources")).toEqual([{ hourMs: CLOSED_MS, n: 5, sum: 50n }]);
  });

  test("An hour that is added replaces none that is stored", async () => {
    const createHour = (hourMs: number, spread: number) => {
      return { symbol: "EURUSD", source: "", hourMs, digits: 5, minutes: [new Map([[spread, 1]])] };
    };
    await inTransaction(getPool(), async (client) => {
      await writeSpreadHours(client, [createHour(CLOSED_MS, 10)]);
      await addMissingSpreadHours(client, [createHour(CLOSED_MS, 20), createHour(CLOSED_MS - HOUR_MS, 30)]);
    });
    expect(await readSamples("served")).toEqual([
      { hourMs: CLOSED_MS - HOUR_MS, n: 1, sum: 30n },
      { hourMs: CLOSED_MS, n: 1, sum: 10n },
    ]);
  });
});
