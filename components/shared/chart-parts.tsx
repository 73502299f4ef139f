import type { ReactNode } from "react";
import type { IndicatorCategory } from "@/lib/analytics/indicators/definition";

/** The legend of one line of a price chart. */
export function ChartKey({ side, children }: { side: "bid" | "ask"; children: ReactNode }) {
  const colour = side === "bid" ? "before:border-accent-ink" : "before:border-dim";
  return (
    <span
      className={`before:mr-1.5 before:inline-block before:w-3.5 before:border-t-2 before:align-middle before:content-[''] ${colour}`}
    >
      {children}
    </span>
  );
}

/** Credits the chart library, as its license requires. */
export function ChartCredit() {
  return (
    <span className="text-2xs text-faint">
      Charts by TradingView Lightweight Charts™, © 2025{" "}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer"
        className="underline underline-offset-[3px] hover:text-ink"
      >
        TradingView, Inc.
      </a>
    </span>
  );
}

const MOST_STEPS = 4;

/**
 * Returns at most five whole pips to mark on an axis, with every price between the first and the last; none without
 * prices.
 */
export function computePriceTicks(prices: readonly number[], pipSize: number): number[] {
  if (prices.length === 0) return [];
  // Rounded, because the division is inexact and could move a price past a mark.
  const inPips = (price: number): number => Math.round((price / pipSize) * 1e4) / 1e4;
  const low = inPips(Math.min(...prices));
  const high = inPips(Math.max(...prices));
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      const first = Math.floor(low / step);
      const last = Math.max(Math.ceil(high / step), first + 1);
      if (last - first > MOST_STEPS) continue;
      return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step * pipSize);
    }
  }
}

/** The headings of lists of indicators, in their order. */
export const CATEGORY_TITLES: Readonly<Record<IndicatorCategory, string>> = {
  trend: "Trend",
  oscillator: "Oscillators",
  volatility: "Volatility",
  volume: "Volume",
};
