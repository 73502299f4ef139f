"use client";

import dynamic from "next/dynamic";
import { useEffect } from "react";
import { useMarketClock } from "@/components/shared/market-clock";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { AccountPanel } from "@/features/overview/account-panel";
import { CalendarPanel } from "@/features/overview/calendar-panel";
import { MoversPanel } from "@/features/overview/movers-panel";
import { SessionsPart } from "@/features/overview/sessions-part";
import { SourcesPanel } from "@/features/overview/sources-panel";
import { SpreadsPanel } from "@/features/overview/spreads-panel";
import { StrengthPanel } from "@/features/overview/strength-panel";
import type { OverviewData } from "@/features/overview/types";
import { useMarket } from "@/features/overview/use-market";

/** Only newcomers see it. */
const FirstRun = dynamic(() => import("@/features/overview/first-run").then((module) => module.FirstRun));

const REFRESH_MS = 5_000;
/** While a newcomer waits for the first call. */
const EAGER_REFRESH_MS = 2_000;

interface OverviewViewProps {
  initial: OverviewData;
  /** The origin of the API. */
  origin: string;
  isOperator: boolean;
}

/** The overview: prices over the board's stream, everything else by one request every few seconds. */
export function OverviewView({ initial, origin, isOperator }: OverviewViewProps) {
  // The steps stay until the next visit, so that the arrival of the first call is seen.
  const isNewcomer = initial.start.call === null;
  const refreshMs = isNewcomer ? EAGER_REFRESH_MS : REFRESH_MS;
  const { data = initial, isOffline } = useFresh<OverviewData>("/overview/data", refreshMs, initial);
  const clock = useMarketClock();
  useEffect(() => clock.set(data.nowMs), [clock, data]);
  return (
    <>
      {isOffline && (
        <div className="px-4 pb-3 max-md:px-3">
          <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>
        </div>
      )}
      {isNewcomer && <FirstRun steps={data.start} origin={origin} />}
      <div className="grid gap-px border-y border-line bg-line">
        <SessionsPart sessions={data.sessions} />
        <div className="grid grid-cols-[5fr_4fr_3fr] gap-px max-wide:grid-cols-2 max-md:grid-cols-1">
          <CalendarPanel calendar={data.calendar} />
          <StrengthPanel strength={data.strength} />
          <div className="min-w-0 bg-bg max-wide:col-span-full">
            <AccountPanel usage={data.usage} notices={data.notices} alerts={data.alerts} />
          </div>
        </div>
        <MarketParts data={data} isOperator={isOperator} />
      </div>
    </>
  );
}

/** The parts that change with every price. */
function MarketParts({ data, isOperator }: { data: OverviewData; isOperator: boolean }) {
  const market = useMarket(data);
  return (
    <div className="grid grid-cols-[5fr_4fr_3fr] gap-px max-wide:grid-cols-2 max-md:grid-cols-1">
      <MoversPanel market={market} />
      <SpreadsPanel market={market} usual={data.usual} />
      <div className="min-w-0 bg-bg max-wide:col-span-full">
        <SourcesPanel sources={data.sources} isOperator={isOperator} />
      </div>
    </div>
  );
}
