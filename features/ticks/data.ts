import type { Account } from "@/lib/access/accounts/accounts";
import { mayRead } from "@/lib/access/plans";
import { findGaps } from "@/lib/history/ticks/tick-history";
import { countExpectedBars } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Runtime } from "@/lib/runtime";
import { parseTime } from "@/lib/time/iso-time";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const SHOWN_BARS = 120;
const SHORTEST_GAP_MS = MINUTE_MS;

type HistoryRuntime = Pick<Runtime, "history" | "marketNow">;

/** Reads the page's data: bars for every account, ticks for operators and accounts whose plan includes them. */
export async function readHistory(
  runtime: HistoryRuntime,
  account: Account,
  { instrument, kind, fromMs }: HistoryQuery,
): Promise<HistoryData> {
  if (kind !== "ticks") return readBars(runtime, instrument, kind);
  const { symbol, digits } = instrument;
  return mayRead(account, "ticks") ? readTicks(runtime, instrument, fromMs) : { kind: "locked", symbol, digits };
}

async function readBars(
  { history, marketNow }: HistoryRuntime,
  instrument: Instrument,
  kind: Timeframe,
): Promise<BarData> {
  const { symbol, digits, tradingHours } = instrument;
  const { closed, forming } = await history.bars.readSeries(symbol, kind);
  const bars = [...closed, ...(forming === null ? [] : [forming])].slice(-SHOWN_BARS);
  const firstMs = bars[0]?.timeMs;
  const expected = firstMs === undefined ? null : countExpectedBars(tradingHours, kind, firstMs, marketNow());
  return { kind, symbol, digits, bars, isForming: forming !== null, expected };
}

async function readTicks(
  { history, marketNow }: HistoryRuntime,
  instrument: Instrument,
  hourMs: number | null,
): Promise<TickData> {
  const { symbol, digits, pipSize, tradingHours } = instrument;
  const fromMs = hourMs ?? Math.floor(marketNow() / 1000) * 1000 - HOUR_MS;
  const toMs = fromMs + HOUR_MS;
  const range = await history.ticks.readRange(symbol, fromMs, toMs);
  const ticks = range.parts.flatMap(({ hour, from, to }) => {
    const { seconds, bid, ask } = hour.ticks;
    const price = (points: number) => points / 10 ** hour.ticks.digits;
    return Array.from({ length: to - from }, (_, index) => {
      const at = from + index;
      const timeMs = hour.hourMs + (seconds[at] as number) * 1000;
      return [timeMs, price(bid[at] as number), price(ask[at] as number)] as const;
    });
  });
  const gaps = findGaps(range).filter((gap) => gap.toMs - gap.fromMs >= SHORTEST_GAP_MS);
  return {
    kind: "ticks",
    symbol,
    digits,
    pipSize,
    fromMs,
    toMs,
    ticks,
    knownUntilMs: range.knownUntilMs,
    gaps: gaps.map((gap) => [gap.fromMs, gap.toMs] as const),
    beganClosed: !isMarketOpen(tradingHours, fromMs),
  };
}

/** Ticks, or bars of a timeframe. */
export type HistoryKind = "ticks" | Timeframe;

interface PriceFormat {
  readonly symbol: string;
  readonly digits: number;
}

/** The latest bars of one symbol and timeframe. */
export interface BarData extends PriceFormat {
  readonly kind: Timeframe;
  /** Oldest first. */
  readonly bars: readonly HistoryBar[];
  /** Whether the last bar is still filling. */
  readonly isForming: boolean;
  /** The number of bars with a price in every open hour of the market; null if unknown. */
  readonly expected: number | null;
}

interface HistoryBar {
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** An hour of ticks of one symbol. */
export interface TickData extends PriceFormat {
  readonly kind: "ticks";
  readonly pipSize: number;
  /** The hour: UTC milliseconds, end excluded. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The end of the recorded part: `toMs`, or earlier if the hour is not over. */
  readonly knownUntilMs: number;
  /** Time, bid and ask, oldest first. */
  readonly ticks: readonly (readonly [timeMs: number, bid: number, ask: number])[];
  /** Gaps of a minute or more: from, to. */
  readonly gaps: readonly (readonly [fromMs: number, toMs: number])[];
  /** Whether the market was closed when the hour began. */
  readonly beganClosed: boolean;
}

/** In place of ticks that the account's plan does not include. */
interface LockedData extends PriceFormat {
  readonly kind: "locked";
}

export type HistoryData = BarData | TickData | LockedData;

/** The recorded prices that the page shows. */
interface HistoryQuery {
  readonly instrument: Instrument;
  readonly kind: HistoryKind;
  /** Start of the hour of ticks in UTC milliseconds; null for the one that ends now. */
  readonly fromMs: number | null;
}

/**
 * Reads the page's address. Missing and invalid values are replaced by their defaults. Returns null for an unknown
 * symbol.
 */
export function readHistoryQuery(search: URLSearchParams, resolver: Resolver): HistoryQuery | null {
  const instrument = resolver.find(search.get("symbol") ?? "EURUSD");
  if (instrument === undefined) return null;
  const kind =
    search.get("view") === "ticks" ? "ticks" : (TIMEFRAMES.find((each) => each === search.get("view")) ?? "M5");
  const timeMs = parseTime(search.get("from") ?? "");
  return { instrument, kind, fromMs: timeMs === null ? null : Math.floor(timeMs / HOUR_MS) * HOUR_MS };
}
