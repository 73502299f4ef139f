"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { CALENDAR_ROW_CLASS } from "@/features/calendar/classes";
import { groupByDay } from "@/features/calendar/day-groups";
import { EventRow } from "@/features/calendar/event-row";
import type { PageEvent } from "@/features/calendar/types";
import { DAY_MS } from "@/lib/time/units";

const HEADINGS = [
  { name: "Time", className: "text-left" },
  { name: "Currency", className: "text-left" },
  // The bars below need no word above them.
  { name: "Impact", className: "text-left text-[0px]" },
  { name: "Event", className: "text-left" },
  { name: "Actual", className: "text-right" },
  { name: "Forecast", className: "text-right" },
  { name: "Previous", className: "text-right" },
];

interface CalendarTableProps {
  events: readonly PageEvent[];
  zone: string;
  /** The market's time at the last full minute, in which a release moves above the line. */
  minuteMs: number;
}

/** Events by day. A line between past and coming events stays in view while the page scrolls. */
export function CalendarTable({ events, zone, minuteMs }: CalendarTableProps) {
  const lines = useMemo(() => groupByDay(events, zone, minuteMs), [events, zone, minuteMs]);
  const clock = useMemo(
    () => new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }),
    [zone],
  );
  const [open, setOpen] = useState<string | null>(null);
  const nowRef = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // The line itself is always in view; the row above it shows its true place.
    const above = nowRef.current?.previousElementSibling;
    if (above && above.getBoundingClientRect().bottom > innerHeight) above.scrollIntoView({ block: "center" });
  }, []);

  return (
    <table role="table" className="block text-xs13">
      <caption className="sr-only">Economic events by day. Open a row for the history of its figure.</caption>
      <thead role="rowgroup" className="contents">
        <tr
          role="row"
          className={`sticky top-0 z-3 border-t bg-bg text-xs12 text-faint max-md:sr-only max-md:min-h-0 ${CALENDAR_ROW_CLASS}`}
        >
          {HEADINGS.map(({ name, className }) => (
            <th key={name} role="columnheader" scope="col" className={`font-normal ${className}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block">
        {lines.map((line) =>
          line.kind === "event" ? (
            <EventRow
              key={line.event.id}
              event={line.event}
              time={clock.format(line.event.timeMs)}
              isOver={getEndMs(line.event) <= minuteMs}
              isOpen={open === line.event.id}
              onOpen={() => setOpen((before) => (before === line.event.id ? null : line.event.id))}
            />
          ) : line.kind === "day" ? (
            <tr
              role="row"
              key={line.name}
              data-line="day"
              className="block border-b border-line px-4 pt-3.5 pb-1.5 max-md:px-3"
            >
              <th role="rowheader" scope="rowgroup" colSpan={7} className="text-left font-semibold">
                {line.text}
              </th>
            </tr>
          ) : (
            <tr
              role="row"
              key="now"
              ref={nowRef}
              data-line="now"
              // It sticks to the edge by which it would leave the window, above a phone's bar of pages.
              className="sticky top-8.5 bottom-0 z-2 block border-y border-accent-ink bg-bg max-md:top-0 max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]"
            >
              <td role="cell" colSpan={7}>
                <NowText clock={clock} />
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** When an event is past. One without an hour is past when its day is. */
function getEndMs({ timeMs, hasHour }: PageEvent): number {
  return hasHour ? timeMs : timeMs + DAY_MS;
}

function NowText({ clock }: { clock: Intl.DateTimeFormat }) {
  const text = useMarketTime((nowMs) => clock.format(nowMs));
  return (
    <span className="block px-4 py-0.5 text-xs12 text-accent-ink max-md:px-3">
      Now <span className="numerals">{text}</span>
    </span>
  );
}
