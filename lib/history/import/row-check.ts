import type { PriceRows } from "@/lib/feeds/files/price-rows";
import { createLevel, isPlausible } from "@/lib/feeds/plausibility";
import type { PointBar } from "@/lib/history/bars/point-bar";
import type { RefusedRow } from "@/lib/history/import/import-report";
import type { Instrument } from "@/lib/market/instrument";

const MAX_POINTS = 2_147_483_647;
const MAX_VOLUME = 2_147_483_647;
/** Times are stored in seconds of 31 bits. */
const FIRST_MS = Date.UTC(1971, 0);
/** A value this little below half a point is a half that binary arithmetic made smaller. */
const BINARY_NOISE = 1 + 4 * Number.EPSILON;

export interface RowCheck {
  /** The last accepted tick, in points. */
  bid: number;
  ask: number;
  /** The last accepted bar. */
  bar: PointBar;
  /** Returns why the current row is refused; null if it is accepted. */
  checkTick(rows: PriceRows): RefusedRow | null;
  checkBar(rows: PriceRows): RefusedRow | null;
}

/** Creates the checks of a file's rows: those of the intake, except that rows may come in any order. */
export function createRowCheck({ digits, category }: Instrument, untilMs: number): RowCheck {
  const scale = 10 ** digits;
  const level = createLevel();
  const toPoints = (price: number) => Math.round(price * scale * BINARY_NOISE);

  const checkTime = (timeMs: number): RefusedRow | null =>
    timeMs < FIRST_MS ? "out_of_range" : timeMs >= untilMs ? "too_recent" : null;

  const check: RowCheck = {
    bid: 0,
    ask: 0,
    bar: { timeMs: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 },
    checkTick({ fault, timeMs, bid, ask }) {
      if (fault !== null) return "malformed";
      const [bidPoints, askPoints] = [toPoints(bid), toPoints(ask)];
      if (!(bidPoints > 0 && askPoints > 0)) return "non_positive";
      if (bidPoints > askPoints) return "crossed";
      if (askPoints > MAX_POINTS) return "out_of_range";
      const refusal = checkTime(timeMs);
      if (refusal !== null) return refusal;
      if (!isPlausible(level, bid, ask, category, 0)) return "far_off";
      check.bid = bidPoints;
      check.ask = askPoints;
      return null;
    },
    checkBar({ fault, timeMs, open, high, low, close, volume }) {
      if (fault !== null) return "malformed";
      const bar = { timeMs, open: toPoints(open), high: toPoints(high), low: toPoints(low), close: toPoints(close) };
      if (!(bar.open > 0 && bar.high > 0 && bar.low > 0 && bar.close > 0)) return "non_positive";
      if (bar.low > Math.min(bar.open, bar.close) || bar.high < Math.max(bar.open, bar.close)) return "crossed";
      if (bar.high > MAX_POINTS || volume < 0 || volume > MAX_VOLUME) return "out_of_range";
      const refusal = checkTime(timeMs);
      if (refusal !== null) return refusal;
      if (!isPlausible(level, close, close, category, 0)) return "far_off";
      check.bar = { ...bar, volume };
      return null;
    },
  };
  return check;
}
