"use client";

import { useState } from "react";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { ChoiceTabs } from "@/components/ui/choice-tabs";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { BarView } from "@/features/ticks/bar-view";
import { ChartSkeleton } from "@/features/ticks/chart-skeleton";
import { TickView } from "@/features/ticks/tick-view";
import type { HistoryInstrument, HistoryKind, HistorySheet } from "@/features/ticks/types";
import { formatPlansWith } from "@/lib/access/plan-text";
import { TIMEFRAMES } from "@/lib/market/timeframe";

/** Recorded prices come in once a second; a chart of them is read more slowly. */
const REFRESH_MS = 3_000;

const KINDS = ["ticks", ...TIMEFRAMES] as const;

interface HistoryViewProps {
  instruments: readonly HistoryInstrument[];
  kind: HistoryKind;
  /** When the hour of ticks begins that is shown: UTC milliseconds; null for the one that ends now. */
  fromMs: number | null;
  initial: HistorySheet;
}

interface Choice {
  readonly symbol: string;
  readonly kind: HistoryKind;
  readonly fromMs: number | null;
}

/** What was recorded of one symbol: its ticks hour by hour, or its latest bars, kept fresh. */
export function HistoryView({ instruments, kind, fromMs, initial }: HistoryViewProps) {
  const [first] = useState<Choice>({ symbol: initial.symbol, kind, fromMs });
  const [choice, setChoice] = useState(first);
  const url = `/ticks/data?${addressOf(choice)}`;
  const { data: sheet, isOffline } = useFresh<HistorySheet>(url, REFRESH_MS, choice === first ? initial : undefined);

  function choose(change: Partial<Choice>): void {
    const next = { ...choice, ...change };
    setChoice(next);
    history.replaceState(null, "", `?${addressOf(next)}`);
  }

  return (
    <>
      <form method="get" className="history-toolbar">
        <SymbolSelect instruments={instruments} value={choice.symbol} onChange={(symbol) => choose({ symbol })} />
        <ChoiceTabs
          label="Ticks, or bars of a timeframe"
          name="view"
          choices={KINDS}
          chosen={choice.kind}
          onChoose={(next) => choose({ kind: next })}
          textOf={(each) => (each === "ticks" ? "Ticks" : each)}
        />
      </form>
      {isOffline && (
        <Notice tone="error">
          {sheet === undefined
            ? `The recorded prices of ${choice.symbol} could not be read. Trying again.`
            : "The server does not answer. What is shown is its last word."}
        </Notice>
      )}
      {sheet === undefined && !isOffline && <ChartSkeleton />}
      {sheet?.kind === "ticks" && (
        <TickView sheet={sheet} isLatest={choice.fromMs === null} onHour={(hourMs) => choose({ fromMs: hourMs })} />
      )}
      {sheet?.kind === "locked" && (
        <EmptyState title="Ticks are not part of your plan">
          They come with the plans {formatPlansWith("ticks")}, here and in the API. Every plan has bars.
        </EmptyState>
      )}
      {sheet !== undefined && sheet.kind !== "ticks" && sheet.kind !== "locked" && <BarView sheet={sheet} />}
    </>
  );
}

function addressOf({ symbol, kind, fromMs }: Choice): URLSearchParams {
  const address = new URLSearchParams({ symbol, view: kind });
  if (kind === "ticks" && fromMs !== null) address.set("from", new Date(fromMs).toISOString());
  return address;
}
