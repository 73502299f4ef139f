import type { Account } from "@/lib/access/accounts/accounts";
import { mayRead } from "@/lib/access/plans";
import { writeCsv } from "@/lib/api/history/every-tick";
import type { TickResolution } from "@/lib/history/tapes/kept-ticks";
import { type KeptTimes, listTicks, type RangeTick } from "@/lib/history/tapes/tape-history";
import { findGaps } from "@/lib/history/ticks/tick-history";
import { countExpectedBars } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import type { Resolver } from "@/lib/market/resolver";
import { getBarEnd, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Runtime } from "@/lib/runtime";
import { formatCsv } from "@/lib/text/csv";
import { formatStamp, formatTime, parseTime } from "@/lib/time/iso-time";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const SHOWN_BARS = 120;
const SHORTEST_GAP_MS = MINUTE_MS;
/** The page has the newest ticks of an hour; a file has all. */
const SHOWN_TICKS = 100;

type HistoryRuntime = Pick<Runtime, "history" | "marketNow" | "readTapes" | "readKeptTimes">;

/** Reads the page's data: bars for every account, ticks for operators and accounts whose plan includes them. */
export async function readHistory(
  runtime: HistoryRuntime,
  account: Account,
  { instrument, kind, fromMs, resolution }: HistoryQuery,
): Promise<HistoryData> {
  if (kind !== "ticks") return readBars(runtime, instrument, kind);
  const { symbol, digits } = instrument;
  if (!mayRead(account, "ticks")) return { kind: "locked", symbol, digits };
  const seconds = await readSeconds(runtime, instrument, fromMs);
  const hour = { fromMs: seconds.fromMs, toMs: seconds.toMs };
  if (resolution === "1s") return toTickData(seconds, await readKept(runtime, instrument, hour), null);
  const { ticks, ...kept } = await readEveryTick(runtime, instrument, hour);
  const latest = ticks
    .slice(-SHOWN_TICKS)
    .map((tick, index) => toRow(tick, Math.max(0, ticks.length - SHOWN_TICKS) + index));
  const every = { count: ticks.length, latest: latest.reverse() };
  return toTickData(seconds, kept, kept.kept === null ? null : every);
}

/** The shown hour as a file, as `/v1/ticks` writes it. Null if the account's plan has no ticks. */
export async function readTicksCsv(
  runtime: HistoryRuntime,
  account: Account,
  { instrument, fromMs, resolution }: HistoryQuery,
): Promise<{ readonly name: string; readonly csv: string } | null> {
  if (!mayRead(account, "ticks")) return null;
  const seconds = await readSeconds(runtime, instrument, fromMs);
  const hour = `${formatStamp(seconds.fromMs)}-${formatStamp(seconds.toMs)}`;
  if (resolution === "tick") {
    const { ticks } = await readEveryTick(runtime, instrument, seconds);
    return { name: `${instrument.symbol}-every-tick-${hour}`, csv: (await writeCsv(ticks)).toString() };
  }
  const rows = seconds.ticks.map(([timeMs, bid, ask]) => [formatTime(timeMs), bid, ask, 0]);
  return { name: `${instrument.symbol}-ticks-${hour}`, csv: formatCsv(["time", "bid", "ask", "flags"], rows) };
}

interface Hour {
  readonly fromMs: number;
  readonly toMs: number;
}

async function readKept({ readKeptTimes, marketNow }: HistoryRuntime, instrument: Instrument, hour: Hour) {
  return readKeptTimes(instrument, { ...hour, nowMs: marketNow() });
}

/** Every tick of the served price in an hour, oldest first, and when ticks were kept. */
async function readEveryTick(
  { readTapes, marketNow }: HistoryRuntime,
  instrument: Instrument,
  hour: Hour,
): Promise<KeptTimes & { readonly ticks: readonly RangeTick[] }> {
  const nowMs = marketNow();
  const { tapes, kept, notKept } = await readTapes(instrument, { ...hour, nowMs });
  // At a second of the past, what came later was not known.
  const ticks = [...listTicks(tapes, true)].filter(({ tape, at }) => (tape.receivedMs[at] as number) <= nowMs);
  return { kept, notKept, ticks };
}

function toRow({ source, tape, at }: RangeTick, number: number): EveryTickRow {
  const price = (points: Float64Array) => toPrice(points[at] as number, tape.digits);
  const timeMs = tape.timesMs[at] as number;
  const delayMs = (tape.receivedMs[at] as number) - timeMs;
  return { number, timeMs, bid: price(tape.bids), ask: price(tape.asks), source, delayMs };
}

function toTickData(seconds: SecondsData, { kept, notKept }: KeptTimes, every: TickData["every"]): TickData {
  return {
    ...seconds,
    kept: kept && [kept.fromMs, kept.toMs],
    notKept: notKept.map((span) => [span.fromMs, span.toMs] as const),
    every,
  };
}

async function readBars(
  { history, marketNow }: HistoryRuntime,
  instrument: Instrument,
  kind: Timeframe,
): Promise<BarData> {
  const { symbol, digits, tradingHours } = instrument;
  const bars = await history.bars.readRange(symbol, kind, { limit: SHOWN_BARS });
  const nowMs = marketNow();
  const [first, last] = [bars[0], bars.at(-1)];
  const expected = first === undefined ? null : countExpectedBars(tradingHours, kind, first.timeMs, nowMs);
  return {
    kind,
    symbol,
    digits,
    bars,
    isForming: last !== undefined && getBarEnd(kind, last.timeMs) > nowMs,
    expected,
  };
}

/** The hour of ticks that the page shows: the chosen one, or the one that ends now. */
async function readSeconds(
  { history, marketNow }: Pick<HistoryRuntime, "history" | "marketNow">,
  instrument: Instrument,
  hourMs: number | null,
): Promise<SecondsData> {
  const { symbol, digits, pipSize, tradingHours } = instrument;
  const fromMs = hourMs ?? Math.floor(marketNow() / 1000) * 1000 - HOUR_MS;
  const toMs = fromMs + HOUR_MS;
  const range = await history.ticks.readRange(symbol, fromMs, toMs);
  const ticks = range.parts.flatMap(({ hour, from, to }) => {
    const { seconds, bid, ask } = hour.ticks;
    const price = (points: number) => toPrice(points, hour.ticks.digits);
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

/** The seconds of an hour of one symbol. */
interface SecondsData extends PriceFormat {
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

/** An hour of ticks of one symbol. */
export interface TickData extends SecondsData {
  /** When every tick of the symbol was kept: from, until. Null where it never was. */
  readonly kept: readonly [fromMs: number, toMs: number] | null;
  /** Times in the hour in which not every tick was kept. */
  readonly notKept: readonly (readonly [fromMs: number, toMs: number])[];
  /** Every tick of the served price in the hour: how many, and the newest first. Null for seconds, or where none are kept. */
  readonly every: { readonly count: number; readonly latest: readonly EveryTickRow[] } | null;
}

interface EveryTickRow {
  /** Its place in the hour. */
  readonly number: number;
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
  readonly source: string;
  /** How much later it was received. */
  readonly delayMs: number;
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
  /** The resolution of ticks. */
  readonly resolution: TickResolution;
}

/**
 * Reads the page's address. Missing and invalid values are replaced by their defaults. Returns null for an unknown
 * symbol.
 */
export function readHistoryQuery(search: URLSearchParams, resolver: Resolver): HistoryQuery | null {
  const instrument = resolver.find(search.get("symbol") ?? "EURUSD");
  if (instrument === undefined) return null;
  const [view, resolution] = [search.get("view"), search.get("resolution")];
  // Without a script, the choice of the resolution is sent without a view.
  const isTicks = view === "ticks" || (view === null && resolution !== null);
  const kind = isTicks ? "ticks" : (TIMEFRAMES.find((each) => each === view) ?? "M5");
  const timeMs = parseTime(search.get("from") ?? "");
  return {
    ...{ instrument, kind, resolution: resolution === "tick" ? "tick" : "1s" },
    fromMs: timeMs === null ? null : Math.floor(timeMs / HOUR_MS) * HOUR_MS,
  };
}
