"use client";

import { ChartCandlestick, ChevronLeft, ChevronRight, Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { SymbolSelect } from "@/components/shared/symbol-select";
import type { ApiRequest } from "@/components/shared/write-code";
import { Button, getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ExampleTable } from "@/components/ui/example-table";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { TOOLBAR_CLASS } from "@/components/ui/page-part";
import { AtField, useAddressAt } from "@/components/ui/past";
import { keepAt, withAt } from "@/components/ui/past-address";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { ChoiceTabs } from "@/components/ui/tabs";
import { useFresh } from "@/components/ui/use-fresh";
import { ChartSkeleton } from "@/features/ticks/chart-skeleton";
import {
  BODY_CLASS,
  FACTS_CLASS,
  formatDateTime,
  formatMillisecond,
  formatMinute,
  formatSecond,
  HISTORY_PLOT_CLASS,
} from "@/features/ticks/classes";
import type { BarData, HistoryData, HistoryKind, TickData } from "@/features/ticks/data";
import { formatPlansWith } from "@/lib/access/plans";
import { formatSentPrice } from "@/lib/market/price";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { formatCount } from "@/lib/text/text";
import { HOUR_MS } from "@/lib/time/units";

/** Prices are recorded once a second, but the chart needs fewer updates. */
const REFRESH_MS = 3_000;

const KINDS = ["ticks", ...TIMEFRAMES] as const;

const RESOLUTIONS = ["1s", "tick"] as const;
type Resolution = (typeof RESOLUTIONS)[number];

interface HistoryViewProps {
  /** The name of the instrument of the page's address. */
  name: string;
  kind: HistoryKind;
  /** Start of the shown hour of ticks in UTC milliseconds; null for the one that ends now. */
  fromMs: number | null;
  resolution: Resolution;
  initial: HistoryData;
}

interface Choice {
  readonly symbol: string;
  readonly kind: HistoryKind;
  readonly fromMs: number | null;
  readonly resolution: Resolution;
}

/** The recorded prices of one symbol: its ticks hour by hour, or its latest bars, refreshed every few seconds. */
export function HistoryView({ name, kind, fromMs, resolution, initial }: HistoryViewProps) {
  const [first] = useState<Choice>({ symbol: initial.symbol, kind, fromMs, resolution });
  const [choice, setChoice] = useState(first);
  const at = useAddressAt();
  const url = `/ticks/data?${writeSearch(choice)}`;
  const { data, isOffline } = useFresh<HistoryData>(url, REFRESH_MS, choice === first ? initial : undefined);

  function choose(change: Partial<Choice>): void {
    const next = { ...choice, ...change };
    setChoice(next);
    history.replaceState(null, "", keepAt(`?${writeSearch(next)}`));
  }

  return (
    <>
      <form method="get" className={TOOLBAR_CLASS}>
        <AtField />
        <SymbolSelect
          value={choice.symbol}
          {...(choice.symbol === initial.symbol ? { title: name } : {})}
          onChange={(symbol) => choose({ symbol })}
        />
        <ChoiceTabs
          label="Ticks, or bars of a timeframe"
          name="view"
          choices={KINDS}
          chosen={choice.kind}
          onChoose={(next) => choose({ kind: next })}
          format={(each) => (each === "ticks" ? "Ticks" : each)}
        />
        {data?.kind === "ticks" && (data.kept !== null || choice.resolution === "tick") && (
          <ChoiceTabs
            label="Ticks of the hour"
            name="resolution"
            choices={RESOLUTIONS}
            chosen={choice.resolution}
            onChoose={(next) => choose({ resolution: next })}
            format={(each) => (each === "tick" ? "Every tick" : "Seconds")}
          />
        )}
        {data?.kind === "ticks" && (
          <a
            href={withAt(
              `/ticks/csv?${writeSearch({ ...choice, resolution: data.every === null ? "1s" : "tick" })}`,
              at,
            )}
            download
            className={`ml-auto ${getButtonClass("quiet", "sm")}`}
          >
            <Download aria-hidden size={14} />
            <span className="max-md:sr-only">CSV</span>
          </a>
        )}
        {data !== undefined && data.kind !== "locked" && (
          <ApiCallButton of="Recorded prices" requests={[toRequest(data)]} />
        )}
      </form>
      {isOffline && (
        <Notice tone="error">
          {data === undefined
            ? `The recorded prices of ${choice.symbol} could not be loaded. Trying again.`
            : "The server is not responding. These prices may be out of date."}
        </Notice>
      )}
      {data === undefined && !isOffline && <ChartSkeleton />}
      {data?.kind === "ticks" && (
        <TickView
          data={data}
          isEvery={choice.resolution === "tick"}
          isLatest={choice.fromMs === null}
          onHour={(hourMs) => choose({ fromMs: hourMs })}
        />
      )}
      {data?.kind === "locked" && <LockedTicks />}
      {data !== undefined && data.kind !== "ticks" && data.kind !== "locked" && <BarView data={data} />}
    </>
  );
}

function toRequest(data: BarData | TickData): ApiRequest {
  const { symbol } = data;
  if (data.kind === "ticks") {
    const [from, to] = [data.fromMs, data.toMs].map((timeMs) => new Date(timeMs).toISOString()) as [string, string];
    return { path: "/v1/ticks", query: { symbol, from, to, ...(data.every === null ? {} : { resolution: "tick" }) } };
  }
  return { path: "/v1/ohlc", query: { symbol, timeframe: data.kind } };
}

function writeSearch({ symbol, kind, fromMs, resolution }: Choice): URLSearchParams {
  const address = new URLSearchParams({ symbol, view: kind });
  if (kind === "ticks" && resolution === "tick") address.set("resolution", resolution);
  if (kind === "ticks" && fromMs !== null) address.set("from", new Date(fromMs).toISOString());
  return address;
}

const TABLE_ROWS = 20;

/** The latest bars: their count, a table of the newest, and a link to their chart. */
function BarView({ data }: { data: BarData }) {
  const { symbol, kind, digits, bars, isForming, expected } = data;
  if (bars.length === 0) {
    return (
      <EmptyState art="record" title={`No bar of ${symbol} yet`}>
        Bars are built from recorded prices. The first bar starts with the first price.
      </EmptyState>
    );
  }
  const latest = bars.slice(-TABLE_ROWS).reverse();
  return (
    <div className={BODY_CLASS}>
      <p className={FACTS_CLASS}>
        <span>
          {bars.length} {kind} bars
          {expected !== null && expected > bars.length && ` of ${expected} in market hours`}
        </span>
        <span>{isForming ? "The last bar is still open" : "All bars are closed"}</span>
      </p>
      <Link href={`/symbols/${symbol}?timeframe=${kind}`} className={`w-fit ${getButtonClass("secondary", "sm")}`}>
        <ChartCandlestick aria-hidden size={14} />
        Open the chart of {symbol}, {kind}
      </Link>
      <ScrollRegion label={`Latest bars of ${symbol}`} className="max-w-[44rem]">
        <PriceTable
          caption="Latest bars, newest first, of bid prices; times are UTC"
          columns={[
            { heading: "Opened", cell: ({ timeMs }) => <Opened timeMs={timeMs} timeframe={kind} /> },
            { heading: "Open", isNumeric: true, cell: ({ open }) => formatSentPrice(open, digits) },
            { heading: "High", isNumeric: true, cell: ({ high }) => formatSentPrice(high, digits) },
            { heading: "Low", isNumeric: true, cell: ({ low }) => formatSentPrice(low, digits) },
            { heading: "Close", isNumeric: true, cell: ({ close }) => formatSentPrice(close, digits) },
            {
              heading: "Updates",
              isNumeric: true,
              className: "max-md:hidden",
              cell: ({ volume }) => formatCount(volume),
            },
          ]}
          rows={latest}
          getKey={({ timeMs }) => timeMs}
        />
      </ScrollRegion>
    </div>
  );
}

/** When a bar opened. A phone has no space for both the year and the hour. */
function Opened({ timeMs, timeframe }: { timeMs: number; timeframe: Timeframe }) {
  const text = formatDateTime(timeMs);
  const isDaily = timeframe === "D1" || timeframe === "W1";
  return (
    <>
      <span className="max-md:hidden">{text}</span>
      <span className="md:hidden">{isDaily ? text.slice(0, 10) : text.slice(5)}</span>
    </>
  );
}

const TickChart = dynamic(() => import("@/features/ticks/tick-chart").then((module) => module.TickChart), {
  ssr: false,
  loading: () => <div className={HISTORY_PLOT_CLASS} />,
});

interface TickViewProps {
  data: TickData;
  /** Whether every tick is chosen. */
  isEvery: boolean;
  /** Whether the hour ends now and moves with the clock. */
  isLatest: boolean;
  /** Shows the hour from this time on; null for the one that ends now. */
  onHour: (hourMs: number | null) => void;
}

/** An hour of ticks: how complete it is, a chart, and a table of the newest. */
function TickView({ data, isEvery, isLatest, onHour }: TickViewProps) {
  const { symbol, fromMs, toMs, knownUntilMs, ticks, every, beganClosed } = data;
  const hourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  return (
    <div className={BODY_CLASS}>
      <div className={FACTS_CLASS}>
        {every === null ? (
          <Coverage data={data} />
        ) : (
          <span>
            <Figure className="text-ink">{formatCount(every.count)}</Figure> ticks; the chart has the last of each
            second
          </span>
        )}
        <div role="group" aria-label="Hour" className="flex flex-wrap items-center gap-1.5">
          <Button size="sm" aria-label="Previous hour" onClick={() => onHour(isLatest ? hourMs : hourMs - HOUR_MS)}>
            <ChevronLeft aria-hidden size={14} />
          </Button>
          <Figure>
            {formatDateTime(fromMs)}–{formatMinute(toMs)}
          </Figure>
          <Button
            size="sm"
            aria-label="Next hour"
            disabled={isLatest || toMs > knownUntilMs}
            onClick={() => onHour(hourMs + HOUR_MS)}
          >
            <ChevronRight aria-hidden size={14} />
          </Button>
          <Button size="sm" disabled={isLatest} onClick={() => onHour(null)}>
            Latest
          </Button>
        </div>
      </div>
      <KeptLine data={data} isEvery={isEvery} />
      {ticks.length === 0 && (every === null || every.count === 0) ? (
        <EmptyState art="record" title={`No tick of ${symbol} in this hour`}>
          {beganClosed ? "The market was closed." : "Nothing was recorded."}
        </EmptyState>
      ) : (
        <>
          <TickChart data={data} />
          <Gaps data={data} />
          <ScrollRegion label={`Ticks of ${symbol}`} className="max-w-[44rem]">
            {every === null && <SecondsTable data={data} />}
            {every !== null && every.count > 0 && <EveryTickTable data={data} every={every} />}
          </ScrollRegion>
        </>
      )}
    </div>
  );
}

function SecondsTable({ data: { ticks, digits } }: { data: TickData }) {
  return (
    <PriceTable
      caption="Latest ticks of the hour, newest first; times are UTC"
      columns={[
        { heading: "Second", cell: ([timeMs]) => formatSecond(timeMs) },
        { heading: "Bid", isNumeric: true, cell: ([, bid]) => formatSentPrice(bid, digits) },
        { heading: "Ask", isNumeric: true, cell: ([, , ask]) => formatSentPrice(ask, digits) },
      ]}
      rows={ticks.slice(-TABLE_ROWS).reverse()}
      getKey={([timeMs]) => timeMs}
    />
  );
}

function EveryTickTable({ data: { digits }, every }: { data: TickData; every: NonNullable<TickData["every"]> }) {
  const { count, latest } = every;
  const shown = count > latest.length ? `The newest ${latest.length} of ${formatCount(count)} ticks` : "The ticks";
  return (
    <PriceTable
      caption={`${shown} of the hour, newest first; times are the brokers', UTC`}
      columns={[
        { heading: "Time", cell: ({ timeMs }) => formatMillisecond(timeMs) },
        { heading: "Bid", isNumeric: true, cell: ({ bid }) => formatSentPrice(bid, digits) },
        { heading: "Ask", isNumeric: true, cell: ({ ask }) => formatSentPrice(ask, digits) },
        { heading: "Source", cell: ({ source }) => source },
        {
          heading: "Received after",
          isNumeric: true,
          className: "max-md:hidden",
          cell: ({ delayMs }) => `${formatCount(delayMs)} ms`,
        },
      ]}
      rows={latest}
      getKey={({ number }) => number}
    />
  );
}

/** Where every tick is not kept: of the symbol, or of some time of the hour. */
function KeptLine({ data: { symbol, kept, notKept, every }, isEvery }: { data: TickData; isEvery: boolean }) {
  if (kept === null) {
    return (
      <p className="text-xs13 text-dim">
        {isEvery ? "These are seconds. " : ""}Not every tick of {symbol} is kept: the server&rsquo;s setting
        SPOTLINE_KEEP_TICKS names the symbols of which it is.
      </p>
    );
  }
  if (every === null || notKept.length === 0) return null;
  const [since, until] = kept.map(formatDateTime);
  return (
    <p className="text-xs13 text-dim">
      {every.count === 0 ? (
        <>
          Every tick of {symbol} was kept from {since} to {until} UTC, but not in this hour.
        </>
      ) : (
        <>
          Not every tick was kept:{" "}
          <Figure>{notKept.map(([fromMs, toMs]) => `${formatSecond(fromMs)}–${formatSecond(toMs)}`).join(", ")}</Figure>
        </>
      )}
    </p>
  );
}

/** The share of the past seconds that have a tick. */
function Coverage({ data: { fromMs, knownUntilMs, ticks } }: { data: TickData }) {
  const seconds = Math.max(ticks.length, Math.round((knownUntilMs - fromMs) / 1000));
  const percent = seconds === 0 ? 0 : Math.round((100 * ticks.length) / seconds);
  return (
    <span>
      <Figure className="text-ink">{ticks.length}</Figure> ticks in <Figure className="text-ink">{seconds}</Figure>{" "}
      seconds ({percent} %)
    </span>
  );
}

function Gaps({ data: { gaps } }: { data: TickData }) {
  if (gaps.length === 0) return null;
  return (
    <p className="text-xs13 text-dim">
      Gaps of a minute or more, shaded above:{" "}
      <Figure>{gaps.map(([fromMs, toMs]) => `${formatSecond(fromMs)}–${formatSecond(toMs)}`).join(", ")}</Figure>
    </p>
  );
}

interface PriceTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => number;
}

/** A dense table of recorded prices, all in figures of equal width. */
function PriceTable<Row>({ columns, ...rest }: PriceTableProps<Row>) {
  return (
    <Table
      look="dense"
      isCaptionShown
      captionClassName="pb-1.5 text-xs12 text-faint"
      cellClassName="border-t border-line px-2 tabular-nums first:pl-0 max-md:px-1 max-md:text-xs12"
      headingClassName=""
      columns={columns.map((column) => ({ ...column, cellClassName: "font-mono" }))}
      {...rest}
    />
  );
}

const EXAMPLE_TICKS = {
  columns: ["Time, UTC", "Bid", "Ask", "Spread, pips", "Source"],
  rows: [
    ["13:30:02", "1.08512", "1.08519", "0.7", "broker-a"],
    ["13:30:01", "1.08497", "1.08511", "1.4", "broker-a"],
    ["13:30:00", "1.08548", "1.08566", "1.8", "broker-b"],
  ],
};

/** In place of the ticks on a plan without them. */
function LockedTicks() {
  return (
    <>
      <EmptyState
        title="Ticks are not part of your plan"
        action={
          <Link href="/plan" className={getButtonClass("secondary")}>
            Compare plans
          </Link>
        }
      >
        Ticks are included in {formatPlansWith("ticks")}, here and in the API. Every plan includes bars.
      </EmptyState>
      <ExampleTable
        caption="An example of recorded ticks: not real prices. Each hour has a chart."
        {...EXAMPLE_TICKS}
      />
    </>
  );
}
