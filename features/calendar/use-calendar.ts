"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMarketClock } from "@/components/shared/market-clock";
import type { CalendarSheet, UnchangedSheet } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";

const REFRESH_MS = 5_000;
/** Around a release people wait for the figure. */
const EAGER_REFRESH_MS = 1_000;
const EAGER_WITHIN_MS = 30_000;

/** The sheet of the chosen days, asked for again and again; an unchanged one costs next to nothing. */
export function useSheet(initial: CalendarSheet, first: CalendarChoice, choice: CalendarChoice) {
  const clock = useMarketClock();
  const client = useQueryClient();
  const key = ["calendar", choice.range, choice.zone];
  const isFirst = choice.range === first.range && choice.zone === first.zone;
  const { data, isError, failureCount } = useQuery({
    queryKey: key,
    async queryFn({ signal }): Promise<CalendarSheet> {
      const before = client.getQueryData<CalendarSheet>(key);
      const search = new URLSearchParams({ range: choice.range, zone: choice.zone });
      if (before !== undefined) search.set("known", `${before.revision}-${before.withActual}`);
      const answer = await fetch(`/calendar/data?${search}`, { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      const sheet = (await answer.json()) as CalendarSheet | UnchangedSheet;
      clock.set(sheet.nowMs);
      return "unchanged" in sheet ? (before as CalendarSheet) : sheet;
    },
    initialData: isFirst ? initial : undefined,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (isNearRelease(state.data, clock.now()) ? EAGER_REFRESH_MS : REFRESH_MS),
    networkMode: "always",
  });
  return { sheet: data ?? initial, isOffline: isError || failureCount > 1 };
}

function isNearRelease(sheet: CalendarSheet | undefined, nowMs: number): boolean {
  return sheet?.events.some(({ timeMs }) => Math.abs(timeMs - nowMs) < EAGER_WITHIN_MS) ?? false;
}
