import type { Pool, PoolClient } from "pg";
import type { FetchPast } from "@/lib/feeds/feed";
import { type PointBar, raiseBar } from "@/lib/history/bars/bar-block";
import { toMinuteBars } from "@/lib/history/bars/bar-rows";
import { noteRead, postpone, readDue, type StoredGap } from "@/lib/history/gaps/gap-rows";
import { createHourColumns, type SecondRow, writeSecond } from "@/lib/history/hour-columns";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { rememberImports } from "@/lib/history/import/follow-imports";
import {
  type HourPart,
  isTickPart,
  mergeTicks,
  packPart,
  RECORDED,
  type TickList,
  TICKS,
} from "@/lib/history/import/hour-parts";
import {
  composeHour,
  readClosed,
  readOpen,
  readParts,
  readRecorded,
  toRecordedTicks,
  unpackParts,
  writeParts,
} from "@/lib/history/import/import-rows";
import { lockClosedHours, raiseImports, writeHours } from "@/lib/history/import/write-hours";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { instrumentBySymbol, raiseDigitsTo } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { cleanPrice, fitDigits, MAX_POINTS, toPoints } from "@/lib/market/price";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

export interface GapFillerOptions {
  readonly pool: Pool;
  /** How a source's past is fetched; undefined if it has none. */
  readonly findPast: (source: string) => FetchPast | undefined;
  /** The sources in the order of their priority. */
  readonly listPriority: () => readonly string[];
  readonly spreadsFromMs: () => number;
  readonly now: Clock;
  readonly log: Logger;
}

/** An hour is closed this long after its end. */
const CLOSED_AFTER_MS = 2 * MINUTE_MS;
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PAUSE_MS = HOUR_MS;

/** Fills gaps from their sources' own past. What is done is stored, so that a restart continues. */
export class GapFiller {
  readonly #options: GapFillerOptions;
  readonly #stopping = new AbortController();

  constructor(options: GapFillerOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Works through the gaps that are due. After a failure the fetch is repeated, with longer and longer pauses. Throws
   * LeaseLost, and writes nothing more, once `fence` does not hold the lease.
   */
  async run(fence: number): Promise<void> {
    const { pool, now, log } = this.#options;
    for (const gap of await readDue(pool, now())) {
      if (this.#stopping.signal.aborted) return;
      const closedAtMs = Math.ceil(gap.toMs / HOUR_MS) * HOUR_MS + CLOSED_AFTER_MS;
      const { source, fromMs, toMs, attempts } = gap;
      const fetchPast = this.#options.findPast(source);
      if (fetchPast === undefined) {
        await noteRead(pool, fence, gap, { symbols: gap.waiting, missing: gap.waiting });
        log.warn({ source, fromMs, toMs, reason: gap.reason }, "A source has a gap, and no history to fill it from");
      } else if (closedAtMs > now()) {
        await postpone(pool, fence, gap, { nextMs: closedAtMs, isFailure: false });
      } else {
        await this.#fill(gap, fetchPast, fence).catch(async (error: unknown) => {
          if (this.#stopping.signal.aborted) return;
          if (error instanceof LeaseLost) throw error;
          const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 30), LONGEST_PAUSE_MS);
          log.warn({ err: error, source, retryInMs: pauseMs }, "A gap could not be filled; it is tried again");
          await postpone(pool, fence, gap, { nextMs: now() + pauseMs, isFailure: true });
        });
      }
    }
  }

  async #fill(gap: StoredGap, fetchPast: FetchPast, fence: number): Promise<void> {
    const { pool, now, log } = this.#options;
    let seconds = 0;
    const filled: Instrument[] = [];
    for (const symbol of gap.waiting) {
      const instrument = instrumentBySymbol.get(symbol);
      const rows = instrument === undefined ? [] : await this.#fetch(fetchPast, instrument, gap);
      if (instrument === undefined || rows.length === 0) {
        await noteRead(pool, fence, gap, { symbols: [symbol], missing: [symbol] });
        continue;
      }
      if (!(await this.#store(instrument, rows, gap, fence))) {
        await postpone(pool, fence, gap, { nextMs: now() + CLOSED_AFTER_MS, isFailure: false });
        break;
      }
      seconds += rows.length;
      filled.push(instrument);
    }
    if (filled.length === 0) return;
    await rememberImports(pool, filled, now());
    log.info({ source: gap.source, symbols: filled.length, seconds }, "A gap was filled from the source's history");
  }

  /** The last price of each second. */
  async #fetch(fetchPast: FetchPast, instrument: Instrument, { fromMs, toMs }: StoredGap): Promise<SecondRow[]> {
    const { symbol } = instrument;
    const rows = new Map<number, SecondRow>();
    for await (const past of fetchPast(symbol, fromMs, toMs, this.#stopping.signal)) {
      this.#stopping.signal.throwIfAborted();
      const { timeMs, updates } = past;
      const [bid, ask] = [cleanPrice(past.bid, instrument.digits), cleanPrice(past.ask, instrument.digits)];
      if (timeMs < fromMs || timeMs >= toMs || !(bid > 0) || !(ask >= bid) || ask > MAX_POINTS) continue;
      raiseDigitsTo(instrument, bid, ask);
      const digits = fitDigits(ask, instrument.digits);
      const [bidPoints, askPoints] = [toPoints(bid, digits), toPoints(ask, digits)];
      const second = Math.floor(timeMs / SECOND_MS);
      const range = { open: bidPoints, high: bidPoints, low: bidPoints };
      const count = Number.isFinite(updates) && updates >= 1 ? Math.round(updates) : 1;
      rows.set(second, { symbol, digits, second, bid: bidPoints, ask: askPoints, ...range, updates: count });
    }
    return [...rows.values()].sort((a, b) => a.second - b.second);
  }

  /** Writes the rows of each hour, and that the symbol is done with the last. Returns false if an hour is still open. */
  async #store(instrument: Instrument, rows: readonly SecondRow[], gap: StoredGap, fence: number): Promise<boolean> {
    const { pool, listPriority, spreadsFromMs } = this.#options;
    const byHour = groupByHour(rows);
    for (const [hour, missed] of byHour) {
      const isDone = await inLeasedTransaction(pool, fence, async (client) => {
        await lockClosedHours(client);
        if ((await readOpen(client)).has(hour) && !(await readClosed(client, [hour])).has(hour)) return false;
        const common = { priority: listPriority(), spreadsFromMs: spreadsFromMs() };
        await fillHour(client, { symbol: instrument.symbol, hourMs: hour * HOUR_MS, gap, rows: missed, ...common });
        return true;
      });
      if (!isDone) return false;
    }
    await noteRead(pool, fence, gap, { symbols: [instrument.symbol], missing: [] });
    return true;
  }
}

/** Hours are counted since 1970. */
function groupByHour(rows: readonly SecondRow[]): Map<number, SecondRow[]> {
  const byHour = new Map<number, SecondRow[]>();
  for (const row of rows) {
    const hour = Math.floor((row.second * SECOND_MS) / HOUR_MS);
    const list = byHour.get(hour);
    if (list === undefined) byHour.set(hour, [row]);
    else list.push(row);
  }
  return byHour;
}

interface Options {
  readonly symbol: string;
  readonly hourMs: number;
  readonly gap: Pick<StoredGap, "source" | "fromMs" | "toMs">;
  /** The seconds that the source's past has, oldest first, at most one row for each. */
  readonly rows: readonly SecondRow[];
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
}

const NO_TICKS: TickList = { digits: 0, ms: new Int32Array(), bid: new Int32Array(), ask: new Int32Array() };

/**
 * Adds the missed seconds of a closed hour to what the recorder has stored of it, in the caller's transaction, and
 * computes its bars and spreads again. A recorded second is never changed. Between recorded seconds within the gap
 * nothing is added, because these are another source's.
 */
async function fillHour(client: PoolClient, options: Options): Promise<void> {
  const { symbol, hourMs, priority, spreadsFromMs } = options;
  const hour = hourMs / HOUR_MS;
  const packed = (await readParts(client, symbol, [hour])).get(hour);
  const stored =
    packed === undefined ? (await readRecorded(client, symbol, [hour])).get(hour) : unpackParts(packed, options);
  const isRecorded = ({ source }: HourPart) => source === RECORDED;
  const own = (stored ?? []).filter(isRecorded);
  const ticks = own.find(isTickPart)?.ticks ?? NO_TICKS;
  const added = selectMissed(ticks, options);
  if (added.length === 0) return;
  const bars = own.flatMap((part) => (isTickPart(part) || part.timeframe !== 1 ? [] : part.bars));
  const filled: HourPart[] = [
    { source: RECORDED, timeframe: TICKS, ticks: mergeTicks(ticks, toTickList(added, options)) },
    { source: RECORDED, timeframe: 1, bars: mergeMinutes(bars, ticks, added, options) },
  ];
  const isReplaced = (part: HourPart) => isRecorded(part) && (isTickPart(part) || part.timeframe === 1);
  const others = (stored ?? []).filter((part) => !isReplaced(part));
  if (packed !== undefined) {
    await writeParts(
      client,
      symbol,
      filled.map((part) => ({ ...packPart(part, options), hour })),
    );
  }
  const { source, fromMs, toMs } = options.gap;
  const toIso = (timeMs: number) => new Date(timeMs).toISOString();
  await writeHours(client, [composeHour([...filled, ...others], { symbol, hourMs, priority })], {
    symbol,
    spreadsFromMs,
    cause: { kind: "filled", source, from: toIso(fromMs), to: toIso(toMs) },
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

function toTickList(rows: readonly SecondRow[], { symbol, hourMs }: Options): TickList {
  const columns = createHourColumns(symbol, 0, hourMs);
  for (const row of rows) writeSecond(columns, row);
  return toRecordedTicks(toTicks(columns));
}

/** Joins the M1 bars of the added rows with the recorded ones, in the order of their seconds. */
function mergeMinutes(
  bars: readonly PointBar[],
  { ms }: TickList,
  added: readonly SecondRow[],
  { symbol, hourMs }: Options,
): PointBar[] {
  const columns = createHourColumns(symbol, 0, hourMs);
  for (const row of added) writeSecond(columns, row);
  const merged = new Map(bars.map((bar) => [bar.timeMs, bar]));
  for (const missed of toMinuteBars(columns)) {
    const stored = merged.get(missed.timeMs);
    if (stored === undefined) {
      merged.set(missed.timeMs, missed);
      continue;
    }
    const digits = Math.max(stored.digits, missed.digits);
    const [before, bar] = [raiseBar(stored, digits), raiseBar(missed, digits)];
    const within = (atMs: number) => atMs >= bar.timeMs && atMs < bar.timeMs + MINUTE_MS;
    const recorded = Array.from(ms, (each) => hourMs + each).filter(within);
    const filled = added.map(({ second }) => second * SECOND_MS).filter(within);
    const [opens, closes] = [(filled[0] ?? 0) < (recorded[0] ?? 0), (filled.at(-1) ?? 0) > (recorded.at(-1) ?? 0)];
    merged.set(bar.timeMs, {
      timeMs: bar.timeMs,
      digits,
      open: (opens ? bar : before).open,
      high: Math.max(before.high, bar.high),
      low: Math.min(before.low, bar.low),
      close: (closes ? bar : before).close,
      volume: before.volume + bar.volume,
    });
  }
  return [...merged.values()].sort((a, b) => a.timeMs - b.timeMs);
}
