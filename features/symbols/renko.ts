import { useMemo, useState } from "react";
import { BarStore } from "@/features/symbols/bar-store";
import type { SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { Bars } from "@/features/symbols/use-bars";

/**
 * Renko bricks of the closes of bars. All bricks have one height, and their edges are multiples of it. A brick follows the
 * one before once a close is a whole brick beyond it in its direction, or two in the other one. Time has no part in it.
 */

/** Bricks of a chart, at most. Smaller ones are doubled until they are so few. */
const MOST_BRICKS = 20_000;
/** Older bars are loaded by scrolling up to so many, because few bricks leave a chart empty. */
const MOST_BARS = 5_000;
const ATR_BARS = 14;
/** Where there is no bar to measure. */
const USUAL_PIPS = 10;

/** Where bricks end: the edges of the newest one, in bricks from a price of 0. Equal before the first brick. */
interface Edges {
  readonly low: number;
  readonly high: number;
}

/** A brick from one edge to the next, in bricks from a price of 0. */
interface Brick {
  readonly from: number;
  readonly to: number;
}

/** The bricks that a close adds to those before it, and the edges after it. `close` and `size` are in points. */
export function addClose({ low, high }: Edges, close: number, size: number): { bricks: Brick[]; edges: Edges } {
  const bricks: Brick[] = [];
  while (close >= (high + 1) * size) {
    bricks.push({ from: high, to: high + 1 });
    [low, high] = [high, high + 1];
  }
  while (close <= (low - 1) * size) {
    bricks.push({ from: low, to: low - 1 });
    [low, high] = [low - 1, low];
  }
  return { bricks, edges: { low, high } };
}

/** The edges before the first brick, at the first close. */
export function beginBricks(close: number, size: number): Edges {
  const edge = Math.floor(close / size);
  return { low: edge, high: edge };
}

/**
 * The height of bricks in points of the instrument: that of the pips, or else the mean true range of the latest 14 closed
 * bars (ATR_14), rounded to a point. The last of the bars is still filling. Heights of too many bricks are doubled.
 */
export function findBrickSize(
  bars: readonly WireBar[],
  { digits, pipSize }: Pick<SymbolInstrument, "digits" | "pipSize">,
  pips: number | null,
): number {
  const point = 10 ** -digits;
  const closed = bars.slice(0, -1);
  const first = Math.max(0, closed.length - ATR_BARS);
  const ranges = closed.slice(first).map(([, , high, low], at) => {
    const before = closed[first + at - 1]?.[4] ?? (closed[0] as WireBar)[4];
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
  const atr = ranges.reduce((sum, each) => sum + each, 0) / ranges.length;
  const wanted = pips === null ? (atr > 0 ? atr : USUAL_PIPS * pipSize) : pips * pipSize;
  let size = Math.max(1, Math.round(wanted / point));
  const way =
    bars.reduce((sum, [, , , , close], at) => sum + Math.abs(close - (bars[at - 1]?.[4] ?? close)), 0) / point;
  while (way / size > MOST_BRICKS) size *= 2;
  return size;
}

/** Bricks in place of bars. Those of closed bars stay; those of the newest bar, whose volume is 0, follow its price. */
export class BrickStore extends BarStore {
  readonly #base: BarStore;
  readonly #size: number;
  readonly #digits: number;
  #edges: Edges | null = null;
  /** The number of bars whose bricks are in `#closed`. */
  #count = 0;
  readonly #closed: WireBar[] = [];
  #all: readonly WireBar[] = [];

  constructor(base: BarStore, { size, digits }: { readonly size: number; readonly digits: number }) {
    super({ bars: [], values: {}, hasOlder: false, isForming: false });
    this.#base = base;
    this.#size = size;
    this.#digits = digits;
    this.#update();
  }

  override get bars(): readonly WireBar[] {
    return this.#all;
  }

  override get hasOlder(): boolean {
    return this.#base.hasOlder && this.#base.bars.length < MOST_BARS;
  }

  override get isFull(): boolean {
    return this.#base.isFull;
  }

  override apply(bar: WireBar): ReturnType<BarStore["apply"]> {
    const change = this.#base.apply(bar);
    if (change !== "ignored") this.#update();
    return change;
  }

  /** Adds the bricks of bars that have closed, and those of the newest one as it is now. */
  #update(): void {
    const { bars } = this.#base;
    for (; this.#count < bars.length - 1; this.#count++) {
      const { bricks, edges } = this.#build(bars[this.#count] as WireBar);
      this.#edges = edges;
      this.#append(this.#closed, bricks, bars[this.#count] as WireBar, 1);
    }
    const newest = bars[this.#count];
    const all = [...this.#closed];
    if (newest !== undefined) this.#append(all, this.#build(newest).bricks, newest, 0);
    this.#all = all;
  }

  #build([, , , , price]: WireBar): ReturnType<typeof addClose> {
    const close = Math.round(price * 10 ** this.#digits);
    return addClose(this.#edges ?? beginBricks(close, this.#size), close, this.#size);
  }

  /** A brick has the time of its bar. Several of one bar are a millisecond apart, because a chart needs distinct times. */
  #append(target: WireBar[], bricks: readonly Brick[], [timeMs]: WireBar, volume: 0 | 1): void {
    const toPrice = (edge: number) => Number(((edge * this.#size) / 10 ** this.#digits).toFixed(this.#digits));
    for (const { from, to } of bricks) {
      const [open, close] = [toPrice(from), toPrice(to)];
      const ms = Math.max(timeMs, (target.at(-1)?.[0] ?? 0) + 1);
      target.push([ms, open, Math.max(open, close), Math.min(open, close), close, volume]);
    }
  }
}

interface Bricks {
  /** Bricks in place of the bars. */
  readonly bars: Bars;
  /** The height of a brick in pips. */
  readonly pips: number;
}

/**
 * The bricks of loaded bars; null unless they are shown. Their height is chosen once for a symbol and timeframe, so that no
 * brick changes while the page is open.
 */
export function useBricks(
  bars: Bars,
  instrument: SymbolInstrument,
  { isShown, pips }: { readonly isShown: boolean; readonly pips: number | null },
): Bricks | null {
  const { loaded } = bars;
  const [chosen, setChosen] = useState({ key: "", size: 0 });
  const isReady = isShown && loaded !== null && loaded.store.bars.length > 0;
  const key = isReady ? `${loaded.source.symbol} ${loaded.source.timeframe} ${pips}` : "";
  if (isReady && chosen.key !== key) setChosen({ key, size: findBrickSize(loaded.store.bars, instrument, pips) });
  const { size } = chosen;
  const { digits, pipSize } = instrument;
  return useMemo(() => {
    if (!isReady || size === 0) return null;
    const store = new BrickStore(loaded.store, { size, digits });
    const height = Number(((size * 10 ** -digits) / pipSize).toPrecision(6));
    return { bars: { ...bars, loaded: { ...loaded, store } }, pips: height };
    // The functions of `bars` stay the same; the bars are new with each revision.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isReady, loaded, size, digits, pipSize]);
}
