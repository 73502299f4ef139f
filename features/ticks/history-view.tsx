"use client";

import { useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call/api-call-button";
import type { ApiRequest } from "@/components/shared/api-call/write-code";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { Notice } from "@/components/ui/notice";
import { ChoiceTabs } from "@/components/ui/tabs";
import { TOOLBAR_CLASS } from "@/components/ui/toolbar";
import { useFresh } from "@/components/ui/use-fresh";
import { BarView } from "@/features/ticks/bar-view";
import { ChartSkeleton } from "@/features/ticks/chart-skeleton";
import { LockedTicks } from "@/features/ticks/locked-ticks";
import { TickView } from "@/features/ticks/tick-view";
import type { BarData, HistoryData, HistoryInstrument, HistoryKind, TickData } from "@/features/ticks/types";
import { TIMEFRAMES } from "@/lib/market/timeframe";

/** Prices are recorded once a second, but the chart needs fewer updates. */
const REFRESH_MS = 3_000;

const KINDS = ["ticks", ...TIMEFRAMES] as const;

interface HistoryViewProps {
  instruments: readonly HistoryInstrument[];
  kind: HistoryKind;
  /** Start of the shown hour of ticks in UTC milliseconds; null for the one that ends now. */
  fromMs: number | null;
  initial: HistoryData;
}

interface Choice {
  readonly symbol: string;
  readonly kind: HistoryKind;
  readonly fromMs: number | null;
}

/** The recorded prices of one symbol: its ticks hour by hour, or its latest bars, refreshed every few seconds. */
export function HistoryView({ instruments, kind, fromMs, initial }: HistoryViewProps) {
  const [first] = useState<Choice>({ symbol: initial.symbol, kind, fromMs });
  const [choice, setChoice] = useState(first);
  const url = `/ticks/data?${writeSearch(choice)}`;
  const { data, isOffline } = useFresh<HistoryData>(url, REFRESH_MS, choice === first ? initial : undefined);

  function choose(change: Partial<Choice>): void {
    const next = { ...choice, ...change };
    setChoice(next);
    history.replaceState(null, "", `?${writeSearch(next)}`);
  }

  return (
    <>
      <form method="get" className={TOOLBAR_CLASS}>
        <SymbolSelect instruments={instruments} value={choice.symbol} onChange={(symbol) => choose({ symbol })} />
        <ChoiceTabs
          label="Ticks, or bars of a timeframe"
          name="view"
          choices={KINDS}
          chosen={choice.kind}
          onChoose={(next) => choose({ kind: next })}
          format={(each) => (each === "ticks" ? "Ticks" : each)}
        />
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
        <TickView data={data} isLatest={choice.fromMs === null} onHour={(hourMs) => choose({ fromMs: hourMs })} />
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
    return { path: "/v1/ticks", query: { symbol, from, to } };
  }
  return { path: "/v1/ohlc", query: { symbol, timeframe: data.kind } };
}

function writeSearch({ symbol, kind, fromMs }: Choice): URLSearchParams {
  const address = new URLSearchParams({ symbol, view: kind });
  if (kind === "ticks" && fromMs !== null) address.set("from", new Date(fromMs).toISOString());
  return address;
}
