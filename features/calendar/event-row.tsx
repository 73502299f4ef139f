"use client";

import { useState } from "react";
import { EventHistory } from "@/features/calendar/event-history";
import { ImpactMark } from "@/features/calendar/impact-mark";
import type { SheetEvent } from "@/features/calendar/types";

interface EventRowProps {
  event: SheetEvent;
  /** In the chosen zone. */
  time: string;
  isOver: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

export function EventRow({ event, time, isOver, isOpen, onOpen }: EventRowProps) {
  const [firstActual] = useState(event.actual);
  const hasArrived = event.actual !== firstActual;
  return (
    <>
      <tr role="row" className="calendar-row" data-over={isOver || undefined} data-arrived={hasArrived || undefined}>
        <td role="cell" className="calendar-time numerals">
          <EventTime event={event} time={time} />
        </td>
        <td role="cell" className="calendar-currency numerals">
          {event.currency}
        </td>
        <td role="cell" className="calendar-impact">
          <ImpactMark impact={event.impact} />
        </td>
        <th role="rowheader" scope="row" className="calendar-event">
          <button type="button" aria-expanded={isOpen} onClick={onOpen} className="calendar-open">
            {event.title}
          </button>
        </th>
        <td role="cell" className="calendar-actual numerals" data-outcome={event.outcome ?? undefined}>
          <Figure label="Actual" text={event.actual ?? (isOver && event.forecast !== "" ? "–" : "")} />
          {event.outcome !== null && <OutcomeMark outcome={event.outcome} />}
        </td>
        <td role="cell" className="calendar-forecast numerals">
          <Figure label="Forecast" text={event.forecast} />
        </td>
        <td role="cell" className="calendar-previous numerals">
          <Figure label="Previous" text={event.previous} />
          {event.revised !== null && (
            <span className="calendar-revised" title="What the previous figure was revised to">
              {" "}
              → {event.revised}
            </span>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr role="row" className="calendar-detail">
          <td role="cell" colSpan={7}>
            <EventHistory event={event} />
          </td>
        </tr>
      )}
    </>
  );
}

function EventTime({ event: { certainty, timeMs, hasHour }, time }: { event: SheetEvent; time: string }) {
  if (!hasHour) return <span className="calendar-unsure">{certainty === "all_day" ? "All day" : "Tentative"}</span>;
  return (
    <>
      <time dateTime={new Date(timeMs).toISOString()}>{time}</time>
      {certainty === "tentative" && (
        <abbr className="calendar-unsure" title="The time is not certain">
          ?
        </abbr>
      )}
    </>
  );
}

function Figure({ label, text }: { label: string; text: string }) {
  if (text === "") return null;
  return (
    <>
      <span className="calendar-label" aria-hidden>
        {label}{" "}
      </span>
      {text}
    </>
  );
}

const marks = { beat: "▲", miss: "▼", "in line": "=" } as const;

/** Better or worse for the currency than expected, as a sign beside the colour. */
function OutcomeMark({ outcome }: { outcome: keyof typeof marks }) {
  const words =
    outcome === "in line" ? "as expected" : outcome === "beat" ? "better than expected" : "worse than expected";
  return (
    <span className="calendar-outcome" title={words}>
      <span aria-hidden> {marks[outcome]}</span>
      <span className="sr-only"> {words}</span>
    </span>
  );
}
