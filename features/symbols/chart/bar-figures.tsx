import { useZone } from "@/components/shared/zone-context";
import { formatChartTime } from "@/features/symbols/chart/chart-time";
import type { SymbolInstrument } from "@/features/symbols/types";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatCount } from "@/lib/text/text";

interface BarFiguresProps {
  instrument: SymbolInstrument;
  timeframe: Timeframe;
  bar: readonly [number, number, number, number, number, number];
  /** The close of the bar before. */
  before: number | undefined;
  isPointed: boolean;
}

/** The prices, the change and the volume of one bar. */
export function BarFigures({ instrument: { symbol, digits }, timeframe, bar, before, isPointed }: BarFiguresProps) {
  const [timeMs, open, high, low, close, volume] = bar;
  const zone = useZone();
  const colour = close >= open ? "text-up" : "text-down";
  const change = before === undefined ? null : close - before;
  const sign = (value: number) => (value > 0 ? "+" : value < 0 ? "−" : "");
  return (
    <p className="flex flex-wrap gap-x-2.5">
      <span className="font-medium max-md:hidden">
        {symbol} · {timeframe}
      </span>
      {isPointed && <span className="numerals text-dim">{formatChartTime(timeMs, timeframe, zone)}</span>}
      {(
        [
          ["O", open],
          ["H", high],
          ["L", low],
          ["C", close],
        ] as const
      ).map(([name, price]) => (
        <span key={name} className="whitespace-nowrap">
          <span className="text-faint">{name}</span>{" "}
          <span className={`numerals ${colour}`}>{price.toFixed(digits)}</span>
        </span>
      ))}
      {change !== null && before !== undefined && (
        <span className={`numerals whitespace-nowrap ${change >= 0 ? "text-up" : "text-down"}`}>
          {sign(change)}
          {Math.abs(change).toFixed(digits)} ({sign(change)}
          {((100 * Math.abs(change)) / before).toFixed(2)} %)
        </span>
      )}
      <span className="whitespace-nowrap">
        <span className="text-faint">Vol</span> <span className="numerals">{formatCount(volume)}</span>
      </span>
    </p>
  );
}
