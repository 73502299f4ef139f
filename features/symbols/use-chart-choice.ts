"use client";

import { useCallback, useEffect, useState } from "react";
import { type ChartChoice, toSymbolHref } from "@/features/symbols/url";

/** The choices on the chart, and a function that changes some of them. The address follows. */
export function useChartChoice(symbol: string, first: ChartChoice) {
  const [choice, setChoice] = useState(first);
  const change = useCallback((next: Partial<ChartChoice>) => setChoice((before) => ({ ...before, ...next })), []);
  useEffect(() => {
    const href = toSymbolHref(symbol, choice);
    if (href !== location.pathname + location.search) window.history.replaceState(null, "", href);
  }, [symbol, choice]);
  return [choice, change] as const;
}
