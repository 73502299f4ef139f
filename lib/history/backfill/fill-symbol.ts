import type { PoolClient } from "pg";
import type { PastPrice } from "@/lib/feeds/feed";
import { toHourColumns, toSpreadHours } from "@/lib/history/backfill/past-hours";
import { addBars, readExistingHours, readFilledUntil, writeFilledUntil } from "@/lib/history/backfill/past-rows";
import { type ReadPast, readPastBars, SPREADS_BACK_MS } from "@/lib/history/backfill/zones";
import { joinHourBars } from "@/lib/history/bars/bar-rows";
import { writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import { tickHourStore } from "@/lib/history/ticks/tick-hour-store";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS } from "@/lib/time/units";

/** Bars kept of every timeframe but the shortest, of which a day has more. */
const MOST_BARS = 1_000;
const MOST_MINUTES = 2_000;
const HOURS_A_STATEMENT = 120;
const LONGEST_BAR_MS = (7 * 24 + 1) * HOUR_MS;
const SHORTEST_FIRST = ["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const satisfies readonly Timeframe[];

/**
 * Fills what is missing of one symbol's past up to `endMs`, a full UTC hour: ticks of a day, spreads of a month, enough bars of
 * every timeframe. What is there already stays as it is, but for bars longer than an hour that were made of fewer hours
 * than there are now. In many small statements; doing it again, also after it was cut short, changes nothing.
 */
export async function fillSymbol(
  client: PoolClient,
  instrument: Pick<Instrument, "symbol" | "digits">,
  read: ReadPast,
  endMs: number,
): Promise<"filled" | "known"> {
  const { symbol } = instrument;
  const filledUntilMs = await readFilledUntil(client, symbol);
  if (filledUntilMs !== null && filledUntilMs >= endMs) return "known";
  const sinceMs = filledUntilMs ?? -Infinity;
  // A week's bar may have begun before what is missing.
  const known = await readExistingHours(
    client,
    symbol,
    Math.max(sinceMs, endMs - 2 * SPREADS_BACK_MS) - LONGEST_BAR_MS,
  );
  const pieces: { readonly prices: readonly PastPrice[]; readonly stepMs: number }[] = [];
  const bars = readPastBars(read, { endMs, sinceMs, onPrices: (prices, stepMs) => pieces.push({ prices, stepMs }) });

  const recent = pieces.filter(({ stepMs }) => stepMs === 1_000).flatMap(({ prices }) => prices);
  const hours = toHourColumns(instrument, recent).filter(({ hourMs }) => !known.ticks.has(hourMs));
  await tickHourStore.writeHour(client, hours);

  const spreads = pieces
    .flatMap(({ prices, stepMs }) => toSpreadHours(instrument, prices, stepMs))
    .filter(({ hourMs }) => hourMs >= endMs - SPREADS_BACK_MS && !known.spreads.has(hourMs));
  for (let at = 0; at < spreads.length; at += HOURS_A_STATEMENT) {
    await writeSpreadHours(client, spreads.slice(at, at + HOURS_A_STATEMENT));
  }

  // From the shortest on: who sees an hour finds its minutes.
  const addedHoursMs: number[] = [];
  for (const timeframe of SHORTEST_FIRST) {
    const latest = bars[timeframe].slice(timeframe === "M1" ? -MOST_MINUTES : -MOST_BARS);
    // Nothing is added within an hour that was recorded: what is missing there was missing then.
    const wanted = isLong(timeframe) ? latest : latest.filter(({ timeMs }) => !known.bars.has(hourOf(timeMs)));
    const added = await addBars(client, instrument, timeframe, wanted);
    if (timeframe === "H1") addedHoursMs.push(...added);
  }
  await joinGrown(client, symbol, addedHoursMs, known.bars);
  await writeFilledUntil(client, symbol, endMs);
  return "filled";
}

/** Bars that were made of recorded hours, and have others besides now, are made anew of both. */
async function joinGrown(
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
    }
  }
}

function isLong(timeframe: Timeframe): boolean {
  return timeframe === "H4" || timeframe === "D1" || timeframe === "W1";
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}
