import type { ReactNode } from "react";

interface DayRowProps {
  name: string;
  /** The row's height. */
  className?: string;
  isLow?: boolean;
  children: ReactNode;
}

/** One line of the chart: its name, and what happens over the day. */
export function DayRow({ name, className = "h-10", isLow = false, children }: DayRowProps) {
  return (
    <div data-row={name} className={`grid grid-cols-[var(--names)_minmax(0,1fr)] items-center ${className}`}>
      <dt className="text-xs13 text-dim">{name}</dt>
      <dd className={`relative ${className !== "h-10" ? "h-full" : isLow ? "h-4.5" : "h-7"}`}>{children}</dd>
    </div>
  );
}
