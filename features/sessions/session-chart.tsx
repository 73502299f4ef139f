"use client";

import type { ReactNode } from "react";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { ActivityRows } from "@/features/sessions/activity-rows";
import { DayControls } from "@/features/sessions/day-controls";
import { DayRow } from "@/features/sessions/day-row";
import { getDayWindow, getPlace } from "@/features/sessions/day-window";
import { Bar, TimeAxis } from "@/features/sessions/session-bars";
import { findOverlaps, type SessionLine } from "@/features/sessions/session-days";
import { TimeLine } from "@/features/sessions/time-line";
import type { SessionsChoice } from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import type { Instrument } from "@/lib/market/instrument";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { DAY_MS } from "@/lib/time/units";

export type ListedInstrument = Pick<Instrument, "symbol" | "name" | "category">;

interface SessionChartProps {
  sessions: readonly SessionLine[];
  choice: SessionsChoice;
  instruments: readonly ListedInstrument[];
  /** `isFinal` is false while the line is dragged. */
  onChoose: (change: Partial<SessionsChoice>, isFinal?: boolean) => void;
  children: ReactNode;
}

/** A day of one zone: its sessions, their overlaps in mixed colours, the usual spread and range, and a line to move. */
export function SessionChart({ sessions, choice, instruments, onChoose, children }: SessionChartProps) {
  const { zone } = choice;
  // Noon is on the right date even on the day of a clock change.
  const noonMs = useMoment(choice, (atMs) => getDayWindow(zone, atMs).fromMs + DAY_MS / 2);
  const day = getDayWindow(zone, noonMs);
  return (
    <section aria-labelledby="session-day" className="max-w-[84rem] px-4 pt-3 pb-6 max-md:px-3">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-2">
        <DayControls choice={choice} date={day.date} onChoose={onChoose} />
        {children}
      </div>
      <div className="relative mt-2 pt-5 pb-6 [--names:5.25rem] max-md:[--names:4.25rem]">
        <TimeAxis day={day}>
          <TimeLine day={day} choice={choice} onMove={(at, isFinal) => onChoose({ at }, isFinal)} />
        </TimeAxis>
        <dl>
          {sessions.map((session) => (
            <SessionRow key={session.name} session={session} day={day} zone={zone} />
          ))}
          <OverlapRow sessions={sessions} day={day} zone={zone} />
          <ActivityRows choice={choice} day={day} />
        </dl>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="max-w-[40rem] text-xs12 text-faint">
          Spread and range are medians in pips of the last 30 days for each hour of this clock: of all seconds, and of
          high minus low of the hourly bars.
        </p>
        <SymbolSelect instruments={instruments} value={choice.symbol} onChange={(symbol) => onChoose({ symbol })} />
      </div>
    </section>
  );
}

interface RowProps {
  day: ReturnType<typeof getDayWindow>;
  zone: string;
}

function SessionRow({ session: { name, open, holidays }, day, zone }: RowProps & { session: SessionLine }) {
  return (
    <DayRow name={CITIES[name]}>
      {open.map((span) => (
        <Bar key={span.fromMs} span={span} day={day} zone={zone} colour={`var(--${name})`} />
      ))}
      {holidays.map((span) => (
        <Bar key={span.fromMs} span={span} day={day} zone={zone} label="Bank holiday" />
      ))}
      {[...open, ...holidays].every((span) => getPlace(span, day) === null) && (
        <span className="sr-only">Closed all day</span>
      )}
    </DayRow>
  );
}

function OverlapRow({ sessions, day, zone }: RowProps & { sessions: readonly SessionLine[] }) {
  const overlaps = findOverlaps(sessions).filter((span) => getPlace(span, day) !== null);
  return (
    <DayRow name="Overlaps" isLow>
      {overlaps.map(({ pair: [one, other], ...span }) => (
        <Bar
          key={`${one}${other}${span.fromMs}`}
          span={span}
          day={day}
          zone={zone}
          label={`${CITIES[one]} and ${CITIES[other]}`}
          colour={`color-mix(in oklab, var(--${one}), var(--${other}))`}
        />
      ))}
      {overlaps.length === 0 && <span className="sr-only">None</span>}
    </DayRow>
  );
}
