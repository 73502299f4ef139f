"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { linesOf } from "@/features/calendar/day-groups";
import { EventRow } from "@/features/calendar/event-row";
import type { SheetEvent } from "@/features/calendar/types";
import { DAY_MS } from "@/lib/time/units";

interface CalendarTableProps {
  events: readonly SheetEvent[];
  zone: string;
  /** The market's time at the last full minute: a release moves above the line in its own minute. */
  minuteMs: number;
}

/** Events by day, with a line between what is out and what is to come that stays in view wherever one scrolls. */
export function CalendarTable({ events, zone, minuteMs }: CalendarTableProps) {
  const lines = useMemo(() => linesOf(events, zone, minuteMs), [events, zone, minuteMs]);
  const clock = useMemo(
    () => new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }),
    [zone],
  );
  const [open, setOpen] = useState<string | null>(null);
  const nowRef = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // The line itself is always in view; the row above it tells where it belongs.
    const above = nowRef.current?.previousElementSibling;
    if (above && above.getBoundingClientRect().bottom > innerHeight) above.scrollIntoView({ block: "center" });
  }, []);

  return (
    <table role="table" className="calendar">
      <caption className="sr-only">Economic events by day. Open a row for the history of its figure.</caption>
      <thead role="rowgroup">
        <tr role="row" className="calendar-row calendar-head">
          {["Time", "Currency", "Impact", "Event", "Actual", "Forecast", "Previous"].map((name) => (
            <th key={name} role="columnheader" scope="col" className={`calendar-${name.toLowerCase()}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {lines.map((line) =>
          line.kind === "event" ? (
            <EventRow
              key={line.event.id}
              event={line.event}
              time={clock.format(line.event.timeMs)}
              isOver={endOf(line.event) <= minuteMs}
              isOpen={open === line.event.id}
              onOpen={() => setOpen((before) => (before === line.event.id ? null : line.event.id))}
            />
          ) : line.kind === "day" ? (
            <tr role="row" key={line.name} className="calendar-day">
              <th role="rowheader" scope="rowgroup" colSpan={7}>
                {line.text}
              </th>
            </tr>
          ) : (
            <tr role="row" key="now" ref={nowRef} className="calendar-now">
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

/** When an event is past: without an hour, when its day is. */
function endOf({ timeMs, hasHour }: SheetEvent): number {
  return hasHour ? timeMs : timeMs + DAY_MS;
}

function NowText({ clock }: { clock: Intl.DateTimeFormat }) {
  const text = useMarketTime((nowMs) => clock.format(nowMs));
  return (
    <span className="calendar-now-text">
      Now <span className="numerals">{text}</span>
    </span>
  );
}
