import { memo } from "react";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import { computeDayChange, getDayPosition, getDayReference, type TradingDay } from "@/lib/market/day-change";

const MINUS = "−";

/** "2026-01-14 22:00 UTC" */
const formatMinute = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** A number with its sign: "+0.00120", "−1.52", "0.00". */
function formatSigned(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : `${value > 0 ? "+" : MINUS}${text}`;
}

function getColour(value: number): string {
  return value > 0 ? "text-up" : value < 0 ? "text-down" : "text-dim";
}

interface CellProps {
  row: BoardRow | null;
  instrument: BoardInstrument;
}

function describeReference(day: TradingDay, digits: number): string {
  const price = getDayReference(day).toFixed(digits);
  return day.previousClose === null
    ? `From ${price}, the first bid since ${formatMinute(day.startMs)} (17:00 in New York)`
    : `From ${price}, the last bid before ${formatMinute(day.startMs)} (17:00 in New York)`;
}

export function ChangeCell({ row, instrument: { digits } }: CellProps) {
  const change = row?.day && computeDayChange(row.day, row.bid, digits).change;
  return (
    <td
      role="cell"
      className={`cell-change numerals ${getColour(change ?? 0)}`}
      title={row?.day ? describeReference(row.day, digits) : undefined}
    >
      {change == null ? "–" : formatSigned(change, digits)}
    </td>
  );
}

export function PercentCell({ row, instrument: { digits } }: CellProps) {
  const percent = row?.day && computeDayChange(row.day, row.bid, digits).percent;
  return (
    <td role="cell" className={`cell-percent numerals ${getColour(percent ?? 0)}`}>
      {percent == null ? "–" : `${formatSigned(percent, 2)} %`}
    </td>
  );
}

/** The day's low and high with the bid between them. */
export function RangeCell({ row, instrument: { digits } }: CellProps) {
  if (!row?.day) return <td role="cell" className="cell-range" />;
  const { low, high } = row.day;
  // Whole percents: smaller moves cannot be seen, and would draw the row again.
  const percent = Math.round(getDayPosition(row.day, row.bid) * 100);
  return (
    <td role="cell" className="cell-range">
      <DayRange low={low.toFixed(digits)} high={high.toFixed(digits)} percent={percent} />
    </td>
  );
}

const DayRange = memo(function DayRange({ low, high, percent }: { low: string; high: string; percent: number }) {
  return (
    <span className="day-range" title={`Day’s low ${low}, high ${high}`}>
      <span className="day-bound numerals">
        <span className="sr-only">low </span>
        {low}
      </span>
      <span aria-hidden className="day-track">
        <span className="day-mark" style={{ left: `${percent}%` }} />
      </span>
      <span className="day-bound numerals">
        <span className="sr-only">high </span>
        {high}
      </span>
    </span>
  );
});
