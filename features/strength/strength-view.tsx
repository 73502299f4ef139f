"use client";

import { useState } from "react";
import { ChoiceTabs } from "@/components/ui/choice-tabs";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { StrengthSkeleton } from "@/features/strength/strength-skeleton";
import { StrengthTable } from "@/features/strength/strength-table";
import type { StrengthSheet } from "@/features/strength/types";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmaps";

/** Strength only changes when a bar closes; this is how late the page may hear of it. */
const REFRESH_MS = 15_000;

interface StrengthViewProps {
  timeframes: readonly HeatmapTimeframe[];
  initial: StrengthSheet;
}

/** The eight currencies ranked by strength at one timeframe, kept fresh. */
export function StrengthView({ timeframes, initial }: StrengthViewProps) {
  const [timeframe, setTimeframe] = useState(initial.timeframe);
  const { data: sheet, isOffline } = useFresh<StrengthSheet>(
    `/strength/data?${new URLSearchParams({ timeframe })}`,
    REFRESH_MS,
    timeframe === initial.timeframe ? initial : undefined,
  );

  function choose(next: HeatmapTimeframe): void {
    setTimeframe(next);
    history.replaceState(null, "", `?${new URLSearchParams({ timeframe: next })}`);
  }

  return (
    <>
      <form method="get" className="strength-toolbar">
        <ChoiceTabs label="Timeframe" name="timeframe" choices={timeframes} chosen={timeframe} onChoose={choose} />
        {sheet && <StrengthFacts sheet={sheet} />}
      </form>
      {isOffline && (
        <Notice tone="error">
          {sheet === undefined
            ? "Currency strength could not be read. Trying again."
            : "The server does not answer. These readings are its last."}
        </Notice>
      )}
      {sheet === undefined ? !isOffline && <StrengthSkeleton /> : <Sheet sheet={sheet} />}
    </>
  );
}

function StrengthFacts({ sheet: { timeMs, widestPair, timeframe } }: { sheet: StrengthSheet }) {
  if (timeMs === null) return null;
  const time = new Date(timeMs).toISOString();
  return (
    <p className="strength-facts">
      {widestPair !== null && (
        <span>
          Strongest against weakest: <span className="font-medium text-ink">{widestPair}</span>
        </span>
      )}
      <span>
        Last {timeframe} bar ended{" "}
        <time dateTime={time} className="numerals">
          {time.slice(0, 16).replace("T", " ")}
        </time>{" "}
        UTC
      </span>
    </p>
  );
}

/** How long thirteen bars take to record. */
const firstReading: Readonly<Record<HeatmapTimeframe, string>> = {
  H1: "thirteen hours",
  H4: "a little over two trading days",
  D1: "thirteen trading days",
  W1: "thirteen weeks",
};

function Sheet({ sheet: { timeframe, lines } }: { sheet: StrengthSheet }) {
  if (lines === null) {
    return (
      <EmptyState title={`Too few ${timeframe} bars yet`}>
        Strength is read from the last thirteen closed bars of every currency, which takes {firstReading[timeframe]} of
        recording.
        {timeframe !== "H1" && " A shorter timeframe has them sooner."}
      </EmptyState>
    );
  }
  return (
    <div className="strength-sheet">
      <StrengthTable lines={lines} />
      <p className="strength-legend">
        How each currency did against the other seven over the last twelve {timeframe} bars, measured by the size of its
        usual moves. 5 is neutral, 7.3 one standard deviation above it. The change is against one bar earlier; an arrow
        means that it is large and sustained.
      </p>
    </div>
  );
}
