"use client";

import type { ReactNode } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { Button } from "@/components/ui/button";
import { StepButton } from "@/components/ui/step-button";
import { getDayWindow, getPlace } from "@/features/sessions/day-window";
import { Bar, NowLine, TimeAxis } from "@/features/sessions/session-bars";
import { CITIES, findOverlaps, type SessionLine } from "@/features/sessions/session-days";
import { countDaysAhead, findDay, FIRST_DAY, LAST_DAY, type SessionsChoice } from "@/features/sessions/url";
import { DAY_MS } from "@/lib/time/units";

const HALF_DAY_MS = DAY_MS / 2;

interface SessionChartProps {
  sessions: readonly SessionLine[];
  /** The zone and its day that are shown. */
  choice: SessionsChoice;
  onDay: (day: string | null) => void;
  children: ReactNode;
}

/** A day of one zone: a bar for each session, the overlaps in mixed colours, and a line at the present. */
export function SessionChart({ sessions, choice, onDay, children }: SessionChartProps) {
  const { zone } = choice;
  const daysAhead = useMarketTime((nowMs) => countDaysAhead(choice, nowMs));
  // Noon is on the right date even on the day of a clock change.
  const noonMs = useMarketTime((nowMs) => getDayWindow(zone, nowMs).fromMs + HALF_DAY_MS);
  const day = getDayWindow(zone, noonMs + daysAhead * DAY_MS);
  const show = (ahead: number) => onDay(findDay(zone, ahead, noonMs));
  const overlaps = findOverlaps(sessions).filter((span) => getPlace(span, day) !== null);
  return (
    <section aria-labelledby="session-day" className="max-w-[84rem] px-4 pt-3 pb-6 max-md:px-3">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-2">
        <div className="flex items-center gap-1 max-md:basis-full">
          <StepButton
            step={-1}
            label="Previous day"
            disabled={daysAhead <= FIRST_DAY}
            onClick={() => show(daysAhead - 1)}
          />
          <StepButton step={1} label="Next day" disabled={daysAhead >= LAST_DAY} onClick={() => show(daysAhead + 1)} />
          <h2 id="session-day" aria-live="polite" className="font-medium">
            {day.date}
          </h2>
          {daysAhead !== 0 && (
            <Button look="quiet" size="sm" onClick={() => show(0)}>
              Today
            </Button>
          )}
        </div>
        {children}
      </div>
      <div className="relative mt-2 pt-5 pb-6 [--names:5.25rem] max-md:[--names:4.25rem]">
        <TimeAxis day={day}>{daysAhead === 0 && <NowLine day={day} zone={zone} />}</TimeAxis>
        <dl>
          {sessions.map(({ name, open, holidays }) => (
            <DayRow key={name} name={CITIES[name]}>
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
          ))}
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
        </dl>
      </div>
    </section>
  );
}

interface DayRowProps {
  name: string;
  isLow?: boolean;
  children: ReactNode;
}

function DayRow({ name, isLow = false, children }: DayRowProps) {
  return (
    <div data-row={name} className="grid h-10 grid-cols-[var(--names)_minmax(0,1fr)] items-center">
      <dt className="text-xs13 text-dim">{name}</dt>
      <dd className={`relative ${isLow ? "h-4.5" : "h-7"}`}>{children}</dd>
    </div>
  );
}
