"use client";

import { useMemo, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call/api-call-button";
import { useMarketTime } from "@/components/shared/market-clock";
import { storeZone } from "@/components/shared/zone";
import { Button } from "@/components/ui/button";
import { storeCookie } from "@/components/ui/cookie";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { listApiRequests } from "@/features/calendar/api-requests";
import { CalendarHeader } from "@/features/calendar/calendar-header";
import { CalendarTable } from "@/features/calendar/calendar-table";
import { CalendarToolbar } from "@/features/calendar/calendar-toolbar";
import { type EventFilter, matchesFilter } from "@/features/calendar/day-groups";
import { getToday, hasToday } from "@/features/calendar/days";
import { NextRelease } from "@/features/calendar/next-release";
import { ReminderSettings } from "@/features/calendar/reminders/reminder-settings";
import { Subscribe } from "@/features/calendar/subscribe";
import type { CalendarData } from "@/features/calendar/types";
import { type CalendarChoice, CHOICE_COOKIE, NOT_REMEMBERED, writeChoice } from "@/features/calendar/url";
import { useCalendar } from "@/features/calendar/use-calendar";
import { formatPlansWith } from "@/lib/access/plan-text";
import { MINUTE_MS } from "@/lib/time/units";

/** Stores a choice in the address, and what the next visit shows in a cookie. */
function storeChoice(choice: CalendarChoice, ownZone: string): void {
  history.replaceState(null, "", `?${writeChoice(choice, ownZone)}`);
  const search = writeChoice({ ...choice, ...NOT_REMEMBERED }, choice.zone);
  storeCookie(CHOICE_COOKIE, encodeURIComponent(search));
}

function pickFilter({ currencies, impacts, kinds, search }: CalendarChoice): EventFilter {
  return { currencies, impacts, kinds, search };
}

interface CalendarViewProps {
  initial: CalendarData;
  choice: CalendarChoice;
  /** The zone of an address without one. */
  ownZone: string;
}

/** The calendar: the filters, the next release, and the table, refreshed every few seconds. */
export function CalendarView({ initial, choice: first, ownZone }: CalendarViewProps) {
  const [choice, setChoice] = useState(first);
  const { data, isOffline } = useCalendar(initial, first, choice);
  const minuteMs = useMarketTime((nowMs) => Math.floor(nowMs / MINUTE_MS)) * MINUTE_MS;
  const todayMs = useMarketTime((nowMs) => getToday(choice.zone, nowMs));
  const chosen = useMemo(() => data.events.filter((event) => matchesFilter(event, choice)), [data, choice]);

  function choose(next: Partial<CalendarChoice>): void {
    const after = { ...choice, ...next };
    setChoice(after);
    storeChoice(after, ownZone);
  }

  return (
    <>
      <CalendarHeader
        zone={choice.zone}
        isSimulated={data.simulated}
        onZone={(zone) => {
          storeZone(zone);
          choose({ zone });
        }}
      >
        <ApiCallButton of="Calendar" requests={listApiRequests(choice, todayMs)} />
        <ReminderSettings filter={pickFilter(choice)} />
        <Subscribe choice={choice} />
      </CalendarHeader>
      <CalendarToolbar choice={choice} todayMs={todayMs} onChoose={choose} />
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
        <CalendarTable
          events={chosen}
          choice={choice}
          onChoose={choose}
          minuteMs={minuteMs}
          hasPresent={hasToday(choice, todayMs)}
          withActual={data.withActual}
        />
      ) : data.events.length === 0 ? (
        <EmptyState title="No events on these days">The sources of the calendar list none.</EmptyState>
      ) : (
        <EmptyState
          title="No events found"
          action={
            <Button onClick={() => choose({ currencies: [], impacts: [], kinds: [], search: "" })}>
              Show all events
            </Button>
          }
        >
          No event on these days matches your filters.
        </EmptyState>
      )}
    </>
  );
}
