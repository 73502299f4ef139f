"use client";

import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { ChartCredit } from "@/components/shared/chart-credit";
import type { StrengthData } from "@/features/strength/types";
import { CURRENCY_CHOICES } from "@/features/strength/url";

const LineChart = dynamic(() => import("@/components/shared/line-chart").then((module) => module.LineChart), {
  ssr: false,
  loading: () => <div className={PLOT_HEIGHT} />,
});

const PLOT_HEIGHT = "h-72";
const NEUTRAL = 5;

/** A currency keeps its colour, whatever its rank. */
const getColour = (currency: string) => `--line-${CURRENCY_CHOICES.findIndex((each) => each === currency) + 1}`;

interface StrengthLinesProps {
  data: StrengthData;
  hidden: readonly string[];
  onHide: (hidden: readonly string[]) => void;
}

/** The strengths of the last bars as lines. Each currency can be hidden. */
export function StrengthLines({ data, hidden, onHide }: StrengthLinesProps) {
  const { times, timeframe } = data;
  const [hoveredMs, setHoveredMs] = useState<number | null>(null);
  const lines = useMemo(
    () =>
      (data.lines ?? [])
        .filter(({ currency }) => !hidden.includes(currency))
        .map(({ currency, history }) => ({
          key: currency,
          colour: getColour(currency),
          points: history.map((value, index) => [times[index] as number, value] as const),
        })),
    [data.lines, times, hidden],
  );
  const at = hoveredMs === null ? times.length - 1 : times.indexOf(hoveredMs);

  function toggle(currency: string): void {
    onHide(hidden.includes(currency) ? hidden.filter((each) => each !== currency) : [...hidden, currency]);
  }

  return (
    <figure>
      <div role="group" aria-label="Currencies in the chart" className="mb-2 flex flex-wrap gap-1.5">
        {(data.lines ?? []).map(({ currency, history }) => (
          <button
            key={currency}
            type="button"
            aria-pressed={!hidden.includes(currency)}
            onClick={() => toggle(currency)}
            className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line px-2 text-xs12 text-dim hover:border-edge aria-pressed:text-ink"
          >
            <span
              aria-hidden
              className="h-0.5 w-3.5"
              style={{ background: hidden.includes(currency) ? "var(--line)" : `var(${getColour(currency)})` }}
            />
            <span className="numerals">{currency}</span>
            <span className="numerals inline-block w-9 text-right">{history[at]?.toFixed(2) ?? "–"}</span>
          </button>
        ))}
      </div>
      <LineChart
        label={`Strength of each currency at the last ${times.length} ${timeframe} bars`}
        lines={lines}
        decimals={2}
        level={NEUTRAL}
        formatTime={(timeMs) => formatBarTime(timeMs, timeframe)}
        onHover={setHoveredMs}
        className={PLOT_HEIGHT}
      />
      <figcaption className="mt-1 flex flex-wrap justify-between gap-x-4 text-xs12 text-faint">
        <span>
          {hoveredMs === null ? "Latest values" : `Values at ${formatBarTime(hoveredMs, timeframe)} UTC`}. The dashed
          line is neutral.
        </span>
        <ChartCredit />
      </figcaption>
    </figure>
  );
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "2-digit", timeZone: "UTC" });

/** The end of a bar in UTC: with its time of day up to H4, and with its year from W1 on. */
function formatBarTime(timeMs: number, timeframe: StrengthData["timeframe"]): string {
  if (timeframe === "W1") return month.format(timeMs);
  if (timeframe === "D1") return day.format(timeMs);
  return `${day.format(timeMs)} ${new Date(timeMs).toISOString().slice(11, 16)}`;
}
