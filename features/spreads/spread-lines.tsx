"use client";

import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { ChartCredit } from "@/components/shared/chart-credit";
import type { ChartLine } from "@/components/shared/line-chart";
import { useFresh } from "@/components/ui/use-fresh";
import { LineChoice } from "@/features/spreads/line-choice";
import { SessionLanes } from "@/features/spreads/session-lanes";
import { formatMean, formatStep, formatStepTime } from "@/features/spreads/spread-text";
import { fillSteps } from "@/features/spreads/step-grid";
import type { SpreadLinesData } from "@/features/spreads/types";
import { type SpreadsView, toViewHref, toViewQuery } from "@/features/spreads/url";

const LineChart = dynamic(() => import("@/components/shared/line-chart").then((module) => module.LineChart), {
  ssr: false,
  loading: () => <div className={PLOT_HEIGHT} />,
});

const REFRESH_MS = 15_000;
const PLOT_HEIGHT = "h-64";

interface SpreadLinesProps {
  view: SpreadsView;
  /** The sources of the selected symbol. */
  sources: readonly string[];
  initial: SpreadLinesData;
}

/** The mean spreads of several symbols and sources in one chart. A single symbol has its band as well. */
export function SpreadLines({ view, sources, initial }: SpreadLinesProps) {
  const { data = initial } = useFresh(`/spreads/lines?${toViewQuery(view)}`, REFRESH_MS, initial);
  const [hoveredMs, setHoveredMs] = useState<number | null>(null);
  const lines = useMemo(() => toChartLines(data), [data]);
  const spanMs = data.nowMs - data.fromMs;
  const values = data.lines.map(({ points }) => {
    const point = hoveredMs === null ? points.at(-1) : points.find(([startMs]) => startMs === hoveredMs);
    return point?.[1] ?? null;
  });
  const isEmpty = data.lines.every(({ points }) => points.length === 0);
  return (
    <section aria-labelledby="spread-lines" className="px-4 pt-5 max-md:px-3">
      <h2 id="spread-lines" className="mb-2 font-semibold">
        Mean spread of each {formatStep(data.stepMs)}
        <span className="ml-2.5 text-xs13 font-normal text-dim">in pips, times in UTC</span>
      </h2>
      <LineChoice
        view={view}
        sources={sources}
        values={new Map(data.lines.map(({ key }, index) => [key, formatMean(values[index] ?? null)]))}
      />
      <figure className="relative">
        <LineChart
          label={`Mean spread of ${data.lines.map(({ key }) => key.replace(":", " at ")).join(", ")}`}
          lines={lines}
          decimals={2}
          isStepped
          isFromZero
          formatTime={(timeMs) => formatStepTime(timeMs, spanMs)}
          onHover={setHoveredMs}
          className={PLOT_HEIGHT}
        />
        {isEmpty && (
          <p className="absolute inset-x-0 top-24 text-center text-dim">Nothing was recorded in this period.</p>
        )}
        <SessionLanes data={data} />
        <figcaption className="mt-2 flex flex-wrap justify-between gap-x-5 gap-y-1 text-xs12 text-faint">
          <span>
            {lines.length > data.lines.length && "The dotted lines contain 90 % of seconds. "}
            {hoveredMs === null ? "Latest values are shown." : `Values at ${formatStepTime(hoveredMs, spanMs)}.`}
          </span>
          <span className="flex gap-4">
            <a
              href={`${toViewHref(view).replace("/spreads", "/spreads/lines/csv")}`}
              className="hover:text-ink"
              download
            >
              Download as CSV
            </a>
            <ChartCredit />
          </span>
        </figcaption>
      </figure>
    </section>
  );
}

function toChartLines(data: SpreadLinesData): ChartLine[] {
  const [first] = data.lines;
  const lines: ChartLine[] = data.lines.map(({ key, points }, index) => ({
    key,
    colour: `--line-${index + 1}`,
    points: fillSteps(points, data),
  }));
  if (first === undefined || lines.length > 1 || first.points[0]?.[2] == null) return lines;
  const band = ([2, 3] as const).map((field) => ({
    key: `band ${field}`,
    colour: "--line-1",
    look: "thin" as const,
    points: fillSteps(first.points, data, field),
  }));
  return [...lines, ...band];
}
