"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useShownAt } from "@/components/ui/past";
import { withAt } from "@/components/ui/past-address";
import { toMarksHref } from "@/features/symbols/marks-url";
import type { ChartMarks } from "@/features/symbols/types";
import type { ChartChoice, Layer } from "@/features/symbols/url";
import type { ViewRange } from "@/features/symbols/view-range";

const NOTHING: ChartMarks = { bands: [], events: [], spreads: [] };
const FETCHED_LAYERS: readonly Layer[] = ["sessions", "events", "spread"];
/** Spreads and released figures are added while the page is open. */
const REFRESH_MS = 30_000;

/** What the chart shows around the bars of the shown range. */
export function useMarks(
  symbol: string,
  { timeframe, layers }: Pick<ChartChoice, "timeframe" | "layers">,
  shown: ViewRange | null,
  nowMs: () => number,
): ChartMarks {
  const fetched = FETCHED_LAYERS.filter((layer) => layers.includes(layer));
  const isEnabled = shown !== null && fetched.length > 0;
  const url = isEnabled
    ? toMarksHref(symbol, { timeframe, layers: fetched, fromMs: shown.fromMs, toMs: shown.toMs ?? Math.floor(nowMs()) })
    : null;
  const at = useShownAt();
  const { data } = useQuery<ChartMarks>({
    queryKey: ["marks", url, at],
    async queryFn({ signal }) {
      const answer = await fetch(withAt(url ?? "", at), { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as ChartMarks;
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    networkMode: "always",
  });
  return isEnabled ? (data ?? NOTHING) : NOTHING;
}
