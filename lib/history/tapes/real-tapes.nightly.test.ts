import { describe, expect, test } from "vitest";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { type Tape, TickList } from "@/lib/history/tapes/tape";
import { decodeTape, encodeTape } from "@/lib/history/tapes/tape-block";
import { readRealDays } from "@/lib/history/ticks/real-ticks.fixture";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { fitDigits, toPoints } from "@/lib/market/price";
import { HOUR_MS } from "@/lib/time/units";

const dir = findRealData();

/** A delay of receipt that is anything from 0 to 8 ms more than another one, or always the same. */
const DELAYS = { constant: () => 20, random: (at: number) => 20 + (((at * 2_654_435_761) >>> 8) % 9) };

describe.skipIf(dir === undefined)("recorded days as tapes", () => {
  test.each(Object.entries(DELAYS))(
    "Every tick is read back, and takes about 2 to 3 bytes; %s delay",
    (_, getDelay) => {
      for (const { symbol, ticks } of readRealDays(dir ?? "")) {
        const { digits: usual = 5 } = instrumentBySymbol.get(symbol) ?? {};
        const hours = new Map<number, TickList>();
        for (const [at, { timeMs, bid, ask }] of ticks.entries()) {
          const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
          const list = hours.get(hourMs) ?? new TickList();
          hours.set(hourMs, list);
          const digits = fitDigits(ask, usual);
          const prices = { digits, bid: toPoints(bid, digits), ask: toPoints(ask, digits) };
          list.add({ ...prices, timeMs, receivedMs: timeMs + getDelay(at), isServed: true });
        }
        let bytes = 0;
        for (const [hourMs, list] of hours) {
          const tape = list.toTape();
          const block = encodeTape(hourMs, tape);
          expect(listPrices(decodeTape(hourMs, block))).toEqual(listPrices(tape));
          bytes += block.length;
        }
        // An evening after the weekend has few ticks, and a block has some bytes of its own.
        if (ticks.length > 10_000) expect(bytes / ticks.length).toBeLessThan(3.1);
      }
    },
  );
});

/** The ticks of a tape as texts of prices, whatever digits they are stored with. */
function listPrices({ digits, timesMs, receivedMs, bids, asks }: Tape): string[] {
  return Array.from(timesMs, (timeMs, at) => {
    const prices = [bids, asks].map((points) => ((points[at] as number) / 10 ** digits).toFixed(6));
    return [timeMs, receivedMs[at], ...prices].join(" ");
  });
}
