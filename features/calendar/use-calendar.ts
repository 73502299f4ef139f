"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMarketClock } from "@/components/shared/market-clock";
import { useShownAt } from "@/components/ui/past";
import { isStillPast, withAt } from "@/components/ui/past-address";
import type { CalendarData, UnchangedData } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";

const REFRESH_MS = 5_000;
/** Shortly before and after a release. */
const EAGER_REFRESH_MS = 1_000;
const EAGER_WITHIN_MS = 30_000;

/**
 * Polls the events of the chosen days, once for all that show them. For an unchanged revision the server sends only the
 * time. `initial` are those of the rendered page, if it has these days.
 */
export function useCalendar(
  choice: Pick<CalendarChoice, "range" | "date" | "zone">,
  initial: CalendarData | undefined,
): { readonly data: CalendarData | undefined; readonly isOffline: boolean } {
  const clock = useMarketClock();
  const client = useQueryClient();
  const { range, date, zone } = choice;
  const at = useShownAt();
  const key = ["calendar", range, date, zone, at];
  const { data, isError, failureCount } = useQuery({
    queryKey: key,
    async queryFn({ signal }): Promise<CalendarData> {
      const before = client.getQueryData<CalendarData>(key);
      const search = new URLSearchParams({ range, zone });
      if (date !== null) search.set("date", date);
      if (before !== undefined) search.set("known", `${before.revision}-${before.withActual}`);
      const answer = await fetch(withAt(`/calendar/data?${search}`, at), { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      const next = (await answer.json()) as CalendarData | UnchangedData;
      clock.set(next.nowMs);
      return "unchanged" in next ? (before as CalendarData) : next;
    },
    initialData: initial,
    placeholderData: (before, query) => (at === null || isStillPast(query?.queryKey[4], at) ? before : undefined),
    refetchInterval: ({ state }) => (isNearRelease(state.data, clock.now()) ? EAGER_REFRESH_MS : REFRESH_MS),
    networkMode: "always",
  });
  return { data, isOffline: isError || failureCount > 1 };
}

function isNearRelease(data: CalendarData | undefined, nowMs: number): boolean {
  return data?.events.some(({ timeMs }) => Math.abs(timeMs - nowMs) < EAGER_WITHIN_MS) ?? false;
}
