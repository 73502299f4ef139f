import type { BarData, HistoryData, TickData } from "@/features/ticks/types";
import type { HistoryQuery } from "@/features/ticks/url";
import type { Account } from "@/lib/access/accounts/accounts";
import { mayRead } from "@/lib/access/plans";
import { findGaps } from "@/lib/history/ticks/tick-history";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { countExpectedBars, isMarketOpen } from "@/lib/market/trading-hours";
import type { Runtime } from "@/lib/runtime";
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
