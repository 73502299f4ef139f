"use client";

import { useMemo, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { PanelLoading, PanelLocked, PanelMessage, PanelStale } from "@/components/shared/panel";
import { useZone } from "@/components/shared/zone-context";
import { CalendarTable } from "@/features/calendar/calendar-table";
import { matchesFilter } from "@/features/calendar/day-groups";
import { getToday, hasToday } from "@/features/calendar/days";
import { NextRelease } from "@/features/calendar/next-release";
import type { CalendarChoice } from "@/features/calendar/url";
import { useCalendar } from "@/features/calendar/use-calendar";
import { formatPlansWith } from "@/lib/access/plans";
import type { Impact } from "@/lib/calendar/event";
import { MINUTE_MS } from "@/lib/time/units";

interface CalendarPanelProps {
  /** Empty shows all. */
  currencies: readonly string[];
  impacts: readonly Impact[];
  /** Whether the plan lacks the calendar. */
  isLocked: boolean;
}

/** The events of the present week in a panel of a screen. */
export function CalendarPanel({ isLocked, ...filter }: CalendarPanelProps) {
  if (isLocked) return <PanelLocked what="The economic calendar" plans={formatPlansWith("calendar")} />;
  return <Events {...filter} />;
}

function Events({ currencies, impacts }: Omit<CalendarPanelProps, "isLocked">) {
  const zone = useZone();
  const [open, setOpen] = useState<Pick<CalendarChoice, "event" | "pair">>({ event: null, pair: null });
  const choice: CalendarChoice = useMemo(
    () => ({ ...{ range: "week", date: null, zone, currencies, impacts, kinds: [], search: "" }, ...open }),
    [zone, currencies, impacts, open],
  );
  const { data, isOffline } = useCalendar(choice, undefined);
  const minuteMs = useMarketTime((nowMs) => Math.floor(nowMs / MINUTE_MS)) * MINUTE_MS;
  const todayMs = useMarketTime((nowMs) => getToday(zone, nowMs));
  const chosen = useMemo(() => data?.events.filter((event) => matchesFilter(event, choice)), [data, choice]);
  if (data === undefined || chosen === undefined) {
    return isOffline ? (
      <PanelMessage title="The calendar could not be loaded">Trying again.</PanelMessage>
    ) : (
      <PanelLoading what="the calendar" />
    );
  }
  return (
    <>
      {isOffline && <PanelStale />}
      <NextRelease events={chosen} />
      {chosen.length === 0 ? (
        <PanelMessage title={data.events.length === 0 ? "No events this week" : "No event matches"}>
          {data.events.length > 0 && "Other currencies and impacts have events this week."}
        </PanelMessage>
      ) : (
        <CalendarTable
          events={chosen}
          choice={choice}
          onChoose={({ event, pair }) =>
            setOpen((before) => ({
              event: event === undefined ? before.event : event,
              pair: pair === undefined ? before.pair : pair,
            }))
          }
          minuteMs={minuteMs}
          hasPresent={hasToday(choice, todayMs)}
          withActual={data.withActual}
        />
      )}
    </>
  );
}
