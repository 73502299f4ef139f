"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { connectStream } from "@/components/shared/connect-stream";
import { useMarketClock } from "@/components/shared/market-clock";
import { summariseMarket } from "@/features/overview/market";
import type { MarketSummary, OverviewData } from "@/features/overview/types";
import { readWireDay, toNextRow, withDay } from "@/features/quotes/board-row";
import type { BoardRow, BoardUpdate } from "@/features/quotes/types";
import type { TradingDay } from "@/lib/market/day-change";

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

/** Keeps the summary of the market up to date over the board's stream. `polled` is shown until its first message. */
export function useMarket({
  market: polled,
  usual,
  digits,
}: Pick<OverviewData, "market" | "usual" | "digits">): MarketSummary {
  const clock = useMarketClock();
  const router = useRouter();
  const [streamed, setStreamed] = useState<MarketSummary | null>(null);
  const known = useRef({ usual, digits });
  useEffect(() => void (known.current = { usual, digits }), [usual, digits]);
  useEffect(() => {
    const rows = createRows();
    let hasNews = false;
    const disconnect = connectStream<BoardUpdate>({
      streamUrl: "/quotes/stream",
      eventName: "board",
      pollUrl: "/quotes/snapshot",
      onMessage(update) {
        clock.set(update.nowMs);
        rows.add(update);
        hasNews = true;
      },
      // The poll of the overview says when the server cannot be reached.
      onState: () => {},
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
  }, [clock, router]);
  return streamed ?? polled;
}
