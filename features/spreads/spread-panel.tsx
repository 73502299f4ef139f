"use client";

import { useMemo, useState } from "react";
import { PanelLoading, PanelMessage, PanelStale } from "@/components/shared/panel";
import { StateMark } from "@/components/shared/state-mark";
import { Figure } from "@/components/ui/figure";
import { useFresh } from "@/components/ui/use-fresh";
import { LineChart, REFRESH_MS, toChartLines } from "@/features/spreads/spread-lines";
import { getCurrentClass } from "@/features/spreads/spread-table";
import { formatCurrent, formatMean, formatPips, formatStepTime } from "@/features/spreads/spread-text";
import type { SpreadLinesData, SpreadTableData } from "@/features/spreads/types";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";

const CURRENT_MS = 2_000;

interface SpreadPanelProps {
  symbol: string;
  period: SpreadPeriod;
}

/** The spread of one symbol in a panel of a screen: now, usually, and over the period. */
export function SpreadPanel({ symbol, period }: SpreadPanelProps) {
  const query = new URLSearchParams({ symbols: symbol, period });
  const table = useFresh<SpreadTableData>(`/spreads/table?${query}`, CURRENT_MS);
  const lines = useFresh<SpreadLinesData>(`/spreads/lines?${query}`, REFRESH_MS);
  const row = table.data?.rows[0];
  if (row === undefined || lines.data === undefined) {
    if (table.isOffline || lines.isOffline) {
      return <PanelMessage title={`The spread of ${symbol} could not be loaded`}>Trying again.</PanelMessage>;
    }
    return table.data === undefined || lines.data === undefined ? (
      <PanelLoading what={`the spread of ${symbol}`} />
    ) : (
      <PanelMessage title={`There is no symbol ${symbol}`}>Choose another one.</PanelMessage>
    );
  }
  const figures = [
    ["Average", formatMean(row.avg)],
    ["Median", formatPips(row.median)],
    ["90 % within", row.p5 === null ? "–" : `${formatPips(row.p5)}–${formatPips(row.p95)}`],
  ];
  const isStale = table.isOffline || lines.isOffline;
  return (
    <div className="flex h-full min-h-0 flex-col" data-offline={isStale || undefined}>
      {isStale && <PanelStale />}
      <dl className="flex flex-wrap items-baseline gap-x-4 px-3 pt-2 pb-1 text-xs12 text-dim">
        <div className="flex items-baseline gap-2">
          <dt className="sr-only">Now</dt>
          <dd className="flex items-baseline gap-2">
            <span translate="no" className={`text-base tabular-nums ${getCurrentClass(row)}`}>
              {formatCurrent(row.current)}
            </span>
            <span>pips</span>
            {row.state !== null && <StateMark state={row.state} className="in-data-offline:hidden" />}
          </dd>
        </div>
        {figures.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt>{name}</dt>
            <Figure as="dd" className="text-ink">
              {value}
            </Figure>
          </div>
        ))}
      </dl>
      <SpreadChart symbol={symbol} data={lines.data} />
    </div>
  );
}

function SpreadChart({ symbol, data }: { symbol: string; data: SpreadLinesData }) {
  const [hoveredMs, setHoveredMs] = useState<number | null>(null);
  const lines = useMemo(() => toChartLines(data), [data]);
  const spanMs = data.nowMs - data.fromMs;
  const points = data.lines[0]?.points ?? [];
  if (points.length === 0) {
    return (
      <PanelMessage title="Nothing was recorded in this period">Recording starts with the first quote.</PanelMessage>
    );
  }
  const point = hoveredMs === null ? undefined : points.find(([startMs]) => startMs === hoveredMs);
  return (
    <figure className="relative min-h-0 flex-1">
      <LineChart
        label={`Mean spread of ${symbol} in pips`}
        lines={lines}
        decimals={2}
        isStepped
        isFromZero
        formatTime={(timeMs) => formatStepTime(timeMs, spanMs)}
        onHover={setHoveredMs}
        className="absolute inset-0"
      />
      {hoveredMs !== null && (
        <figcaption className="pointer-events-none absolute top-1 left-3 z-2 text-xs12 text-dim">
          {formatStepTime(hoveredMs, spanMs)} UTC <Figure className="text-ink">{formatMean(point?.[1] ?? null)}</Figure>
        </figcaption>
      )}
    </figure>
  );
}
