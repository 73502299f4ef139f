"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { connectStream } from "@/components/shared/connect-stream";
import { useMarketClock } from "@/components/shared/market-clock";
import type { LiveStore } from "@/features/symbols/live-store";
import type { LiveSymbol } from "@/features/symbols/types";
import type { Timeframe } from "@/lib/market/timeframe";

/** Fills the store from the server while the page is open. */
export function useSymbolStream(store: LiveStore, symbol: string, timeframe: Timeframe, compare: string | null): void {
  const clock = useMarketClock();
  const router = useRouter();
  useEffect(() => {
    const query = new URLSearchParams({ timeframe, ...(compare === null ? {} : { compare }) });
    return connectStream<LiveSymbol>({
      streamUrl: `/symbols/${symbol}/stream?${query}`,
      eventName: "symbol",
      pollUrl: `/symbols/${symbol}/live?${query}`,
      onMessage(live) {
        clock.set(live.nowMs);
        store.set({ live });
      },
      onState: (connection) => store.set({ connection }),
      // The page checks the session itself and redirects to sign in, and back here afterwards.
      onSignedOut: () => router.refresh(),
    });
  }, [store, symbol, timeframe, compare, clock, router]);
}
