import type { PriceLevels } from "@/lib/feeds/files/price-level";
import type { PriceRows } from "@/lib/feeds/files/price-rows";
import { getBounds, isNear } from "@/lib/feeds/plausibility";
import type { PointBar } from "@/lib/history/bars/bar-block";
import type { RefusedRow } from "@/lib/history/import/import-report";
import type { Instrument } from "@/lib/market/instrument";
import { cleanPrice, countDigits, fitDigits, getMostDigits, hasDigits, MAX_POINTS, toPoints } from "@/lib/market/price";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { MINUTE_MS } from "@/lib/time/units";

const MAX_VOLUME = 2_147_483_647;
/** Times are stored in seconds of 31 bits. */
const FIRST_MS = Date.UTC(1971, 0);
/** This many rows in a row that agree with each other are a new level, as CHF's on 2015-01-15. */
const ROWS_FOR_NEW_LEVEL = 5;
/** At the end of a file nothing can return any more. */
const ROWS_FOR_LAST_LEVEL = 2;
/** How many times the usual jump the prices of one bar, or those between two levels, may lie apart. */
const WIDE = 10;
/** A spike reaches so many times farther than the bar moved, and than each of so many bars before it reached. */
const CALM = 5;
const NEIGHBOURS = 10;
/** Rows that wait for those behind them at most. */
const MAX_HELD = 10_000;

/** The current row waits for the next ones. */
export const HELD = "held";

/** What is stored of an accepted row. Prices are in price units. */
export type AcceptedRow = Pick<PriceRows, "timeMs" | "bid" | "ask" | "open" | "high" | "low" | "close" | "volume">;

/** A row that waited, with its verdict; null accepts it. */
export interface HeldRow extends AcceptedRow {
  verdict: RefusedRow | null;
  readonly line: number;
  readonly text: string;
  readonly expected: string | null;
  /** Its price, to compare with others; 0 for a row whose verdict was clear. */
  price: number;
  /** Whether its price is far off the level before. */
  isFar: boolean;
  /** The number of its run of far prices that agree with each other. */
  readonly run: number;
}

export interface JudgeOptions {
  readonly instrument: Instrument;
  /** Rows from here on are too recent. UTC milliseconds. */
  readonly untilMs: number;
  /** The length of the file's bars; 0 for ticks. */
  readonly stepMs: number;
  /** Whether bars that begin off their grid are moved back to it. */
  readonly isAligned: boolean;
  /** Whether the times of bars are their ends. */
  readonly isEnd?: boolean;
  /** The levels that prices must have, with at most two digits beyond the instrument's; null for any. */
  readonly levels: PriceLevels | null;
}

/**
 * Judges the rows of a file. The checks are those of the intake, but rows may come in any order, and the rows behind are
 * known too: a far price stays if the next ones agree with it, and is refused if they return.
 */
export class Judge {
  /** The accepted row. */
  readonly row: AcceptedRow = { timeMs: 0, bid: 0, ask: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };
  /** Rows that waited and are decided now. They come before the current one. */
  decided: HeldRow[] = [];
  /** The finest digits of the instrument and of the accepted rows. */
  digits: number;
  /** Bars that were moved to their grid, and those whose volume the file lacks. */
  moved = 0;
  withoutVolume = 0;
  readonly #options: JudgeOptions;
  readonly #jump: number;
  readonly #spread: number;
  #held: HeldRow[] = [];
  /** The price last accepted, and how many rows in a row agreed with it. */
  #level = 0;
  #strength = 0;
  #farPrice = 0;
  #farRows = 0;
  #run = 0;
  #hasVolumes = false;
  #lastClose = NaN;
  /** How far the last bars reached, as shares of their prices, and how many there were. */
  readonly #ranges: number[] = [];
  #bars = 0;
  /** Bars in a row that may fill a time without prices. The first of them waits for a second one. */
  #fills = 0;

  constructor(options: JudgeOptions) {
    const { jump, spread } = getBounds(options.instrument.category);
    this.#options = options;
    this.#jump = jump;
    this.#spread = spread;
    this.digits = options.instrument.digits;
  }

  /** Null if the current row is accepted, HELD if it waits, or why it is refused. */
  judge(row: PriceRows): RefusedRow | typeof HELD | null {
    const isBar = this.#options.stepMs > 0;
    const refusal = isBar ? this.#checkBar(row) : this.#checkTick(row);
    if (this.#fills === 2 && !this.#hasVolumes) this.#leaveOutFirst();
    if (refusal !== null) {
      if (this.#held.length === 0) return refusal;
      this.#hold(row, refusal, 0, false);
      return HELD;
    }
    if (this.#fills === 1) {
      this.#hold(row, null, this.row.close, false);
      return HELD;
    }
    const price = isBar ? this.row.close : (this.row.bid + this.row.ask) / 2;
    if (this.#strength > 1 && isNear(price, this.#level, this.#jump)) {
      this.#level = price;
      if (this.#strength < ROWS_FOR_NEW_LEVEL) this.#strength++;
      if (this.#held.length > 0) this.#release(({ isFar }) => (isFar ? "far_off" : null));
      this.#farRows = 0;
      return null;
    }
    return this.#compare(row, price);
  }

  /** The bar before the current one filled a time without prices too. */
  #leaveOutFirst(): void {
    const first = this.#held.findLast(({ verdict, close }) => verdict === null && close === this.#lastClose);
    if (first === undefined) return;
    first.verdict = "closed_hours";
    first.price = 0;
    if (this.#farRows === 0 && this.#strength > 1) this.#release(({ isFar }) => (isFar ? "far_off" : null));
  }

  /** Decides the rows that still wait at the end of the file. */
  finish(): void {
    if (this.#farRows >= ROWS_FOR_LAST_LEVEL && this.#farRows > this.#strength) this.#takeLevel();
    else {
      const isKept = this.#farRows >= ROWS_FOR_LAST_LEVEL;
      this.#release(({ isFar, run }) => (!isFar || (isKept && run === this.#run) ? null : "far_off"));
    }
  }

  /** Counts a row as accepted: later ones have at least its digits. */
  accept({ bid, ask, open, high, low, close }: AcceptedRow): void {
    if (this.#options.stepMs === 0) {
      this.#count(bid);
      this.#count(ask);
      return;
    }
    for (const price of [open, high, low, close]) this.#count(price);
  }

  /** An accepted bar in points. */
  toBar({ timeMs, open, high, low, close, volume }: AcceptedRow): PointBar {
    const digits = fitDigits(high, this.digits);
    const points = (price: number) => toPoints(price, digits);
    return { timeMs, digits, open: points(open), high: points(high), low: points(low), close: points(close), volume };
  }

  #count(price: number): void {
    if (!hasDigits(price, this.digits)) this.digits = countDigits(price);
  }

  #checkTime(row: PriceRows): RefusedRow | null {
    if (row.doubt !== null) return row.doubt;
    const { stepMs, untilMs, isAligned, isEnd = false } = this.#options;
    let timeMs = row.timeMs - (isEnd ? stepMs : 0);
    const late = stepMs === 0 ? 0 : timeMs % stepMs;
    if (late !== 0) {
      if (!isAligned) return "off_grid";
      timeMs -= late;
      this.moved++;
    }
    this.row.timeMs = timeMs;
    return timeMs < FIRST_MS ? "out_of_range" : timeMs + stepMs >= untilMs ? "too_recent" : null;
  }

  #checkTick(row: PriceRows): RefusedRow | null {
    if (row.fault !== null) return "malformed";
    const bid = cleanPrice(row.bid, this.digits);
    const ask = cleanPrice(row.ask, this.digits);
    if (!(bid > 0 && ask > 0)) return "non_positive";
    if (bid > ask) return "crossed";
    if (ask > MAX_POINTS) return "out_of_range";
    const refusal = this.#checkTime(row);
    if (refusal !== null) return refusal;
    this.row.bid = bid;
    this.row.ask = ask;
    const doubt = this.#doubt(bid, ask);
    if (doubt !== null) return doubt;
    return (ask - bid) * 2 > this.#spread * (bid + ask) ? "far_off" : null;
  }

  #checkBar(row: PriceRows): RefusedRow | null {
    if (row.fault !== null) return "malformed";
    const { digits, row: own } = this;
    const [open, high, low, close] = [
      cleanPrice(row.open, digits),
      cleanPrice(row.high, digits),
      cleanPrice(row.low, digits),
      cleanPrice(row.close, digits),
    ];
    if (!(open > 0 && high > 0 && low > 0 && close > 0)) return "non_positive";
    if (low > Math.min(open, close) || high < Math.max(open, close)) return "crossed";
    if (high > MAX_POINTS) return "out_of_range";
    const refusal = this.#checkTime(row);
    if (refusal !== null) return refusal;
    const doubt = this.#doubt(low, high) ?? this.#doubt(open, close);
    if (doubt !== null) return doubt;
    const hasVolume = row.volume >= 0 && row.volume <= MAX_VOLUME;
    const volume = hasVolume ? row.volume : 0;
    if (volume > 0) this.#hasVolumes = true;
    const isFilled = volume === 0 && high === low && this.#isFilled(close) && this.#isClosed(own.timeMs);
    this.#fills = isFilled ? this.#fills + 1 : 0;
    this.#lastClose = close;
    if (isFilled && (this.#hasVolumes || this.#fills > 1)) return "closed_hours";
    // A spike inside of a bar has returned at its close.
    if (!isNear(high, close, WIDE * this.#jump) || !isNear(low, close, WIDE * this.#jump)) return "far_off";
    if (this.#isSpike(open, high, low, close)) return "far_off";
    if (!hasVolume) this.withoutVolume++;
    own.open = open;
    own.high = high;
    own.low = low;
    own.close = close;
    own.volume = volume;
    return null;
  }

  /** Whether two prices of the current row have another level than the instrument at that time, or too many digits. */
  #doubt(one: number, other: number): RefusedRow | null {
    const { levels, instrument } = this.#options;
    if (levels === null) return null;
    const { timeMs } = this.row;
    if (levels.isOff(one, timeMs) || levels.isOff(other, timeMs)) return "far_off";
    const isFine = (price: number) =>
      hasDigits(price, this.digits) || countDigits(price) <= getMostDigits(instrument, price);
    return isFine(one) && isFine(other) ? null : "too_precise";
  }

  /**
   * Whether a bar reaches far beyond its open and its close, alone: it hardly moved, and the bars before it were calm. What
   * lies beyond the usual jump in a minute, and more in longer bars.
   */
  #isSpike(open: number, high: number, low: number, close: number): boolean {
    const [bottom, top] = [Math.min(open, close), Math.max(open, close)];
    const reach = Math.max(high / top, bottom / low) - 1;
    const range = high / low - 1;
    const limit = this.#jump * Math.sqrt(this.#options.stepMs / MINUTE_MS);
    const isAlone = reach > CALM * (top / bottom - 1) && reach > CALM * Math.max(0, ...this.#ranges);
    if (this.#options.levels !== null && reach > limit && isAlone) return true;
    this.#ranges[this.#bars++ % NEIGHBOURS] = range;
    return false;
  }

  /**
   * Whether a flat bar without volume fills a time without prices. Where no bar has a volume, one price may have been all
   * that there was, and only the repeated close shows it.
   */
  #isFilled(close: number): boolean {
    return this.#hasVolumes || Number.isNaN(this.#lastClose) || close === this.#lastClose;
  }

  /** Whether the market was closed during the whole bar. */
  #isClosed(timeMs: number): boolean {
    const { instrument, stepMs } = this.#options;
    const { tradingHours } = instrument;
    return !isMarketOpen(tradingHours, timeMs) && !isMarketOpen(tradingHours, timeMs + stepMs - 1);
  }

  /** A price that is far off the level, or while only one row tells the level. */
  #compare(row: PriceRows, price: number): typeof HELD | null {
    if (this.#level === 0) {
      this.#level = price;
      this.#strength = 1;
      this.#hold(row, null, price, false);
      return HELD;
    }
    if (isNear(price, this.#level, this.#jump)) {
      this.#level = price;
      this.#strength++;
      this.#farRows = 0;
      this.#release(({ isFar }) => (isFar ? "far_off" : null));
      return null;
    }
    const agrees = this.#farRows > 0 && isNear(price, this.#farPrice, this.#jump);
    this.#farRows = agrees ? this.#farRows + 1 : 1;
    if (!agrees) this.#run++;
    this.#farPrice = price;
    this.#hold(row, null, price, true);
    if (this.#farRows >= Math.min(ROWS_FOR_NEW_LEVEL, this.#strength + 1)) this.#takeLevel();
    return HELD;
  }

  /** The far prices are a new level. What lies between the levels belongs to the move; a first row alone was wrong. */
  #takeLevel(): void {
    const [before, after] = [this.#level, this.#farPrice];
    const isAlone = this.#strength === 1;
    this.#level = after;
    this.#strength = this.#farRows;
    this.#farRows = 0;
    const isOfMove = (price: number) =>
      isNear(price, after, WIDE * this.#jump) && (isAlone || isNear(price, before, WIDE * this.#jump));
    this.#release(({ isFar, run, price }) => {
      if (!isFar) return isAlone ? "far_off" : null;
      return run === this.#run || isOfMove(price) ? null : "far_off";
    });
  }

  #hold(row: PriceRows, verdict: RefusedRow | null, price: number, isFar: boolean): void {
    const sample = { line: row.at, text: row.describe(), expected: row.fault };
    this.#held.push({ ...this.row, ...sample, verdict, price, isFar, run: this.#run });
    if (this.#held.length > MAX_HELD) this.#release(() => "far_off");
  }

  /** Decides all rows that wait, but for those whose verdict was clear. */
  #release(decide: (held: HeldRow) => RefusedRow | null): void {
    for (const held of this.#held) if (held.price > 0) held.verdict = decide(held);
    if (this.decided.length === 0) this.decided = this.#held;
    else this.decided.push(...this.#held);
    this.#held = [];
  }
}
