"use client";

import dynamic from "next/dynamic";
import { useEffect, useMemo, useRef, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { Figure } from "@/components/ui/figure";
import { Skeleton } from "@/components/ui/skeleton";
import { groupByDay } from "@/features/calendar/day-groups";
import { ImpactMark } from "@/features/calendar/impact-mark";
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
    const panel = tableRef.current?.closest("[data-panel-body]") ?? null;
    if (row && panel !== null) {
      // Only the panel scrolls, not the screen.
      panel.scrollTop += row.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
      return;
    }
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
          className={`sticky top-0 z-3 border-t bg-bg text-xs12 text-faint narrow:sr-only narrow:min-h-0 ${CALENDAR_ROW_CLASS}`}
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
              className="block border-b border-line px-4 pt-3.5 pb-1.5 narrow:px-3"
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
              className="sticky top-8.5 bottom-0 z-2 block border-y border-accent-ink bg-bg narrow:top-0 max-md:not-in-data-panel-body:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]"
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
    <span className="block px-4 py-0.5 text-xs12 text-accent-ink narrow:px-3">
      Now <Figure>{text}</Figure>
    </span>
  );
}

const FIGURE_CLASS = "numerals text-right narrow:row-start-2 narrow:text-left narrow:text-xs12";
const UNSURE_CLASS = "font-sans text-xs12 text-note no-underline narrow:text-xs11";

/** Loaded with the first open row. */
const EventDetail = dynamic(() => import("@/features/calendar/event-detail").then((each) => each.EventDetail), {
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

function EventRow({ event, time, isOver, isOpen, onOpen, ...detail }: EventRowProps) {
  const [firstActual] = useState(event.actual);
  const hasArrived = event.actual !== firstActual;
  return (
    <>
      <tr role="row" data-line="event" className={`${CALENDAR_ROW_CLASS} ${isOver ? "text-dim" : ""}`}>
        <td role="cell" className="numerals">
          <EventTime event={event} time={time} />
        </td>
        <Figure as="td" role="cell">
          {event.currency}
        </Figure>
        <td role="cell">
          <ImpactMark impact={event.impact} />
        </td>
        <th role="rowheader" scope="row" className="text-left font-normal narrow:col-[4/-1]">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onOpen}
            className="py-1 text-left underline-offset-[3px] hover:underline narrow:py-0"
          >
            {event.title}
          </button>
        </th>
        <td
          role="cell"
          className={`narrow:col-[1/4] ${FIGURE_CLASS} ${getOutcomeColour(event.outcome)} ${hasArrived ? "animate-[arrive_4s_ease-out]" : ""}`}
        >
          <ReleaseFigure label="Actual" text={event.actual ?? (isOver && event.forecast !== "" ? "–" : "")} />
          {event.outcome !== null && <OutcomeMark outcome={event.outcome} />}
        </td>
        <td role="cell" className={`text-dim narrow:col-start-4 ${FIGURE_CLASS}`}>
          <ReleaseFigure label="Forecast" text={event.forecast} />
        </td>
        <td role="cell" className={`text-dim narrow:col-[5/-1] ${FIGURE_CLASS}`}>
          <ReleaseFigure label="Previous" text={event.previous} />
          {event.revised !== null && (
            <span translate="no" className="text-note" title="Revised previous figure">
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
      <time translate="no" dateTime={new Date(timeMs).toISOString()}>
        {time}
      </time>
      {certainty === "tentative" && (
        <abbr className={`ml-0.5 ${UNSURE_CLASS}`} title="The time is tentative">
          ?
        </abbr>
      )}
    </>
  );
}

/** A figure of an event. On a phone its column has no heading, so the label is beside it. */
function ReleaseFigure({ label, text }: { label: string; text: string }) {
  if (text === "") return null;
  return (
    <>
      <span className="hidden font-sans text-faint narrow:inline" aria-hidden>
        {label}{" "}
      </span>
      <span translate="no">{text}</span>
    </>
  );
}

const MARKS = { beat: "▲", miss: "▼", "in line": "=" } as const;

function getOutcomeColour(outcome: PageEvent["outcome"]): string {
  if (outcome === "beat") return "text-up";
  return outcome === "miss" ? "text-down" : "text-ink";
}

/** Whether the figure is better or worse for the currency than forecast: a sign beside the colour. */
function OutcomeMark({ outcome }: { outcome: keyof typeof MARKS }) {
  const words =
    outcome === "in line" ? "as expected" : outcome === "beat" ? "better than expected" : "worse than expected";
  return (
    <span className="text-xs11" title={words}>
      <span aria-hidden> {MARKS[outcome]}</span>
      <span className="sr-only"> {words}</span>
    </span>
  );
}

/** The line of filters. */
export const CALENDAR_TOOLBAR_CLASS =
  "flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 pt-2 pb-2.5 narrow:px-3 narrow:pt-1.5 narrow:pb-2";

/** A row is a grid of its own, so that it folds into two lines on a phone. */
const CALENDAR_ROW_CLASS =
  "grid min-h-8.5 grid-cols-[4.5rem_4.25rem_3.75rem_minmax(0,1fr)_6.5rem_5.5rem_9rem] items-center border-b border-line px-4 narrow:grid-cols-[3.25rem_2.5rem_1.5rem_6.25rem_minmax(0,1fr)] narrow:gap-x-1.5 narrow:gap-y-0.5 narrow:px-3 narrow:py-1.5";
