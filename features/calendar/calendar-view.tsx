"use client";

import { type ReactNode, useMemo, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { useMarketTime } from "@/components/shared/market-clock";
import type { ApiRequest } from "@/components/shared/write-code";
import { storeZone } from "@/components/shared/zone";
import { ZoneSelect } from "@/components/shared/zone-select";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";
import { Button } from "@/components/ui/button";
import { storeCookie } from "@/components/ui/cookie";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { keepAt } from "@/components/ui/past-address";
import { CalendarTable } from "@/features/calendar/calendar-table";
import { CalendarToolbar } from "@/features/calendar/calendar-toolbar";
import { type EventFilter, matchesFilter } from "@/features/calendar/day-groups";
import { getDays, getToday, hasToday, toMidnight } from "@/features/calendar/days";
import { NextRelease } from "@/features/calendar/next-release";
import { ReminderSettings } from "@/features/calendar/reminder-settings";
import { Subscribe } from "@/features/calendar/subscribe";
import type { CalendarData } from "@/features/calendar/types";
import { type CalendarChoice, CHOICE_COOKIE, NOT_REMEMBERED, writeChoice } from "@/features/calendar/url";
import { useCalendar } from "@/features/calendar/use-calendar";
import { formatPlansWith } from "@/lib/access/plans";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** Stores a choice in the address, and what the next visit shows in a cookie. */
function storeChoice(choice: CalendarChoice, ownZone: string): void {
  history.replaceState(null, "", keepAt(`?${writeChoice(choice, ownZone)}`));
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
  const isFirst = choice.range === first.range && choice.date === first.date && choice.zone === first.zone;
  const { data = initial, isOffline } = useCalendar(choice, isFirst ? initial : undefined);
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

interface CalendarHeaderProps {
  zone: string;
  isSimulated: boolean;
  onZone: (zone: string) => void;
  /** Shown at the end. */
  children: ReactNode;
}

/** The title of the page, the time in its zone, and what applies to all of its events. */
function CalendarHeader({ zone, isSimulated, onZone, children }: CalendarHeaderProps) {
  const clock = useMemo(() => new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }), [zone]);
  const text = useMarketTime((nowMs) => clock.format(nowMs));
  return (
    <PageHeader title="Calendar">
      {isSimulated && <DataModeBadge mode="simulated" what="events" />}
      <Figure
        as="time"
        aria-label="Time in the chosen zone"
        role="timer"
        aria-live="off"
        className="text-xs13 text-dim"
      >
        {text}
      </Figure>
      <ZoneSelect zone={zone} onChange={onZone} />
      {children}
    </PageHeader>
  );
}

/** A call takes 30 days of 24 hours: one less leaves room for a day of 25. */
const MOST_DAYS = 29;
const MOST_EVENTS = 500;

/**
 * The calls that return the events of a choice: one for each 29 days and each chosen impact. The API has no filter for
 * kinds, so with chosen kinds they return more. `todayMs` is midnight UTC of today's date in the zone.
 */
export function listApiRequests(choice: CalendarChoice, todayMs: number): ApiRequest[] {
  const { zone, currencies, impacts, search } = choice;
  const { firstMs, lastMs } = getDays(choice, todayMs);
  const filters = {
    ...(currencies.length > 0 && { currencies: currencies.join(",") }),
    ...(search.trim() !== "" && { q: search.trim() }),
    limit: MOST_EVENTS,
  };
  const requests: ApiRequest[] = [];
  for (let fromDayMs = firstMs; fromDayMs <= lastMs; fromDayMs += MOST_DAYS * DAY_MS) {
    const endDayMs = Math.min(fromDayMs + MOST_DAYS * DAY_MS, lastMs + DAY_MS);
    const from = toTime(toMidnight(zone, fromDayMs));
    // The end is included.
    const to = toTime(toMidnight(zone, endDayMs) - 1_000);
    for (const impact of impacts.length === 0 ? [null] : impacts) {
      requests.push({
        path: "/v1/calendar",
        query: { from, to, ...(impact !== null && { impact }), ...filters },
      });
    }
  }
  return requests;
}

/** "2026-11-22T00:00:00Z". */
function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
