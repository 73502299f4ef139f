"use client";

import { type ReactNode, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call/api-call-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { ChoiceTabs } from "@/components/ui/tabs";
import { TOOLBAR_CLASS } from "@/components/ui/toolbar";
import { useFresh } from "@/components/ui/use-fresh";
import { CorrelationMatrix } from "@/features/strength/correlation-matrix";
import { PairMatrix } from "@/features/strength/pair-matrix";
import { StrengthBars } from "@/features/strength/strength-bars";
import { StrengthFacts } from "@/features/strength/strength-facts";
import { StrengthHeat } from "@/features/strength/strength-heat";
import { StrengthLines } from "@/features/strength/strength-lines";
import { StrengthSkeleton } from "@/features/strength/strength-skeleton";
import type { StrengthData } from "@/features/strength/types";
import { CURRENCY_CHOICES, type StrengthChoice, toStrengthHref } from "@/features/strength/url";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmap-timeframes";

/** Strength changes when a bar closes. The page shows it at most this much later. */
const REFRESH_MS = 15_000;

interface StrengthViewProps {
  choice: StrengthChoice;
  initial: StrengthData;
}

/** The strength of eight currencies at all timeframes, and one of them in full; refreshed automatically. */
export function StrengthView({ choice: first, initial }: StrengthViewProps) {
  const [choice, setChoice] = useState(first);
  const { timeframe, of, hidden } = choice;
  const { data, isOffline } = useFresh<StrengthData>(
    `/strength/data?${new URLSearchParams({ timeframe })}`,
    REFRESH_MS,
    timeframe === initial.timeframe ? initial : undefined,
  );

  function choose(change: Partial<StrengthChoice>): void {
    const next = { ...choice, ...change };
    setChoice(next);
    history.replaceState(null, "", toStrengthHref(next));
  }

  return (
    <>
      <form method="get" className={TOOLBAR_CLASS}>
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
