import type { WatchedAlert } from "@/lib/alerts/watched-alert";
import type { ServedQuote } from "@/lib/book/quote";
import type { History } from "@/lib/history/history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { findLineLevel, TimeAxis } from "@/lib/market/time-axis";
import { getBarStart, getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import type { Logger } from "@/lib/platform/log/log";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The levels of lines on charts. A line is straight on the time axis of its chart, where times without bars take no
 * space, so each symbol and timeframe with such an alert has its axis here too: the recorded bars since the first point
 * of a line, and those that prices have begun since.
 */

/** Bars of an axis. Before them, the trading hours decide how many there were, as on a chart. */
const MOST_BARS = 10_000;
/** Bars may be added later where seconds were missing, so they are read again after so long. */
const REREAD_MS = HOUR_MS;

interface Axis {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly axis: TimeAxis;
  bars: (readonly [timeMs: number])[];
  /** The earliest point of a line for which its bars were read, and when, UTC milliseconds. */
  fromMs: number;
  readAtMs: number;
}

interface Options {
  readonly bars: Pick<History["bars"], "readRange">;
  readonly log: Logger;
}

export class LineLevels {
  readonly #options: Options;
  readonly #axes = new Map<string, Axis>();
  readonly #reading = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The level of an alert's line at a moment; null where the line is not, or while its bars are not read yet. */
  find({ condition, line }: WatchedAlert, nowMs: number): number | null {
    if (condition.type !== "line" || line === null) return null;
    const found = this.#axes.get(`${condition.symbol} ${condition.timeframe}`);
    if (found === undefined || found.fromMs > line.from[0]) return null;
    return findLineLevel(found.axis, line, nowMs);
  }

  /** Begins the bars of a new price, as a chart does. */
  addPrice({ symbol, timeMs, state }: Pick<ServedQuote, "symbol" | "timeMs" | "state">): void {
    if (this.#axes.size === 0 || (state !== "live" && state !== "delayed")) return;
    for (const each of this.#axes.values()) {
      if (each.symbol !== symbol) continue;
      const last = each.bars.at(-1)?.[0] ?? -Infinity;
      const startMs = getBarStart(each.timeframe, timeMs);
      if (startMs <= last) continue;
      each.bars.push([startMs]);
      each.axis.update(each.bars);
    }
  }

  /** Reads the bars that alerts need and that are not known, or were read long ago; forgets those that none needs. */
  async refresh(alerts: Iterable<WatchedAlert>, nowMs: number): Promise<void> {
    const needed = new Map<string, Pick<Axis, "symbol" | "timeframe" | "fromMs">>();
    for (const { condition, line } of alerts) {
      if (condition.type !== "line" || line === null) continue;
      const { symbol } = condition;
      const timeframe = condition.timeframe as Timeframe;
      const key = `${symbol} ${timeframe}`;
      needed.set(key, { symbol, timeframe, fromMs: Math.min(line.from[0], needed.get(key)?.fromMs ?? Infinity) });
    }
    for (const key of this.#axes.keys()) if (!needed.has(key)) this.#axes.delete(key);
    await Promise.all([...needed].map(([key, need]) => this.#read(key, need, nowMs)));
  }

  async #read(
    key: string,
    { symbol, timeframe, fromMs }: Pick<Axis, "symbol" | "timeframe" | "fromMs">,
    nowMs: number,
  ): Promise<void> {
    const instrument = instrumentBySymbol.get(symbol);
    const known = this.#axes.get(key);
    if (instrument === undefined || this.#reading.has(key)) return;
    if (known !== undefined && known.fromMs <= fromMs && nowMs < known.readAtMs + REREAD_MS) return;
    const { bars, log } = this.#options;
    this.#reading.add(key);
    try {
      const isFar = (nowMs - fromMs) / getUsualBarMs(timeframe) > MOST_BARS;
      const read = await bars.readRange(symbol, timeframe, {
        ...(isFar ? {} : { fromMs: getBarStart(timeframe, fromMs) }),
        limit: MOST_BARS,
      });
      const times = read.map(({ timeMs }): readonly [number] => [timeMs]);
      // A price may have begun a bar while the others were read.
      const last = times.at(-1)?.[0] ?? -Infinity;
      const begun = this.#axes.get(key)?.bars.filter(([timeMs]) => timeMs > last) ?? [];
      const all = [...times, ...begun];
      const axis = new TimeAxis(timeframe, instrument.tradingHours);
      axis.update(all);
      this.#axes.set(key, { ...{ symbol, timeframe, axis, fromMs }, bars: all, readAtMs: nowMs });
    } catch (error) {
      log.error({ err: error, symbol, timeframe }, "the bars of an alert on a line cannot be read; trying again");
    } finally {
      this.#reading.delete(key);
    }
  }
}
