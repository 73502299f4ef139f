"use client";

import { X } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { BarAge } from "@/components/shared/bar-age";
import { CATEGORY_TITLES } from "@/components/shared/chart-parts";
import { StateMark } from "@/components/shared/state-mark";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { AtField } from "@/components/ui/past";
import { keepAt } from "@/components/ui/past-address";
import { FIELD_CLASS } from "@/components/ui/search-box";
import { type Column, Table } from "@/components/ui/table";
import { ChoiceTabs } from "@/components/ui/tabs";
import { useFresh } from "@/components/ui/use-fresh";
import type { IndicatorData, IndicatorSummary, ReadingLine } from "@/features/indicators/data";
import { IndicatorSkeleton, READINGS_CLASS } from "@/features/indicators/indicator-skeleton";
import type { Signal } from "@/lib/analytics/indicators/definition";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

/** Values change when a bar closes; the price and the distance to the levels change with every quote. */
const REFRESH_MS = 2_000;

interface IndicatorViewProps {
  /** The name of the instrument of the page's address. */
  name: string;
  initial: IndicatorData;
  summaryBars: number;
}

/** All readings of one symbol at one timeframe, refreshed every few seconds. */
export function IndicatorView({ name, initial, summaryBars }: IndicatorViewProps) {
  const [symbol, setSymbol] = useState(initial.symbol);
  const [timeframe, setTimeframe] = useState<Timeframe>(initial.timeframe);
  const [own, setOwn] = useState(initial.own.map(({ name: each }) => each).join());
  const isInitial = own === initial.own.map(({ name: each }) => each).join();
  const { data, isOffline } = useFresh<IndicatorData>(
    `/indicators/data?${toSearch({ symbol, timeframe, own })}`,
    REFRESH_MS,
    symbol === initial.symbol && timeframe === initial.timeframe && isInitial ? initial : undefined,
  );

  function choose(next: { symbol: string; timeframe: Timeframe; own?: string }): void {
    setSymbol(next.symbol);
    setTimeframe(next.timeframe);
    setOwn(next.own ?? own);
    history.replaceState(null, "", keepAt(`?${toSearch({ own, ...next })}`));
  }

  return (
    <>
      <form method="get" className={TOOLBAR_CLASS}>
        <AtField />
        <SymbolSelect
          value={symbol}
          {...(symbol === initial.symbol ? { title: name } : {})}
          onChange={(chosen) => choose({ symbol: chosen, timeframe })}
        />
        <ChoiceTabs
          label="Timeframe"
          name="timeframe"
          choices={TIMEFRAMES}
          chosen={timeframe}
          onChoose={(next) => choose({ symbol, timeframe: next })}
        />
        <ApiCallButton
          of="Indicators"
          requests={[
            { path: "/v1/indicators", query: { symbol, timeframe } },
            ...(own === ""
              ? []
              : [{ path: "/v1/multi" as const, query: { symbols: symbol, indicators: own, timeframe } }]),
            { path: "/v1/summary", query: { symbol, timeframe } },
          ]}
        />
        {data && <BarFacts data={data} />}
      </form>
      {isOffline && (
        <Notice tone="error">
          {data === undefined
            ? `The indicators of ${symbol} could not be loaded. Trying again.`
            : "The server is not responding. These readings may be out of date."}
        </Notice>
      )}
      {data && <BarNotice data={data} />}
      {data === undefined ? (
        !isOffline && <IndicatorSkeleton />
      ) : (
        <Readings data={data} summaryBars={summaryBars}>
          <OwnReadings data={data} own={own} onChange={(next) => choose({ symbol, timeframe, own: next })} />
        </Readings>
      )}
    </>
  );
}

function toSearch({ symbol, timeframe, own }: { symbol: string; timeframe: Timeframe; own: string }): string {
  const search = new URLSearchParams({ symbol, timeframe, ...(own === "" ? {} : { indicators: own }) });
  return search.toString().replaceAll("%2C", ",");
}

interface OwnReadingsProps {
  data: IndicatorData;
  /** Names, separated by commas. */
  own: string;
  onChange: (own: string) => void;
}

/** Readings of members of families, and a field that adds one by its name. */
function OwnReadings({ data, own, onChange }: OwnReadingsProps) {
  const [text, setText] = useState("");
  const [added, setAdded] = useState<string | null>(null);
  const names = own === "" ? [] : own.split(",");
  // The server leaves out what it does not know.
  const isUnknown = added !== null && names.includes(added) && !data.own.some(({ name }) => name === added);

  function add(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const name = text.trim();
    if (name === "" || names.includes(name)) return;
    const known = names.filter((each) => data.own.some((line) => line.name === each));
    onChange([...known, name].join());
    setAdded(name);
    setText("");
  }

  return (
    <section aria-label="Own parameters" className="grid content-start gap-2">
      <h2 className="text-xs12 text-faint">Own parameters</h2>
      {data.own.length > 0 && (
        <Table
          look="dense"
          caption="Own parameters"
          areHeadingsHidden
          rowProps={() => ({ className: "border-t border-line" })}
          columns={[
            ...getColumns(data),
            {
              heading: "Remove",
              cell: ({ name }) => (
                <button
                  type="button"
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(names.filter((each) => each !== name).join())}
                  className="grid size-7 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink max-md:size-11"
                >
                  <X aria-hidden size={12} />
                </button>
              ),
              cellClassName: "w-8",
            },
          ]}
          rows={data.own}
          getKey={({ name }) => name}
        />
      )}
      <form onSubmit={add} className="flex gap-2">
        <input
          aria-label="Name of an indicator"
          placeholder="RSI_21, Supertrend_10_3"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`min-w-0 px-2 font-mono ${FIELD_CLASS}`}
        />
        <Button type="submit" size="sm" className="h-8! max-md:h-10!">
          Add
        </Button>
      </form>
      <p role="status" className="text-xs12 text-faint">
        {isUnknown ? `There is no other indicator ${added}. ` : ""}
        <Link href="/docs/indicators" className="underline">
          Names and parameters
        </Link>
      </p>
    </section>
  );
}

/** Which bar the readings belong to, and the price beside them. */
function BarFacts({ data: { bar, bars, quote } }: { data: IndicatorData }) {
  return (
    <p className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-0.5 text-xs13 text-dim max-md:order-4 max-md:ml-0">
      {bar && (
        <span>
          Bar of{" "}
          <Figure as="time" dateTime={new Date(bar.timeMs).toISOString()}>
            {new Date(bar.timeMs).toISOString().slice(0, 16).replace("T", " ")}
          </Figure>
          , closed at <Figure>{bar.close}</Figure> · {bars} bars
        </span>
      )}
      {bar && <BarAge state={bar.state} closedMs={bar.closedMs} />}
      {quote && (
        <span className="whitespace-nowrap">
          <Figure className="text-ink">{quote.bid}</Figure> / <Figure className="mr-2 text-ink">{quote.ask}</Figure>{" "}
          <StateMark state={quote.state} />
        </span>
      )}
    </p>
  );
}

/** Says why readings are not of the market of now, or of all bars. */
function BarNotice({ data: { symbol, timeframe, bar, bars, hole } }: { data: IndicatorData }) {
  const toText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (bar?.state === "outdated") {
    return (
      <Notice tone="error">
        {`The newest ${timeframe} bar of ${symbol} closed at ${toText(bar.closedMs)}. These readings are of then, not of now.`}
      </Notice>
    );
  }
  if (bar?.state === "short") {
    return (
      <Notice tone="note">
        {`These readings are made of the ${bars} ${timeframe} bars of ${symbol} that are stored so far. Those that remember earlier bars change once the past is filled in.`}
      </Notice>
    );
  }
  if (hole === null) return null;
  return (
    <Notice tone="note">
      {`Bars are missing from ${toText(hole.fromMs)} to ${toText(hole.untilMs)}. Readings start anew after them: ${hole.barsAfter} bars so far.`}
    </Notice>
  );
}

interface ReadingsProps {
  data: IndicatorData;
  summaryBars: number;
  children: ReactNode;
}

function Readings({ data, summaryBars, children }: ReadingsProps) {
  if (data.bars === 0) {
    return (
      <EmptyState title={`No ${data.timeframe} bar of ${data.symbol} has closed yet`}>
        Bars are built from recorded quotes. On a shorter timeframe, the first bar closes sooner.
      </EmptyState>
    );
  }
  const [trend, ...others] = data.groups;
  return (
    <div className={READINGS_CLASS}>
      <SummaryCard data={data} neededBars={summaryBars} />
      {trend && <ReadingTable group={trend} data={data} />}
      <div className="grid content-start gap-4">
        {others.map((group) => (
          <ReadingTable key={group.category} group={group} data={data} />
        ))}
        {children}
      </div>
    </div>
  );
}

type Group = IndicatorData["groups"][number];

/** The readings of one category, each a link to its chart. A reading without enough bars shows how many it needs. */
function ReadingTable({ group, data }: { group: Group; data: IndicatorData }) {
  return (
    <Table
      look="dense"
      caption={CATEGORY_TITLES[group.category]}
      isCaptionShown
      captionClassName="pb-1.5 text-xs12 text-faint"
      areHeadingsHidden
      rowProps={() => ({ className: "border-t border-line" })}
      columns={getColumns(data)}
      rows={group.lines}
      getKey={({ name }) => name}
    />
  );
}

function getColumns({ symbol, timeframe }: IndicatorData): Column<ReadingLine>[] {
  return [
    {
      heading: "Indicator",
      cell: ({ name, title, formula }) => (
        <Link
          href={`/symbols/${symbol}?timeframe=${timeframe}&indicators=${name}`}
          title={`${formula}. Opens the chart.`}
          className="group block py-1"
        >
          <span className="group-hover:underline">{name}</span>
          <span className="block text-2xs whitespace-normal text-faint">{title}</span>
        </Link>
      ),
    },
    {
      heading: "Value",
      cell: ({ value }) => <Figure>{value}</Figure>,
      isNumeric: true,
      cellClassName: "pl-3",
    },
    {
      heading: "Signal",
      cell: ({ value, signal, bars, warmUp }) => {
        if (value === null) {
          return (
            <span className="block text-right text-faint">
              {bars} of {warmUp} bars
            </span>
          );
        }
        return signal === null ? <span className="sr-only">none</span> : <SignalMark signal={signal} />;
      },
      cellClassName: "w-29 pl-5",
    },
  ];
}

interface SummaryCardProps {
  data: IndicatorData;
  /** Closed bars that a summary needs. */
  neededBars: number;
}

/** The direction of trend and momentum together, and the levels around the price. */
function SummaryCard({ data: { bar, bars, hole, quote, summary }, neededBars }: SummaryCardProps) {
  const usedBars = hole?.barsAfter ?? bars;
  return (
    <section
      aria-labelledby="summary-title"
      className="grid gap-3.5 rounded-lg border border-line bg-panel px-4 pt-3.5 pb-4 text-xs13 max-wide:col-span-full"
    >
      <h2 id="summary-title" className="text-xs12 text-faint">
        Summary
      </h2>
      {summary === null ? (
        <p className="text-dim">
          {quote === null
            ? "No quote yet."
            : bar?.state === "outdated"
              ? "A summary speaks of the market of now, and the newest bar is outdated."
              : `A summary needs ${neededBars} closed bars; there are ${usedBars} so far.`}
        </p>
      ) : (
        <SummaryBody summary={summary} />
      )}
    </section>
  );
}

function SummaryBody({ summary }: { summary: IndicatorSummary }) {
  const { bias, isStrong, confidencePercent, volatility, volume, resistance, support, observations } = summary;
  return (
    <>
      <p className="grid gap-1">
        <SignalMark signal={bias} isLarge />
        <span className="text-dim">
          {isStrong ? "strong" : "normal"} · confidence {confidencePercent} %
        </span>
      </p>
      <dl>
        <Score name="Trend" value={summary.trendScore} min={-100} />
        <Score name="Momentum" value={summary.momentumScore} min={-100} />
        <Score name="Volatility" value={summary.volatilityScore} min={0} word={volatility} />
        <div className={LINE_CLASS}>
          <dt className="text-dim">Volume</dt>
          <dd>{volume}</dd>
        </div>
      </dl>
      <dl>
        <Levels name="Resistance" prices={resistance} />
        <Levels name="Support" prices={support} />
      </dl>
      <ul className="grid gap-1.5 border-t border-line pt-3 text-dim">
        {observations.map((observation) => (
          <li key={observation}>{observation}</li>
        ))}
      </ul>
    </>
  );
}

const LINE_CLASS = "grid min-h-6 grid-cols-[5.5rem_minmax(0,1fr)] items-center";
const CENTRE_MARK =
  "after:absolute after:-inset-y-0.5 after:left-1/2 after:border-l after:border-faint after:content-['']";

function Score({ name, value, min, word }: { name: string; value: number; min: 0 | -100; word?: string }) {
  const from = min === 0 ? 0 : 50;
  const to = (100 * (value - min)) / (100 - min);
  return (
    <div className={LINE_CLASS}>
      <dt className="text-dim">{name}</dt>
      <dd className="flex items-center gap-2.5">
        <span aria-hidden className={`relative h-[5px] w-24 rounded-sm bg-line ${min === 0 ? "" : CENTRE_MARK}`}>
          <span
            className={`absolute inset-y-0 rounded-sm ${min === 0 || value === 0 ? "bg-dim" : value > 0 ? "bg-up" : "bg-down"}`}
            style={{ left: `${Math.min(from, to)}%`, width: `${Math.abs(to - from)}%` }}
          />
        </span>
        <Figure>{min !== 0 && value > 0 ? `+${value}` : value}</Figure>
        {word !== undefined && <span className="text-dim"> {word}</span>}
      </dd>
    </div>
  );
}

function Levels({ name, prices }: { name: string; prices: readonly string[] }) {
  return (
    <div className={LINE_CLASS}>
      <dt className="text-dim">{name}</dt>
      <Figure as="dd" className="whitespace-pre-wrap">
        {prices.length === 0 ? <span className="font-sans text-faint">none nearby</span> : prices.join("  ")}
      </Figure>
    </div>
  );
}

interface Look {
  readonly meaning: string;
  readonly colour: string;
  readonly shape: "arrow-up" | "arrow-down" | "dash";
}

const LOOKS: Readonly<Record<Signal, Look>> = {
  bullish: { meaning: "Points to rising prices", colour: "text-up", shape: "arrow-up" },
  bearish: { meaning: "Points to falling prices", colour: "text-down", shape: "arrow-down" },
  overbought: { meaning: "Above its upper level", colour: "text-warn", shape: "arrow-up" },
  oversold: { meaning: "Below its lower level", colour: "text-warn", shape: "arrow-down" },
  neutral: { meaning: "Points neither way", colour: "text-dim", shape: "dash" },
};

/** The signal of a reading: a shape, a word and a colour, never the colour alone. */
function SignalMark({ signal, isLarge = false }: { signal: Signal; isLarge?: boolean }) {
  const { meaning, colour, shape } = LOOKS[signal];
  return (
    <span
      title={meaning}
      className={`inline-flex items-center gap-1.5 align-middle ${colour} ${isLarge ? "text-[1.125rem] font-semibold" : ""}`}
    >
      <span aria-hidden className={`bg-current ${getShapeClass(shape, isLarge)}`} />
      {signal}
    </span>
  );
}

function getShapeClass(shape: Look["shape"], isLarge: boolean): string {
  if (shape === "dash") return isLarge ? "h-0.5 w-[11px]" : "h-[1.5px] w-[7px]";
  return `${shape} ${isLarge ? "h-[9px] w-[11px]" : "h-1.5 w-[7px]"}`;
}
