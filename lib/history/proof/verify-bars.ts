import type { Pool, PoolClient } from "pg";
import { type PointBar, raiseBar } from "@/lib/history/bars/bar-block";
import { joinBars, readBars } from "@/lib/history/bars/bar-rows";
import type { HourTicks } from "@/lib/history/ticks/hour-block";
import { alignPoints, toPrice } from "@/lib/market/price";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A stored bar that does not fit the seconds or the minutes in it. */
export interface WrongBar {
  readonly timeMs: number;
  /** A sentence. */
  readonly message: string;
}

const JOINED = ["M5", "M15", "M30", "H1"] as const satisfies readonly StoredTimeframe[];
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;

/**
 * Compares the bars of a symbol's day with its proven hours of ticks, by the hour since 1970: those of a minute with their
 * seconds, and longer ones with the minutes in them. A second has its last price only, so the others of a minute may
 * lie beyond. Bars without ticks are imported ones, which have no proof. Returns how many were compared.
 */
export async function checkBars(
  pool: Pool | PoolClient,
  symbol: string,
  dayMs: number,
  hours: ReadonlyMap<number, HourTicks>,
  onWrong: (wrong: WrongBar) => void,
): Promise<number> {
  const range = {
    symbols: [symbol],
    fromMs: dayMs,
    toMs: dayMs + DAY_MS,
    limit: MINUTES_PER_DAY,
    pick: "first",
  } as const;
  const read = async (timeframe: StoredTimeframe) =>
    ((await readBars(pool, { ...range, timeframe })).get(symbol) ?? []).filter(({ timeMs }) =>
      hours.has(Math.floor(timeMs / HOUR_MS)),
    );
  const minutes = await read("M1");
  const seconds = new Map([...hours].flatMap(([hour, ticks]) => listMinutes(hour * HOUR_MS, ticks)));
  let compared = 0;
  for (const bar of minutes) {
    const bids = seconds.get(bar.timeMs);
    if (bids === undefined) continue;
    compared++;
    if (!fitsSeconds(bar, bids))
      onWrong({ timeMs: bar.timeMs, message: `The M1 bar is not of its seconds: ${format(bar)}.` });
  }
  for (const timeframe of JOINED) {
    const joined = new Map(joinBars(minutes, timeframe).map((bar) => [bar.timeMs, bar]));
    for (const bar of await read(timeframe)) {
      const expected = joined.get(bar.timeMs);
      if (expected === undefined) continue;
      compared++;
      if (format(bar) === format(expected)) continue;
      const message = `The ${timeframe} bar is not of its minutes: ${format(bar)}, and they have ${format(expected)}.`;
      onWrong({ timeMs: bar.timeMs, message });
    }
  }
  return compared;
}

interface Bids {
  readonly digits: number;
  readonly bids: number[];
}

/** The bids of each minute that has any, by its beginning. */
function listMinutes(hourMs: number, { digits, seconds, bid }: HourTicks): [number, Bids][] {
  const minutes = new Map<number, Bids>();
  for (let i = 0; i < seconds.length; i++) {
    const timeMs = hourMs + Math.floor(((seconds[i] as number) * SECOND_MS) / MINUTE_MS) * MINUTE_MS;
    const minute = minutes.get(timeMs);
    if (minute === undefined) minutes.set(timeMs, { digits, bids: [bid[i] as number] });
    else minute.bids.push(bid[i] as number);
  }
  return [...minutes];
}

function fitsSeconds(stored: PointBar, { digits, bids }: Bids): boolean {
  const most = Math.max(stored.digits, digits);
  const { open, high, low, close, volume } = raiseBar(stored, most);
  const own = bids.map((each) => alignPoints(each, digits, most));
  const [first, last, top, bottom] = [own[0], own.at(-1), Math.max(...own), Math.min(...own)];
  const isWithin = close === last && high >= top && low <= bottom && open >= low && open <= high;
  const isEqual = open === first && high === top && low === bottom;
  return isWithin && volume >= own.length && (isEqual || volume > own.length);
}

/** "1.0853 1.0861 1.085 1.0855 of 60". */
function format({ digits, open, high, low, close, volume }: PointBar): string {
  return `${[open, high, low, close].map((points) => toPrice(points, digits)).join(" ")} of ${volume}`;
}
