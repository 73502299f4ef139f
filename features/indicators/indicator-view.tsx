"use client";

import { useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call/api-call-button";
import { StateMark } from "@/components/shared/state-mark";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { ChoiceTabs } from "@/components/ui/tabs";
import { TOOLBAR_CLASS } from "@/components/ui/toolbar";
import { useFresh } from "@/components/ui/use-fresh";
import { IndicatorSkeleton, READINGS_CLASS } from "@/features/indicators/indicator-skeleton";
import { ReadingTable } from "@/features/indicators/reading-table";
import { SummaryCard } from "@/features/indicators/summary-card";
import type { IndicatorData, IndicatorInstrument } from "@/features/indicators/types";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

/** Values change when a bar closes; the price and the distance to the levels change with every quote. */
const REFRESH_MS = 2_000;

interface IndicatorViewProps {
  instruments: readonly IndicatorInstrument[];
  initial: IndicatorData;
  summaryBars: number;
}

/** All readings of one symbol at one timeframe, refreshed every few seconds. */
export function IndicatorView({ instruments, initial, summaryBars }: IndicatorViewProps) {
  const [symbol, setSymbol] = useState(initial.symbol);
  const [timeframe, setTimeframe] = useState<Timeframe>(initial.timeframe);
  const { data, isOffline } = useFresh<IndicatorData>(
    `/indicators/data?${new URLSearchParams({ symbol, timeframe })}`,
    REFRESH_MS,
    symbol === initial.symbol && timeframe === initial.timeframe ? initial : undefined,
  );

  function choose(next: { symbol: string; timeframe: Timeframe }): void {
    setSymbol(next.symbol);
    setTimeframe(next.timeframe);
    history.replaceState(null, "", `?${new URLSearchParams(next)}`);
  }

  return (
    <>
      <form method="get" className={TOOLBAR_CLASS}>
        <SymbolSelect
          instruments={instruments}
          value={symbol}
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
      {data === undefined ? !isOffline && <IndicatorSkeleton /> : <Readings data={data} summaryBars={summaryBars} />}
    </>
  );
}

/** Which bar the readings belong to, and the price beside them. */
function BarFacts({ data: { bar, bars, quote } }: { data: IndicatorData }) {
  return (
    <p className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-0.5 text-xs13 text-dim max-md:order-4 max-md:ml-0">
      {bar && (
        <span>
          Bar of{" "}
          <time dateTime={new Date(bar.timeMs).toISOString()} className="numerals">
            {new Date(bar.timeMs).toISOString().slice(0, 16).replace("T", " ")}
          </time>
          , closed at <span className="numerals">{bar.close}</span> · {bars} bars
        </span>
      )}
      {quote && (
        <span className="whitespace-nowrap">
          <span className="numerals text-ink">{quote.bid}</span> /{" "}
          <span className="numerals mr-2 text-ink">{quote.ask}</span> <StateMark state={quote.state} />
        </span>
      )}
    </p>
  );
}

function Readings({ data, summaryBars }: { data: IndicatorData; summaryBars: number }) {
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
      </div>
    </div>
  );
}
