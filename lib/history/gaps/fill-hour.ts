import type { PoolClient } from "pg";
import { type PointBar, toMinuteBars } from "@/lib/history/bars/point-bar";
import { createHourColumns, type SecondRow, writeSecond } from "@/lib/history/hour-columns";
import { composeHour } from "@/lib/history/import/compose-hour";
import { type HourPart, isTickPart, packPart, RECORDED, TICKS } from "@/lib/history/import/hour-parts";
import { readParts, readRecorded, unpackParts, writeParts } from "@/lib/history/import/import-rows";
import { mergeTicks } from "@/lib/history/import/merge-ticks";
import { raiseImports } from "@/lib/history/import/store-batch";
import type { TickList } from "@/lib/history/import/tick-list";
import { writeHours } from "@/lib/history/import/write-hours";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly instrument: Pick<Instrument, "symbol" | "digits">;
  readonly hourMs: number;
  readonly gap: { readonly fromMs: number; readonly toMs: number };
  /** The seconds that the source's past has, oldest first, at most one row for each. */
  readonly rows: readonly SecondRow[];
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
}

const NO_TICKS: TickList = { ms: new Int32Array(), bid: new Int32Array(), ask: new Int32Array() };

/**
 * Adds the missed seconds of a closed hour to what the recorder has stored of it, in the caller's transaction, and
 * computes its bars and spreads again. A recorded second is never changed. Between recorded seconds within the gap
 * nothing is added, because these are another source's.
 */
export async function fillHour(client: PoolClient, options: Options): Promise<void> {
  const { instrument, hourMs, priority, spreadsFromMs } = options;
  const { symbol } = instrument;
  const hour = hourMs / HOUR_MS;
  const packed = (await readParts(client, symbol, [hour])).get(hour);
  const stored =
    packed === undefined ? (await readRecorded(client, symbol, [hour])).get(hour) : unpackParts(packed, hour);
  const isRecorded = ({ source }: HourPart) => source === RECORDED;
  const own = (stored ?? []).filter(isRecorded);
  const ticks = own.find(isTickPart)?.ticks ?? NO_TICKS;
  const added = selectMissed(ticks, options);
  if (added.length === 0) return;
  const bars = own.flatMap((part) => (isTickPart(part) || part.timeframe !== 1 ? [] : part.bars));
  const filled: HourPart[] = [
    { source: RECORDED, timeframe: TICKS, ticks: mergeTicks(ticks, toTickList(added, hourMs)) },
    { source: RECORDED, timeframe: 1, bars: mergeMinutes(bars, ticks, added, options) },
  ];
  const isReplaced = (part: HourPart) => isRecorded(part) && (isTickPart(part) || part.timeframe === 1);
  const others = (stored ?? []).filter((part) => !isReplaced(part));
  if (packed !== undefined) {
    await writeParts(
      client,
      symbol,
      filled.map((part) => ({ ...packPart(part, hourMs), hour })),
    );
  }
  await writeHours(client, [composeHour([...filled, ...others], { instrument, hourMs, priority })], {
    symbol,
    spreadsFromMs,
  });
  await raiseImports(client);
}

/** The rows before the first and after the last second that was recorded within the gap. */
function selectMissed({ ms }: TickList, { hourMs, gap, rows }: Options): SecondRow[] {
  const recorded = new Set(Array.from(ms, (each) => Math.floor((hourMs + each) / SECOND_MS)));
  // The last second before the gap and the first one after it may be in it partly.
  const [first, last] = [Math.floor(gap.fromMs / SECOND_MS) + 1, Math.floor(gap.toMs / SECOND_MS) - 1];
  const within = [...recorded].filter((second) => second >= first && second <= last);
  const [begin, end] = [
    within.reduce((a, b) => Math.min(a, b), Infinity),
    within.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  return rows.filter(({ second }) => !recorded.has(second) && (second < begin || second > end));
}

function toTickList(rows: readonly SecondRow[], hourMs: number): TickList {
  return {
    ms: Int32Array.from(rows, ({ second }) => second * SECOND_MS - hourMs),
    bid: Int32Array.from(rows, ({ bid }) => bid),
    ask: Int32Array.from(rows, ({ ask }) => ask),
  };
}

/** Joins the M1 bars of the added rows with the recorded ones, in the order of their seconds. */
function mergeMinutes(
  bars: readonly PointBar[],
  { ms }: TickList,
  added: readonly SecondRow[],
  { instrument: { symbol, digits }, hourMs }: Options,
): PointBar[] {
  const columns = createHourColumns(symbol, digits, hourMs);
  for (const row of added) writeSecond(columns, row);
  const merged = new Map(bars.map((bar) => [bar.timeMs, bar]));
  for (const bar of toMinuteBars(columns)) {
    const before = merged.get(bar.timeMs);
    if (before === undefined) {
      merged.set(bar.timeMs, bar);
      continue;
    }
    const within = (atMs: number) => atMs >= bar.timeMs && atMs < bar.timeMs + MINUTE_MS;
    const recorded = Array.from(ms, (each) => hourMs + each).filter(within);
    const filled = added.map(({ second }) => second * SECOND_MS).filter(within);
    const [opens, closes] = [(filled[0] ?? 0) < (recorded[0] ?? 0), (filled.at(-1) ?? 0) > (recorded.at(-1) ?? 0)];
    merged.set(bar.timeMs, {
      timeMs: bar.timeMs,
      open: (opens ? bar : before).open,
      high: Math.max(before.high, bar.high),
      low: Math.min(before.low, bar.low),
      close: (closes ? bar : before).close,
      volume: before.volume + bar.volume,
    });
  }
  return [...merged.values()].sort((a, b) => a.timeMs - b.timeMs);
}
