"use client";

import { useMemo, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { CalendarTable } from "@/features/calendar/calendar-table";
import { CalendarToolbar } from "@/features/calendar/calendar-toolbar";
import { chosenEvents } from "@/features/calendar/day-groups";
import { NextRelease } from "@/features/calendar/next-release";
import { Subscribe } from "@/features/calendar/subscribe";
import type { CalendarSheet } from "@/features/calendar/types";
import { type CalendarChoice, CHOICE_COOKIE, writeChoice } from "@/features/calendar/url";
import { useSheet } from "@/features/calendar/use-calendar";
import { formatPlansWith } from "@/lib/access/plan-text";
import { MINUTE_MS } from "@/lib/time/units";

const YEAR_S = 31_536_000;

/** Keeps a choice where the next visit and whoever gets the address find it. */
function keepChoice(choice: CalendarChoice): void {
  const search = writeChoice(choice);
  history.replaceState(null, "", search === "" ? location.pathname : `?${search}`);
  document.cookie = `${CHOICE_COOKIE}=${encodeURIComponent(search)}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

interface CalendarViewProps {
  initial: CalendarSheet;
  choice: CalendarChoice;
}

/** The calendar: what may be chosen, the next release, and the table, kept fresh. */
export function CalendarView({ initial, choice: first }: CalendarViewProps) {
  const [choice, setChoice] = useState(first);
  const { sheet, isOffline } = useSheet(initial, first, choice);
  const minuteMs = useMarketTime((nowMs) => Math.floor(nowMs / MINUTE_MS)) * MINUTE_MS;
  const chosen = useMemo(() => chosenEvents(sheet.events, choice), [sheet, choice]);

  function choose(next: Partial<CalendarChoice>): void {
    const after = { ...choice, ...next };
    setChoice(after);
    keepChoice(after);
  }

  return (
    <>
      <CalendarToolbar choice={choice} onChoose={choose}>
        <Subscribe choice={choice} />
      </CalendarToolbar>
      <NextRelease events={chosen} />
      {!sheet.withActual && (
        <Notice tone="note">
          Your plan shows forecasts and previous figures. Released figures come with the plans{" "}
          {formatPlansWith("actuals")}.
        </Notice>
      )}
      {isOffline && <Notice tone="error">The server does not answer. What you see is its last word.</Notice>}
      <p role="status" className="sr-only">
        {choice.search.trim() !== "" && `${chosen.length} of ${sheet.events.length} events`}
      </p>
      {chosen.length === 0 ? (
        <EmptyState
          title="Nothing is scheduled"
          action={<Button onClick={() => choose({ currencies: [], impacts: [], search: "" })}>Show all events</Button>}
        >
          No event of these days fits what you have chosen.
        </EmptyState>
      ) : (
        <CalendarTable events={chosen} zone={choice.zone} minuteMs={minuteMs} />
      )}
    </>
  );
}
