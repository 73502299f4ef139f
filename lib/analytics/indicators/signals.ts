import type { Signal, SignalContext } from "@/lib/analytics/indicators/definition";

type SignalRule = (value: number, context: SignalContext) => Signal;

/** Overbought above one level and oversold below the other, at MetaTrader's levels; neutral on a level. */
export function beyondLevels(oversold: number, overbought: number): SignalRule {
  return (value) => (value > overbought ? "overbought" : value < oversold ? "oversold" : "neutral");
}

/** Bullish above the level, bearish below it. */
export function aroundLevel(level: number): SignalRule {
  return (value) => toSide(value - level);
}

/** Bullish if the bar closed above the line. */
export const closeAgainstLine: SignalRule = (value, { close }) => toSide(close - value);

/** Bullish if the bar closed above the line by half a point or more. */
export const closeClearOfLine: SignalRule = (value, { close, point }) =>
  Math.abs(close - value) < point / 2 ? "neutral" : toSide(close - value);

/** For values that have a size and no direction. */
export const noDirection: SignalRule = () => "neutral";

function toSide(difference: number): Signal {
  return difference > 0 ? "bullish" : difference < 0 ? "bearish" : "neutral";
}
