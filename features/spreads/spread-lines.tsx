"use client";

import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { ChartCredit } from "@/components/shared/chart-parts";
import type { ChartLine } from "@/components/shared/line-chart";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { useShownAt } from "@/components/ui/past";
import { withAt } from "@/components/ui/past-address";
import { useFresh } from "@/components/ui/use-fresh";
import { SessionLanes } from "@/features/spreads/session-lanes";
import { formatMean, formatStep, formatStepTime } from "@/features/spreads/spread-text";
import type { SpreadLinesData, SpreadPoint } from "@/features/spreads/types";
import {
  getLines,
  MOST_LINES,
  type SpreadsView,
  toViewHref,
  toViewQuery,
  withLineToggled,
} from "@/features/spreads/url";

export const LineChart = dynamic(() => import("@/components/shared/line-chart").then((module) => module.LineChart), {
  ssr: false,
  loading: () => <div className={PLOT_HEIGHT} />,
});

export const REFRESH_MS = 15_000;
const PLOT_HEIGHT = "h-64";

interface SpreadLinesProps {
  view: SpreadsView;
  /** The sources of the selected symbol. */
  sources: readonly string[];
  initial: SpreadLinesData;
}

/** The mean spreads of several symbols and sources in one chart. A single symbol has its band as well. */
export function SpreadLines({ view, sources, initial }: SpreadLinesProps) {
  const at = useShownAt();
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
              href={withAt(toViewHref(view).replace("/spreads", "/spreads/lines/csv"), at)}
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

export function toChartLines(data: SpreadLinesData): ChartLine[] {
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

interface LineChoiceProps {
  view: SpreadsView;
  sources: readonly string[];
  /** The formatted value of each drawn line. */
  values: ReadonlyMap<string, string>;
}

/** What the chart draws: any of the symbols, and any source of the selected one. Links, so that the address has it. */
function LineChoice({ view, sources, values }: LineChoiceProps) {
  const shown = getLines(view);
  const isFull = shown.length >= MOST_LINES;
  const groups = [
    { name: "Symbols", lines: view.symbols.map((symbol) => ({ line: symbol, text: symbol })) },
    {
      name: `Sources of ${view.selected}`,
      lines: sources.map((source) => ({ line: `${view.selected}:${source}`, text: source })),
    },
    {
      name: "Others",
      lines: shown
        .filter((line) => line.includes(":") && !line.startsWith(`${view.selected}:`))
        .map((line) => ({ line, text: line.replace(":", " · ") })),
    },
  ];
  return (
    <div className="mb-2 grid gap-1.5">
      {groups
        .filter(({ lines }) => lines.length > 0)
        .map(({ name, lines }) => (
          <div key={name} role="group" aria-label={name} className="flex flex-wrap items-center gap-1.5">
            <span className="mr-1 min-w-28 text-xs12 text-faint max-md:basis-full">{name}</span>
            {lines.map(({ line, text }) => (
              <LineLink
                key={line}
                view={view}
                line={line}
                text={text}
                place={shown.indexOf(line)}
                value={values.get(line)}
              />
            ))}
          </div>
        ))}
      {isFull && <p className="text-xs12 text-faint">The chart has at most {MOST_LINES} lines.</p>}
    </div>
  );
}

interface LineLinkProps {
  view: SpreadsView;
  line: string;
  text: string;
  /** Its place among the drawn lines, which decides its colour; -1 if it is not drawn. */
  place: number;
  value: string | undefined;
}

function LineLink({ view, line, text, place, value }: LineLinkProps) {
  const isShown = place !== -1;
  return (
    <Link
      href={toViewHref(withLineToggled(view, line))}
      scroll={false}
      prefetch={false}
      aria-current={isShown ? "true" : undefined}
      className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line px-2 text-xs12 text-dim hover:border-edge aria-[current]:text-ink"
    >
      <span
        aria-hidden
        className="h-0.5 w-3.5"
        style={{ background: isShown ? `var(--line-${place + 1})` : "var(--line)" }}
      />
      <span className="sr-only">{isShown ? "Hide " : "Show "}</span>
      {text}
      {isShown && <Figure> {value ?? "–"}</Figure>}
      <span className="sr-only"> in the chart</span>
    </Link>
  );
}

/** Which value of a point is drawn. */
type PointField = 1 | 2 | 3;

/**
 * Returns a value for every step from `fromMs` until `nowMs`; null where nothing was recorded. The chart gives each point
 * the same width, so the steps have to be complete.
 */
export function fillSteps(
  points: readonly SpreadPoint[],
  { fromMs, nowMs, stepMs }: { readonly fromMs: number; readonly nowMs: number; readonly stepMs: number },
  field: PointField = 1,
): [timeMs: number, value: number | null][] {
  const values = new Map(points.map((point) => [point[0], point[field]]));
  const first = Math.floor(fromMs / stepMs);
  return Array.from({ length: Math.floor(nowMs / stepMs) - first + 1 }, (_, index) => {
    const timeMs = (first + index) * stepMs;
    return [timeMs, values.get(timeMs) ?? null];
  });
}
