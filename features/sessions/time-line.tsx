"use client";

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { type DayWindow, formatClock } from "@/features/sessions/day-window";
import { getPercent } from "@/features/sessions/session-bars";
import { formatMinutes, type SessionsChoice } from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import { toCivilTime } from "@/lib/time/civil-time";
import { MINUTE_MS } from "@/lib/time/units";

const LAST_MINUTE = 24 * 60 - 1;
/** The line stops at whole steps of five minutes. */
const DRAG_MINUTES = 5;
const KEY_MINUTES: Readonly<Record<string, number>> = {
  ArrowLeft: -15,
  ArrowDown: -15,
  ArrowRight: 15,
  ArrowUp: 15,
  PageDown: -60,
  PageUp: 60,
  Home: -LAST_MINUTE,
  End: LAST_MINUTE,
};

interface TimeLineProps {
  day: DayWindow;
  choice: SessionsChoice;
  /** Called with a time of day such as "14:30"; null for the present. `isFinal` is false while the line is dragged. */
  onMove: (at: string | null, isFinal: boolean) => void;
}

/** A line at the shown moment. It is dragged with a pointer, or moved with the keys of a slider; Escape returns to now. */
export function TimeLine({ day, choice, onMove }: TimeLineProps) {
  const { zone } = choice;
  const line = useRef<HTMLDivElement>(null);
  const percent = useMoment(choice, (atMs) => Math.round(getPercent(atMs, day) * 20) / 20);
  const time = useMoment(choice, (atMs) => formatClock(zone, atMs));
  const minutes = useMoment(choice, (atMs) => getMinutes(zone, atMs));
  const isNow = choice.at === null && choice.day === null;

  function move(event: PointerEvent<HTMLElement>, isFinal: boolean): void {
    const box = line.current?.parentElement?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const atMs = Math.min(day.untilMs - MINUTE_MS, day.fromMs + share * (day.untilMs - day.fromMs));
    onMove(formatMinutes(Math.floor(getMinutes(zone, atMs) / DRAG_MINUTES) * DRAG_MINUTES), isFinal);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = KEY_MINUTES[event.key];
    if (event.key === "Escape") onMove(null, true);
    if (step === undefined) return;
    event.preventDefault();
    // From the present, the first step leads to a whole one.
    const from = Math.abs(step) === LAST_MINUTE ? minutes : Math.floor(minutes / 15) * 15;
    onMove(formatMinutes(Math.min(LAST_MINUTE, Math.max(0, from + step))), true);
  }

  return (
    <div ref={line} className="absolute top-4.5 bottom-5 z-2 w-0" style={{ insetInlineStart: `${percent}%` }}>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Time of day"
        aria-valuemin={0}
        aria-valuemax={LAST_MINUTE}
        aria-valuenow={minutes}
        aria-valuetext={isNow ? `${time}, now` : time}
        aria-orientation="horizontal"
        title="Drag to another time. Escape returns to now."
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.currentTarget.focus();
        }}
        // Otherwise the drag would select text, and a drag that begins on selected text would move that text.
        onMouseDown={(event) => event.preventDefault()}
        onPointerMove={(event) => move(event, false)}
        onPointerUp={(event) => move(event, true)}
        onKeyDown={onKeyDown}
        // The area and the time stay within the chart at both ends of the day.
        style={{ translate: `-${percent}%` }}
        className="absolute -top-4.5 bottom-0 w-8 cursor-ew-resize touch-none rounded-sm select-none"
      >
        <span className="absolute top-4.5 bottom-0 -ml-px w-0.5 bg-ink" style={{ insetInlineStart: `${percent}%` }} />
        <span
          className={`numerals absolute top-0 rounded-sm px-1 text-xs11/4.5 select-none ${isNow ? "" : "bg-accent text-on-accent"}`}
          style={{ insetInlineStart: `${percent}%`, translate: `-${percent}%` }}
        >
          {time}
        </span>
      </div>
    </div>
  );
}

function getMinutes(zone: string, atMs: number): number {
  return Math.floor(toCivilTime(zone, atMs).msOfDay / MINUTE_MS);
}
