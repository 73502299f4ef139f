"use client";

import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useMemo, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { BarAge } from "@/components/shared/bar-age";
import { ChartCredit } from "@/components/shared/chart-parts";
import { HeatTable } from "@/components/shared/heat-table";
import { StrengthBar } from "@/components/shared/strength-bar";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { AtField } from "@/components/ui/past";
import { keepAt } from "@/components/ui/past-address";
import { Skeleton } from "@/components/ui/skeleton";
import { type Column, Table } from "@/components/ui/table";
import { ChoiceTabs } from "@/components/ui/tabs";
import { useFresh } from "@/components/ui/use-fresh";
import type { StrengthData, StrengthLine } from "@/features/strength/data";
import { CURRENCY_CHOICES, type StrengthChoice, toStrengthHref } from "@/features/strength/url";
import { HEATMAP_TIMEFRAMES, type HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";

/** Strength changes when a bar closes. The page shows it at most this much later. */
export const REFRESH_MS = 15_000;

interface StrengthViewProps {
  choice: StrengthChoice;
  /** Null where it could not be read with the page. */
  initial: StrengthData | null;
}

/** The strength of eight currencies at all timeframes, and one of them in full; refreshed automatically. */
export function StrengthView({ choice: first, initial }: StrengthViewProps) {
  const [choice, setChoice] = useState(first);
  const { timeframe, of, hidden } = choice;
  const { data, isOffline } = useFresh<StrengthData>(
    `/strength/data?${new URLSearchParams({ timeframe })}`,
    REFRESH_MS,
    timeframe === initial?.timeframe ? initial : undefined,
  );

  function choose(change: Partial<StrengthChoice>): void {
    const next = { ...choice, ...change };
    setChoice(next);
    history.replaceState(null, "", keepAt(toStrengthHref(next)));
  }

  return (
    <>
      <form method="get" className={TOOLBAR_CLASS}>
        <AtField />
        <input type="hidden" name="of" value={of} />
        {hidden.length > 0 && <input type="hidden" name="hide" value={hidden.join(",")} />}
        <ChoiceTabs
          label="Timeframe"
          name="timeframe"
          choices={HEATMAP_TIMEFRAMES}
          chosen={timeframe}
          onChoose={(next) => choose({ timeframe: next })}
          phoneClassName="max-md:flex-1"
        />
        <ApiCallButton of="Strength" requests={[{ path: "/v1/heatmap", query: { type: "strength", timeframe } }]} />
        {data && <StrengthFacts data={data} />}
      </form>
      {isOffline && (
        <Notice tone="error">
          {data === undefined
            ? "Currency strength could not be loaded. Trying again."
            : "The server is not responding. These readings may be out of date."}
        </Notice>
      )}
      {data === undefined ? (
        !isOffline && <StrengthSkeleton />
      ) : (
        <Panels data={data} choice={choice} onChoose={choose} isOffline={isOffline} />
      )}
    </>
  );
}

interface PanelsProps {
  data: StrengthData;
  choice: StrengthChoice;
  onChoose: (change: Partial<StrengthChoice>) => void;
  isOffline: boolean;
}

function Panels({ data, choice: { of, hidden }, onChoose, isOffline }: PanelsProps) {
  const { timeframe, lines } = data;
  const currencies = lines?.map(({ currency }) => currency) ?? CURRENCY_CHOICES;
  return (
    <div data-offline={isOffline || undefined} className="border-t border-line in-data-offline:hatched">
      <div className="grid gap-x-8 xl:grid-cols-[26rem_minmax(0,1fr)]">
        <Panel title="At all timeframes">
          <StrengthHeat data={data} currencies={currencies} onTimeframe={(next) => onChoose({ timeframe: next })} />
        </Panel>
        <Panel title={`${timeframe}, from neutral`}>
          {lines === null ? <TooFewBars timeframe={timeframe} /> : <StrengthBars lines={lines} />}
        </Panel>
      </div>
      {lines !== null && (
        <>
          <Panel title={`Strength at the last ${data.times.length} ${timeframe} bars`}>
            <StrengthLines data={data} hidden={hidden} onHide={(next) => onChoose({ hidden: next })} />
          </Panel>
          <div className="grid gap-x-8 xl:grid-cols-2">
            <Panel title={`Pairs, move over twelve ${timeframe} bars in percent: row against column`}>
              <PairMatrix data={data} currencies={currencies} />
            </Panel>
            <Panel title={`Correlation of the last 120 ${timeframe} bars`}>
              <ChoiceTabs
                label="Pairs of"
                choices={CURRENCY_CHOICES}
                chosen={of as (typeof CURRENCY_CHOICES)[number]}
                onChoose={(next) => onChoose({ of: next })}
                phoneClassName="mb-1"
              />
              <CorrelationMatrix data={data} of={of} />
            </Panel>
          </div>
        </>
      )}
      <Definitions timeframe={timeframe} />
    </div>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 px-4 pt-4 pb-2 max-md:px-3">
      <h2 className="mb-1.5 text-xs13 font-medium text-dim">{title}</h2>
      {children}
    </section>
  );
}

/** How long thirteen bars take to record. */
const FIRST_READING: Readonly<Record<StrengthData["timeframe"], string>> = {
  H1: "thirteen hours",
  H4: "a little over two trading days",
  D1: "thirteen trading days",
  W1: "thirteen weeks",
};

function TooFewBars({ timeframe }: { timeframe: StrengthData["timeframe"] }) {
  return (
    <EmptyState title={`Too few ${timeframe} bars yet`}>
      Strength needs thirteen closed bars of every currency, which takes {FIRST_READING[timeframe]} of recording.
      {timeframe !== "H1" && " A shorter timeframe is ready sooner."}
    </EmptyState>
  );
}

function Definitions({ timeframe }: { timeframe: StrengthData["timeframe"] }) {
  return (
    <p className="max-w-[60rem] px-4 pt-3 pb-6 text-xs13 text-faint max-md:px-3">
      Strength is the move of a currency against the other seven over the last twelve closed {timeframe} bars, relative
      to the size of its usual moves. 5 is neutral; 7.3 is one standard deviation above. Change is the difference from
      the bar before, and an arrow marks a large and sustained change. Correlation is Pearson’s coefficient of the
      pairs’ logarithmic returns from bar to bar: 1 is always the same way, −1 always the opposite way.
    </p>
  );
}

/** The pair that strength points to, and when the latest bar ended. */
function StrengthFacts({ data: { timeMs, state, widestPair, timeframe } }: { data: StrengthData }) {
  if (timeMs === null) return null;
  const time = new Date(timeMs).toISOString();
  return (
    <p className="ml-auto flex flex-wrap gap-x-4 gap-y-0.5 text-xs13 text-dim max-md:order-2 max-md:ml-0">
      {widestPair !== null && (
        <span>
          Strongest against weakest: {widestPair.strongest} over {widestPair.weakest},{" "}
          <Link
            href={`/symbols/${widestPair.symbol}`}
            className="font-medium text-ink underline decoration-edge underline-offset-3 hover:decoration-ink"
          >
            {widestPair.side} {widestPair.symbol}
          </Link>
        </span>
      )}
      {state === "current" ? (
        <span>
          Last {timeframe} bar ended{" "}
          <Figure as="time" dateTime={time}>
            {time.slice(0, 16).replace("T", " ")}
          </Figure>{" "}
          UTC
        </span>
      ) : (
        <BarAge state={state} closedMs={timeMs} />
      )}
    </p>
  );
}

/** Holds the places of the first two panels. */
function StrengthSkeleton() {
  return (
    <div className="border-t border-line px-4 pt-4 max-md:px-3">
      <p role="status" className="sr-only">
        Loading currency strength
      </p>
      <div className="grid gap-x-16 gap-y-4 pt-12 xl:grid-cols-[24rem_minmax(0,1fr)]">
        {Array.from({ length: 16 }, (_, index) => (
          <Skeleton key={index} className="h-5.5 w-full" />
        ))}
      </div>
    </div>
  );
}

/** How alike the seven pairs of one currency move. A cell leads to the pair of its row. */
function CorrelationMatrix({ data: { pairs, timeframe }, of }: { data: StrengthData; of: string }) {
  const own = pairs.filter(({ base, quote }) => base === of || quote === of);
  return (
    <HeatTable
      caption={`Correlation of the pairs of ${of} over the last 120 ${timeframe} bars`}
      corner={<span className="sr-only">Pair</span>}
      headClassName="w-17"
      columns={own.map(({ symbol, base, quote }) => ({
        key: symbol,
        head: (
          <span className="text-2xs/3.5">
            {base}
            <wbr />
            {quote}
          </span>
        ),
      }))}
      rows={own.map((row) => ({
        key: row.symbol,
        head: (
          <Link href={`/symbols/${row.symbol}`} translate="no" className="numerals inline-block py-1 hover:underline">
            {row.symbol}
          </Link>
        ),
        cells: own.map((column) => {
          if (column === row) return null;
          const value = row.correlations[pairs.indexOf(column)] ?? null;
          const text = formatCoefficient(value);
          return {
            text,
            heat: value,
            label: `${row.symbol} with ${column.symbol}: ${value === null ? "too few bars yet" : text}. Show ${row.symbol}`,
            href: `/symbols/${row.symbol}`,
          };
        }),
      }))}
    />
  );
}

/** Formats a coefficient: "0.87", "−0.12"; a dash for null. */
function formatCoefficient(value: number | null): string {
  if (value === null) return "–";
  const text = Math.abs(value).toFixed(2);
  return value < 0 && text !== "0.00" ? `−${text}` : text;
}

interface PairMatrixProps {
  data: StrengthData;
  /** Strongest first, so that gains gather in the upper right. */
  currencies: readonly string[];
}

/** The move of each currency against each other one. A cell leads to the pair. */
function PairMatrix({ data: { pairs, timeframe }, currencies }: PairMatrixProps) {
  const largest = Math.max(...pairs.map(({ move }) => Math.abs(move ?? 0)));
  const head = (currency: string) => <Figure>{currency}</Figure>;
  return (
    <HeatTable
      caption={`Moves of the pairs over twelve ${timeframe} bars, in percent`}
      corner={<span className="sr-only">Currency</span>}
      columns={currencies.map((key) => ({ key, head: head(key) }))}
      rows={currencies.map((row) => ({
        key: row,
        head: head(row),
        cells: currencies.map((column) => {
          const pair = pairs.find(
            ({ base, quote }) => (base === row && quote === column) || (base === column && quote === row),
          );
          if (pair === undefined) return null;
          const move = pair.move === null ? null : pair.base === row ? pair.move : invertMove(pair.move);
          const text = formatMove(move);
          return {
            text,
            heat: move === null || largest === 0 ? null : move / largest,
            label: `${row} against ${column}: ${move === null ? "too few bars yet" : `${text} %`}. Show ${pair.symbol}`,
            href: `/symbols/${pair.symbol}`,
          };
        }),
      }))}
    />
  );
}

/** The move of the quote against the base, in percent: the price is inverted. */
export function invertMove(move: number): number {
  return 100 * (1 / (1 + move / 100) - 1);
}

/** Formats percent: "+0.31", "−0.05", "0.00"; a dash for null. */
export function formatMove(move: number | null): string {
  if (move === null) return "–";
  const text = Math.abs(move).toFixed(2);
  if (text === "0.00") return text;
  return move > 0 ? `+${text}` : `−${text}`;
}

interface StrengthHeatProps {
  data: StrengthData;
  /** Strongest first at the chosen timeframe. */
  currencies: readonly string[];
  onTimeframe: (timeframe: HeatmapTimeframe) => void;
}

/** The strengths of eight currencies at four timeframes. A cell leads to the pair with the most distant currency. */
function StrengthHeat({ data: { heat, timeframe: chosen }, currencies, onTimeframe }: StrengthHeatProps) {
  return (
    <HeatTable
      caption="Strength by currency and timeframe"
      rowClassName="h-9"
      headClassName="w-13"
      columns={heat.map(({ timeframe }) => ({
        key: timeframe,
        head: (
          <button
            type="button"
            aria-current={timeframe === chosen ? "true" : undefined}
            title={`Show ${timeframe} in full`}
            onClick={() => onTimeframe(timeframe)}
            className={`h-6 w-full rounded-sm text-xs12 hover:text-ink ${timeframe === chosen ? "font-semibold text-ink underline decoration-accent decoration-2 underline-offset-4" : "text-dim"}`}
          >
            {timeframe}
          </button>
        ),
      }))}
      rows={currencies.map((currency) => ({
        key: currency,
        head: <Figure>{currency}</Figure>,
        cells: heat.map(({ timeframe, cells }) => {
          const cell = cells?.[currency];
          if (cell === undefined) {
            return { text: "–", heat: null, label: `${currency} on ${timeframe}: too few bars yet` };
          }
          const text = cell.strength.toFixed(2);
          return {
            text,
            heat: (cell.strength - 5) / 5,
            label: `${currency} on ${timeframe}: ${text}. Show ${cell.symbol}`,
            href: `/symbols/${cell.symbol}`,
          };
        }),
      }))}
    />
  );
}

const NAMES: Readonly<Record<string, string>> = {
  USD: "US dollar",
  EUR: "Euro",
  GBP: "Pound sterling",
  JPY: "Japanese yen",
  CHF: "Swiss franc",
  AUD: "Australian dollar",
  CAD: "Canadian dollar",
  NZD: "New Zealand dollar",
};

/** Arrows have no colour of their own: a weak currency may rise, and its bar stays red. */
const TRENDS = { bullish: ArrowUp, bearish: ArrowDown, neutral: Minus } as const;

/** Pairs of a currency among the eight. */
const ALL_PAIRS = 7;
const FIGURE = "w-14 pl-3 font-mono slashed-zero";

const COLUMNS: readonly Column<StrengthLine>[] = [
  { heading: "Currency", cell: (line) => <Currency line={line} />, className: "w-48 max-md:w-12" },
  {
    heading: "Strength",
    cell: ({ strength }) => <StrengthBar strength={strength} />,
    headingClassName: "text-center!",
  },
  {
    heading: "Value",
    isHeadingHidden: true,
    isNumeric: true,
    cell: ({ strength }) => <span className="font-semibold">{strength.toFixed(2)}</span>,
    cellClassName: FIGURE,
    headingClassName: "w-14",
  },
  {
    heading: "Change",
    isNumeric: true,
    cell: (line) => <Change line={line} />,
    className: "w-22 pl-3 text-xs13 text-dim max-md:w-18",
    cellClassName: "font-mono",
  },
  {
    heading: "Last 24 bars",
    isNumeric: true,
    cell: ({ currency, history }) => <TrendLine values={history.slice(-24)} label={`${currency}, last 24 bars`} />,
    className: "w-28 pl-4 max-md:hidden",
  },
];

/** The ranked currencies, each with a bar from the middle of the scale. */
function StrengthBars({ lines }: { lines: readonly StrengthLine[] }) {
  return (
    <Table
      look="plain"
      caption="Currencies, strongest first"
      className="w-full table-fixed border-separate border-spacing-y-0.5"
      headingClassName="h-7 text-xs12"
      rowProps={() => ({ className: "h-9 whitespace-nowrap" })}
      columns={COLUMNS}
      rows={lines}
      getKey={({ currency }) => currency}
    />
  );
}

function Currency({ line: { currency, pairs } }: { line: StrengthLine }) {
  return (
    <>
      <Figure className="font-medium">{currency}</Figure>
      <span className="ml-2.5 text-xs13 text-dim max-md:sr-only">{NAMES[currency]}</span>
      {pairs < ALL_PAIRS && (
        <span className="block text-2xs text-warn">
          {pairs} of {ALL_PAIRS} pairs
        </span>
      )}
    </>
  );
}

export function Change({ line: { change, trend } }: { line: StrengthLine }) {
  const Icon = TRENDS[trend];
  return (
    <span className="inline-flex items-center gap-1.5" title={`Trend: ${trend}`}>
      {formatChange(change)}
      <Icon aria-hidden size={14} className={trend === "neutral" ? "text-faint" : "text-ink"} />
      <span className="sr-only">{trend}</span>
    </span>
  );
}

function formatChange(change: number): string {
  const text = Math.abs(change).toFixed(2);
  if (text === "0.00") return text;
  return change > 0 ? `+${text}` : `−${text}`;
}

const [WIDTH, HEIGHT] = [96, 28];
const HIGHEST = 10;

/** A small line of strengths from 0 to 10, with the middle dashed. */
function TrendLine({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return <span className="text-faint">–</span>;
  const x = (index: number) => (index / (values.length - 1)) * WIDTH;
  const y = (value: number) => 1 + (1 - value / HIGHEST) * (HEIGHT - 2);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const [first, last] = [values[0] as number, values.at(-1) as number];
  return (
    <svg
      role="img"
      aria-label={`${label}: from ${first.toFixed(2)} to ${last.toFixed(2)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block h-7 w-24 align-middle"
      fill="none"
    >
      <line x1={0} x2={WIDTH} y1={y(5)} y2={y(5)} stroke="var(--edge)" strokeDasharray="2 3" />
      <polyline points={points} stroke="var(--dim)" strokeWidth={1.25} strokeLinejoin="round" />
      <circle cx={WIDTH - 2} cy={y(last)} r={2} fill={last >= 5 ? "var(--up)" : "var(--down)"} />
    </svg>
  );
}

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
function StrengthLines({ data, hidden, onHide }: StrengthLinesProps) {
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
            <Figure>{currency}</Figure>
            <Figure className="inline-block w-9 text-right">{history[at]?.toFixed(2) ?? "–"}</Figure>
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
