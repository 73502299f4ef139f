"use client";

import { useState } from "react";
import { StateMark } from "@/components/shared/state-mark";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { ChoiceTabs } from "@/components/ui/choice-tabs";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { SheetSkeleton } from "@/features/indicators/indicator-skeleton";
import { ReadingTable } from "@/features/indicators/reading-table";
import { SummaryCard } from "@/features/indicators/summary-card";
import type { IndicatorSheet, SheetInstrument } from "@/features/indicators/types";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

/** Values change when a bar closes; the price and the distance to the levels change with every quote. */
const REFRESH_MS = 2_000;

interface IndicatorViewProps {
  instruments: readonly SheetInstrument[];
  initial: IndicatorSheet;
  summaryBars: number;
}

/** All readings of one symbol at one timeframe, kept fresh. */
export function IndicatorView({ instruments, initial, summaryBars }: IndicatorViewProps) {
  const [symbol, setSymbol] = useState(initial.symbol);
  const [timeframe, setTimeframe] = useState<Timeframe>(initial.timeframe);
  const { data: sheet, isOffline } = useFresh<IndicatorSheet>(
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
      <form method="get" className="sheet-toolbar">
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
        {sheet && <SheetFacts sheet={sheet} />}
      </form>
      {isOffline && (
        <Notice tone="error">
          {sheet === undefined
            ? `The indicators of ${symbol} could not be read. Trying again.`
            : "The server does not answer. These readings are its last."}
        </Notice>
      )}
      {sheet === undefined ? !isOffline && <SheetSkeleton /> : <Sheet sheet={sheet} summaryBars={summaryBars} />}
    </>
  );
}

/** Which bar the readings belong to, and the price beside them. */
function SheetFacts({ sheet: { bar, bars, quote } }: { sheet: IndicatorSheet }) {
  return (
    <p className="sheet-facts">
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

function Sheet({ sheet, summaryBars }: { sheet: IndicatorSheet; summaryBars: number }) {
  if (sheet.bars === 0) {
    return (
      <EmptyState title={`No ${sheet.timeframe} bar of ${sheet.symbol} has closed yet`}>
        Bars are made from the quotes that are recorded. A shorter timeframe has its first one sooner.
      </EmptyState>
    );
  }
  const [trend, ...others] = sheet.groups;
  return (
    <div className="sheet">
      <SummaryCard sheet={sheet} neededBars={summaryBars} />
      {trend && <ReadingTable group={trend} bars={sheet.bars} />}
      <div className="grid content-start gap-4">
        {others.map((group) => (
          <ReadingTable key={group.category} group={group} bars={sheet.bars} />
        ))}
      </div>
    </div>
  );
}
