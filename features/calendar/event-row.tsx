"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { CALENDAR_ROW_CLASS } from "@/features/calendar/classes";
import { Figure, getOutcomeColour, OutcomeMark } from "@/features/calendar/event-figures";
import { ImpactMark } from "@/features/calendar/impact-mark";
import type { PageEvent } from "@/features/calendar/types";

const FIGURE_CLASS = "numerals text-right max-md:row-start-2 max-md:text-left max-md:text-xs12";
const UNSURE_CLASS = "font-sans text-xs12 text-note no-underline max-md:text-xs11";

/** Loaded with the first open row. */
const EventDetail = dynamic(() => import("@/features/calendar/detail/event-detail").then((each) => each.EventDetail), {
  loading: () => <Skeleton className="h-48 w-full" />,
});

interface EventRowProps {
  event: PageEvent;
  zone: string;
  /** Whether the plan includes released figures. */
  withActual: boolean;
  /** In the chosen zone. */
  time: string;
  isOver: boolean;
  isOpen: boolean;
  onOpen: () => void;
  /** The symbol whose moves the open row shows; null for the first. */
  pair: string | null;
  onPair: (symbol: string) => void;
}

export function EventRow({ event, time, isOver, isOpen, onOpen, ...detail }: EventRowProps) {
  const [firstActual] = useState(event.actual);
  const hasArrived = event.actual !== firstActual;
  return (
    <>
      <tr role="row" data-line="event" className={`${CALENDAR_ROW_CLASS} ${isOver ? "text-dim" : ""}`}>
        <td role="cell" className="numerals">
          <EventTime event={event} time={time} />
        </td>
        <td role="cell" className="numerals">
          {event.currency}
        </td>
        <td role="cell">
          <ImpactMark impact={event.impact} />
        </td>
        <th role="rowheader" scope="row" className="text-left font-normal max-md:col-[4/-1]">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onOpen}
            className="py-1 text-left underline-offset-[3px] hover:underline max-md:py-0"
          >
            {event.title}
          </button>
        </th>
        <td
          role="cell"
          className={`max-md:col-[1/4] ${FIGURE_CLASS} ${getOutcomeColour(event.outcome)} ${hasArrived ? "animate-[arrive_4s_ease-out]" : ""}`}
        >
          <Figure label="Actual" text={event.actual ?? (isOver && event.forecast !== "" ? "–" : "")} />
          {event.outcome !== null && <OutcomeMark outcome={event.outcome} />}
        </td>
        <td role="cell" className={`text-dim max-md:col-start-4 ${FIGURE_CLASS}`}>
          <Figure label="Forecast" text={event.forecast} />
        </td>
        <td role="cell" className={`text-dim max-md:col-[5/-1] ${FIGURE_CLASS}`}>
          <Figure label="Previous" text={event.previous} />
          {event.revised !== null && (
            <span className="text-note" title="Revised previous figure">
              {" "}
              → {event.revised}
            </span>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr role="row" className="block border-b border-line bg-panel px-4 py-3">
          <td role="cell" colSpan={7} className="block">
            <EventDetail event={event} {...detail} />
          </td>
        </tr>
      )}
    </>
  );
}

function EventTime({ event: { certainty, timeMs, hasHour }, time }: { event: PageEvent; time: string }) {
  if (!hasHour) return <span className={UNSURE_CLASS}>{certainty === "all_day" ? "All day" : "Tentative"}</span>;
  return (
    <>
      <time dateTime={new Date(timeMs).toISOString()}>{time}</time>
      {certainty === "tentative" && (
        <abbr className={`ml-0.5 ${UNSURE_CLASS}`} title="The time is tentative">
          ?
        </abbr>
      )}
    </>
  );
}
