"use client";

import { useEffect, useMemo, useRef } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { CALENDAR_ROW_CLASS } from "@/features/calendar/classes";
import { groupByDay } from "@/features/calendar/day-groups";
import { EventRow } from "@/features/calendar/event-row";
import type { PageEvent } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";
import { DAY_MS } from "@/lib/time/units";

const HEADINGS = [
  { name: "Time", className: "text-left" },
  { name: "Currency", className: "text-left" },
  { name: "Impact", className: "text-left" },
  { name: "Event", className: "text-left" },
  { name: "Actual", className: "text-right" },
  { name: "Forecast", className: "text-right" },
  { name: "Previous", className: "text-right" },
];

interface CalendarTableProps {
  events: readonly PageEvent[];
  choice: CalendarChoice;
  onChoose: (next: Partial<CalendarChoice>) => void;
  /** The time at the last full minute, UTC milliseconds. Releases before it are above the line. */
  minuteMs: number;
  /** Whether the shown days include today. */
  hasPresent: boolean;
  /** Whether the plan includes released figures. */
  withActual: boolean;
}

/** Events by day. A line between past and coming events stays in view while the page scrolls. */
export function CalendarTable({ events, choice, onChoose, minuteMs, hasPresent, withActual }: CalendarTableProps) {
  const { zone, event: open, pair } = choice;
  const lines = useMemo(() => {
    const all = groupByDay(events, zone, minuteMs);
    return hasPresent ? all : all.filter(({ kind }) => kind !== "now");
  }, [events, zone, minuteMs, hasPresent]);
  const clock = useMemo(
    () => new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }),
    [zone],
  );
  const tableRef = useRef<HTMLTableElement>(null);
  const nowRef = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const opened = tableRef.current?.querySelector("tr:has([aria-expanded=true])");
    // The line is sticky and always in view, so the row above it is scrolled to.
    const row = opened ?? nowRef.current?.previousElementSibling;
    if (row && row.getBoundingClientRect().bottom > innerHeight) row.scrollIntoView({ block: "center" });
  }, []);

  return (
    <table ref={tableRef} role="table" className="block text-xs13">
      <caption className="sr-only">
        Economic events by day. Open a row to see its series and what prices did around earlier releases.
      </caption>
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
              zone={zone}
              withActual={withActual}
              time={clock.format(line.event.timeMs)}
              isOver={getEndMs(line.event) <= minuteMs}
              isOpen={open === line.event.id}
              onOpen={() => onChoose({ event: open === line.event.id ? null : line.event.id, pair: null })}
              pair={pair}
              onPair={(next) => onChoose({ pair: next })}
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
              // It sticks to the top and bottom of the window, on a phone above the navigation bar.
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

/** Returns when an event is over, in UTC milliseconds. An event without an hour is over at the end of its day. */
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
