"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useContext, useEffect, useRef, useState } from "react";
import { followTopic } from "@/components/shared/live/follow-topic";
import { useMarketClock } from "@/components/shared/market-clock";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { Notice } from "@/components/ui/notice";
import { useShownAt } from "@/components/ui/past";
import { useFresh } from "@/components/ui/use-fresh";
import { CalendarPanel } from "@/features/overview/calendar-panel";
import { summariseMarket } from "@/features/overview/market";
import { AccountPanel, MoversPanel, SpreadsPanel, StrengthPanel } from "@/features/overview/market-panels";
import { SessionsPart, SourcesPanel } from "@/features/overview/sessions-part";
import type { MarketSummary, OverviewData } from "@/features/overview/types";
import { readWireDay, toNextRow, withDay } from "@/features/quotes/board-row";
import type { BoardRow, BoardUpdate } from "@/features/quotes/types";
import type { TradingDay } from "@/lib/market/day-change";

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
  const [firstStart, setFirstStart] = useState(initial.start);
  const isNewcomer = firstStart !== null && firstStart.call === null;
  const refreshMs = isNewcomer ? EAGER_REFRESH_MS : REFRESH_MS;
  const { data = initial, isOffline } = useFresh<OverviewData>("/overview/data", refreshMs, initial);
  const start = data.start ?? firstStart;
  if (firstStart === null && start !== null) setFirstStart(start);
  const clock = useMarketClock();
  useEffect(() => clock.set(data.nowMs), [clock, data]);
  return (
    <>
      {isOffline && (
        <div className="px-4 pb-3 max-md:px-3">
          <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>
        </div>
      )}
      {isNewcomer && start !== null && <FirstRun steps={start} origin={origin} />}
      {data.history !== null && (
        <p role="status" className="border-t border-line px-4 py-2 text-xs13 text-dim max-md:px-3">
          The history of {data.history.done} of {data.history.total} symbols is filled. Strength, usual spreads and
          indicators of the others follow as theirs is.
        </p>
      )}
      <div className="grid gap-px border-y border-line bg-line">
        <SessionsPart sessions={data.sessions} />
        <div className="grid grid-cols-[5fr_4fr_3fr] gap-px max-wide:grid-cols-2 max-md:grid-cols-1">
          <CalendarPanel calendar={data.calendar} />
          <StrengthPanel strength={data.strength} />
          <div className="min-w-0 bg-bg max-wide:col-span-full">
            <AccountPanel {...data} />
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

/** A ranking that changed more often could not be read. */
const SUMMARISE_MS = 1_000;

/** Collects the rows of the board's stream. */
function createRows() {
  const rows = new Map<string, BoardRow>();
  const days = new Map<string, TradingDay>();
  return {
    add({ rows: changed, days: newDays = [] }: BoardUpdate): void {
      for (const wire of newDays) days.set(wire[0], readWireDay(wire));
      for (const wire of changed) rows.set(wire[0], toNextRow(rows.get(wire[0]), wire));
      for (const [symbol] of newDays) joinDay(symbol);
      for (const [symbol] of changed) if (rows.get(symbol)?.day === null) joinDay(symbol);
    },
    list: () => rows.values(),
  };

  function joinDay(symbol: string): void {
    const [row, day] = [rows.get(symbol), days.get(symbol)];
    if (row !== undefined && day !== undefined) rows.set(symbol, withDay(row, day));
  }
}

/**
 * Keeps the summary of the market up to date over the board's stream. `polled` is shown until its first message, and of
 * a second of the past.
 */
function useMarket({
  market: polled,
  usual,
  digits,
}: Pick<OverviewData, "market" | "usual" | "digits">): MarketSummary {
  const clock = useMarketClock();
  const router = useRouter();
  const owner = useContext(PageOwnerContext);
  const isPast = useShownAt() !== null;
  const [streamed, setStreamed] = useState<MarketSummary | null>(null);
  const known = useRef({ usual, digits });
  useEffect(() => void (known.current = { usual, digits }), [usual, digits]);
  useEffect(() => {
    if (isPast) return;
    const rows = createRows();
    let hasNews = false;
    const disconnect = followTopic(owner, {
      topic: "board",
      onMessage(message) {
        const update = message as BoardUpdate;
        clock.set(update.nowMs);
        rows.add(update);
        hasNews = true;
      },
      // The poll of the overview says when the server cannot be reached.
      onSignedOut: () => router.refresh(),
    });
    const summarising = setInterval(() => {
      if (hasNews) setStreamed(summariseMarket(rows.list(), known.current));
      hasNews = false;
    }, SUMMARISE_MS);
    return () => {
      disconnect();
      clearInterval(summarising);
    };
  }, [clock, owner, router, isPast]);
  return streamed ?? polled;
}
