"use client";

import { useState } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ChoiceTabs } from "@/components/ui/tabs";
import { TOOLBAR_CLASS } from "@/components/ui/toolbar";
import { useFresh } from "@/components/ui/use-fresh";
import { StrengthTable } from "@/features/strength/strength-table";
import type { StrengthData } from "@/features/strength/types";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmaps";

/** Strength changes when a bar closes. The page shows it at most this much later. */
const REFRESH_MS = 15_000;

const BODY_CLASS = "border-t border-line p-4 max-md:p-3";

interface StrengthViewProps {
  timeframes: readonly HeatmapTimeframe[];
  initial: StrengthData;
}

/** The eight currencies ranked by strength at one timeframe, refreshed automatically. */
export function StrengthView({ timeframes, initial }: StrengthViewProps) {
  const [timeframe, setTimeframe] = useState(initial.timeframe);
  const { data, isOffline } = useFresh<StrengthData>(
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
      <form method="get" className={TOOLBAR_CLASS}>
        <ChoiceTabs label="Timeframe" name="timeframe" choices={timeframes} chosen={timeframe} onChoose={choose} />
        {data && <StrengthFacts data={data} />}
      </form>
      {isOffline && (
        <Notice tone="error">
          {data === undefined
            ? "Currency strength could not be loaded. Trying again."
            : "The server is not responding. These readings may be out of date."}
        </Notice>
      )}
      {data === undefined ? !isOffline && <StrengthSkeleton /> : <Ranking data={data} />}
    </>
  );
}

function StrengthFacts({ data: { timeMs, widestPair, timeframe } }: { data: StrengthData }) {
  if (timeMs === null) return null;
  const time = new Date(timeMs).toISOString();
  return (
    <p className="ml-auto flex flex-wrap gap-x-4 gap-y-0.5 text-xs13 text-dim max-md:order-2 max-md:ml-0">
      {widestPair !== null && (
        <span>
          Strongest against weakest: {widestPair.strongest} over {widestPair.weakest},{" "}
          <span className="font-medium text-ink">
            {widestPair.side} {widestPair.symbol}
          </span>
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
const FIRST_READING: Readonly<Record<HeatmapTimeframe, string>> = {
  H1: "thirteen hours",
  H4: "a little over two trading days",
  D1: "thirteen trading days",
  W1: "thirteen weeks",
};

function Ranking({ data: { timeframe, lines } }: { data: StrengthData }) {
  if (lines === null) {
    return (
      <EmptyState title={`Too few ${timeframe} bars yet`}>
        Strength needs thirteen closed bars of every currency, which takes {FIRST_READING[timeframe]} of recording.
        {timeframe !== "H1" && " A shorter timeframe is ready sooner."}
      </EmptyState>
    );
  }
  return (
    <div className={BODY_CLASS}>
      <StrengthTable lines={lines} />
      <p className="mt-4 max-w-[44rem] text-xs13 text-faint">
        Strength is the move of a currency against the other seven over the last twelve {timeframe} bars, relative to
        the size of its usual moves. 5 is neutral; 7.3 is one standard deviation above. Change is the difference from
        the bar before. An arrow marks a large and sustained change.
      </p>
    </div>
  );
}

function StrengthSkeleton() {
  return (
    <div className={`grid gap-5 ${BODY_CLASS}`}>
      <p role="status" className="sr-only">
        Loading currency strength
      </p>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-4 w-full max-w-3xl" />
      ))}
    </div>
  );
}
