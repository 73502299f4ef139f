"use client";

import type { ReactNode } from "react";
import { type DayWindow, formatClock, getPlace } from "@/features/sessions/day-window";
import { getWeek, getWeekend } from "@/lib/market/sessions/session-week";
import type { Span } from "@/lib/time/units";

interface BarProps {
  span: Span;
  day: DayWindow;
  zone: string;
  label?: string;
  /** Omitted for hours without trading. */
  colour?: string;
}

/** A span of the day with its hours. The hours are of the whole span, even beyond the day. */
export function Bar({ span, day, zone, label, colour }: BarProps) {
  const place = getPlace(span, day);
  if (place === null) return null;
  const hours = `${formatClock(zone, span.fromMs)}–${formatClock(zone, span.untilMs)}`;
  const isClosed = colour === undefined;
  // Hours that do not fit are hidden from view, but not from screen readers.
  const text = label === undefined ? hours : `${label}, ${hours}`;
  return (
    <span
      data-closed={isClosed}
      className={`absolute inset-y-0 grid items-center overflow-hidden rounded-sm [container-type:inline-size] ${isClosed ? "hatched-wide border border-dashed border-edge bg-bg text-dim" : "text-on-session"}`}
      title={text}
      style={{ ...place, backgroundColor: colour }}
    >
      <span className="px-2 font-mono text-xs12 whitespace-nowrap tabular-nums slashed-zero @max-[6.5rem]:opacity-0">
        {isClosed ? label : label !== undefined && <span className="sr-only">{label}, </span>}
        {isClosed ? <span className="sr-only">, {hours}</span> : hours}
      </span>
    </span>
  );
}

interface TimeAxisProps {
  day: DayWindow;
  children: ReactNode;
}

/** The hours of the day, behind the bars. */
export function TimeAxis({ day, children }: TimeAxisProps) {
  return (
    <div className="absolute inset-y-0 right-0 left-(--names)">
      {day.ticks.map(({ label, atMs }) => (
        <span
          key={label}
          aria-hidden
          className="group absolute top-5 bottom-6 border-l border-line"
          style={{ insetInlineStart: `${getPercent(atMs, day)}%` }}
        >
          <span
            className={`numerals absolute top-[calc(100%+0.25rem)] text-xs11/4 text-faint ${getTickShift(atMs, day)}`}
          >
            {label}
          </span>
        </span>
      ))}
      <Weekends day={day} />
      {children}
    </div>
  );
}

/** The first and the last label stay within the chart. */
function getTickShift(atMs: number, day: DayWindow): string {
  if (atMs === day.fromMs) return "";
  return atMs === day.untilMs ? "-translate-x-full" : "-translate-x-1/2";
}

function Weekends({ day }: { day: DayWindow }) {
  const weeks = new Set([getWeek(day.fromMs), getWeek(day.untilMs)]);
  return [...weeks].map((week) => {
    const place = getPlace(getWeekend(week), day);
    return (
      place && (
        <span
          key={week}
          aria-hidden
          className="hatched-wide absolute top-5 bottom-6 overflow-hidden px-2 py-1 text-xs12 text-dim"
          style={place}
        >
          {/* Above the line of the present, which may cross it. */}
          <span className="relative z-3 rounded-sm bg-bg px-1">Weekend</span>
        </span>
      )
    );
  });
}

/** Where a moment lies in a day, in percent. */
export function getPercent(atMs: number, day: Span): number {
  return (100 * (atMs - day.fromMs)) / (day.untilMs - day.fromMs);
}
