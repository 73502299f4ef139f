"use client";

import { useMemo, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { CalendarTable } from "@/features/calendar/calendar-table";
import { CalendarToolbar } from "@/features/calendar/calendar-toolbar";
import { filterEvents } from "@/features/calendar/day-groups";
import { getToday, hasToday } from "@/features/calendar/days";
import { NextRelease } from "@/features/calendar/next-release";
import { Subscribe } from "@/features/calendar/subscribe";
import type { CalendarData } from "@/features/calendar/types";
import { type CalendarChoice, CHOICE_COOKIE, writeChoice } from "@/features/calendar/url";
import { useCalendar } from "@/features/calendar/use-calendar";
import { formatPlansWith } from "@/lib/access/plan-text";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const YEAR_S = 365 * (DAY_MS / SECOND_MS);

/** Stores a choice in the address and, without its date, in a cookie for the next visit. */
function storeChoice(choice: CalendarChoice): void {
  history.replaceState(null, "", `?${writeChoice(choice)}`);
  const search = writeChoice({ ...choice, date: null });
  document.cookie = `${CHOICE_COOKIE}=${encodeURIComponent(search)}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

interface CalendarViewProps {
  initial: CalendarData;
  choice: CalendarChoice;
}

/** The calendar: the filters, the next release, and the table, refreshed every few seconds. */
export function CalendarView({ initial, choice: first }: CalendarViewProps) {
  const [choice, setChoice] = useState(first);
  const { data, isOffline } = useCalendar(initial, first, choice);
  const minuteMs = useMarketTime((nowMs) => Math.floor(nowMs / MINUTE_MS)) * MINUTE_MS;
  const todayMs = useMarketTime((nowMs) => getToday(choice.zone, nowMs));
  const chosen = useMemo(() => filterEvents(data.events, choice), [data, choice]);

  function choose(next: Partial<CalendarChoice>): void {
    const after = { ...choice, ...next };
    setChoice(after);
    storeChoice(after);
  }

  return (
    <>
      <CalendarToolbar choice={choice} todayMs={todayMs} onChoose={choose}>
        <Subscribe choice={choice} />
      </CalendarToolbar>
      <NextRelease events={chosen} />
      {!data.withActual && (
        <Notice tone="note">
          Your plan includes forecasts and previous figures. Released figures are included in{" "}
          {formatPlansWith("actuals")}.
        </Notice>
      )}
      {isOffline && <Notice tone="error">The server is not responding. These events may be out of date.</Notice>}
      <p role="status" className="sr-only">
        {choice.search.trim() !== "" && `${chosen.length} of ${data.events.length} events`}
      </p>
      {chosen.length > 0 ? (
        <CalendarTable events={chosen} zone={choice.zone} minuteMs={minuteMs} hasPresent={hasToday(choice, todayMs)} />
      ) : data.events.length === 0 ? (
        <EmptyState title="No events on these days">The sources of the calendar list none.</EmptyState>
      ) : (
        <EmptyState
          title="No events found"
          action={<Button onClick={() => choose({ currencies: [], impacts: [], search: "" })}>Show all events</Button>}
        >
          No event on these days matches your filters.
        </EmptyState>
      )}
    </>
  );
}
