import type { PoolClient } from "pg";
import type { PastPrice } from "@/lib/feeds/feed";
import { toHourColumns, toSpreadHours } from "@/lib/history/backfill/past-hours";
import { addBars, readExistingHours, readFilledUntil, writeFilledUntil } from "@/lib/history/backfill/past-rows";
import { type ReadPast, readPastBars, SPREADS_BACK_MS } from "@/lib/history/backfill/zones";
import { forgetBars } from "@/lib/history/bars/bar-memory";
import { joinHourBars } from "@/lib/history/bars/bar-rows";
import { isBeyondAnHour } from "@/lib/history/bars/series";
import type { HourColumns } from "@/lib/history/hour-columns";
import { withinTransaction } from "@/lib/history/hour-store";
import { lockImports, raiseImports } from "@/lib/history/import/store-batch";
import { excludeHours } from "@/lib/history/imported/span-rows";
import type { SpreadHour } from "@/lib/history/spreads/spread-hour";
import { addMissingSpreadHours } from "@/lib/history/spreads/spread-rows";
import { addMissingHours } from "@/lib/history/ticks/tick-hour-store";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** Bars to store of each timeframe; M1 has more in a day. */
const MAX_BARS = 1_000;
const MAX_M1_BARS = 2_000;
const HOURS_PER_STATEMENT = 120;
const MAX_BAR_MS = (7 * 24 + 1) * HOUR_MS;
const SHORTEST_FIRST = ["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const satisfies readonly Timeframe[];

/**
 * Fills the missing parts of one symbol's past up to `endMs`, a full UTC hour: ticks of a day, spreads of a month,
 * enough bars of every timeframe. Existing rows stay, except for bars longer than an hour that now have more hours.
 * Runs many small statements; running it again, also after an interruption, changes nothing.
 */
export async function fillSymbol(
  client: PoolClient,
  instrument: Pick<Instrument, "symbol" | "digits">,
  read: ReadPast,
  endMs: number,
): Promise<"filled" | "upToDate"> {
  const { symbol } = instrument;
  const filledUntilMs = await readFilledUntil(client, symbol);
  if (filledUntilMs !== null && filledUntilMs >= endMs) return "upToDate";
  const sinceMs = filledUntilMs ?? -Infinity;
  // The bar of a week may have begun before the missing part.
  const existing = await readExistingHours(client, symbol, Math.max(sinceMs, endMs - 2 * SPREADS_BACK_MS) - MAX_BAR_MS);
  const hours: HourColumns[] = [];
  const spreads: SpreadHour[] = [];
  // A month has hundreds of thousands of prices, so none is kept.
  const onPrices = (prices: readonly PastPrice[], stepMs: number) => {
    if (stepMs === SECOND_MS) {
      hours.push(...toHourColumns(instrument, prices).filter(({ hourMs }) => !existing.ticks.has(hourMs)));
    }
    const isWanted = ({ hourMs }: SpreadHour) => hourMs >= endMs - SPREADS_BACK_MS && !existing.spreads.has(hourMs);
    spreads.push(...toSpreadHours(instrument, prices, stepMs).filter(isWanted));
  };
  const bars = readPastBars(read, { endMs, sinceMs, onPrices });
  await addMissingHours(client, hours);
  for (let at = 0; at < spreads.length; at += HOURS_PER_STATEMENT) {
    await addMissingSpreadHours(client, spreads.slice(at, at + HOURS_PER_STATEMENT));
  }

  // Shortest timeframe first, so that a reader that finds an hour also finds its minutes.
  const addedHoursMs: number[] = [];
  for (const timeframe of SHORTEST_FIRST) {
    const latest = bars[timeframe].slice(timeframe === "M1" ? -MAX_M1_BARS : -MAX_BARS);
    // Nothing is added within a recorded hour: its gaps are real.
    const missing = isBeyondAnHour(timeframe)
      ? latest
      : latest.filter(({ timeMs }) => !existing.bars.has(floorToHour(timeMs)));
    const added = await addBars(client, instrument, timeframe, missing);
    const [first] = added.sort((a, b) => a - b);
    if (first !== undefined) await forgetBars(client, [symbol], [{ timeframe, sinceMs: first }]);
    if (timeframe === "H1") addedHoursMs.push(...added);
    if (timeframe === "H1" || isBeyondAnHour(timeframe)) await markFilled(client, symbol, added);
  }
  await rebuildLongBars(client, symbol, addedHoursMs, existing.bars);
  await writeFilledUntil(client, symbol, endMs);
  return "filled";
}

/** Bars may have been added between imported ones: the time between those is not all imported any more. */
async function markFilled(client: PoolClient, symbol: string, addedMs: readonly number[]): Promise<void> {
  const hours = addedMs.map((timeMs) => timeMs / SECOND_MS);
  await withinTransaction(client, async () => {
    await lockImports(client);
    if (await excludeHours(client, symbol, hours)) await raiseImports(client);
  });
}

/** Rebuilds the long bars that contain both recorded and added hours. */
async function rebuildLongBars(
  client: PoolClient,
  symbol: string,
  addedMs: readonly number[],
  recordedMs: ReadonlySet<number>,
) {
  for (const timeframe of ["H4", "D1", "W1"] as const) {
    const recorded = new Set(Array.from(recordedMs, (hourMs) => getBarStart(timeframe, hourMs)));
    const grown = new Set(
      addedMs.map((hourMs) => getBarStart(timeframe, hourMs)).filter((startMs) => recorded.has(startMs)),
    );
    for (const startMs of grown) {
      await joinHourBars(client, [symbol], timeframe, startMs, getBarEnd(timeframe, startMs));
      await forgetBars(client, [symbol], [{ timeframe, sinceMs: startMs }]);
    }
  }
}

function floorToHour(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}
