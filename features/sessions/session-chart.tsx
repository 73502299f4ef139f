"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type CSSProperties, type ReactNode, useState } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { Button } from "@/components/ui/button";
import { type DayWindow, dayWindow, placeIn, timeText } from "@/features/sessions/day-window";
import { CITIES, overlapsOf, type SessionLine } from "@/features/sessions/session-days";
import { weekendOf, weekOf } from "@/lib/market/session-week";
import type { Span } from "@/lib/time/span";
import { DAY_MS } from "@/lib/time/units";

const HALF_DAY_MS = DAY_MS / 2;

interface SessionChartProps {
  sessions: readonly SessionLine[];
  /** IANA name of the zone whose day is shown. */
  zone: string;
  children: ReactNode;
}

/** A day of one zone: a bar for each session, the overlaps in the mixed colours of their two, and a line at now. */
export function SessionChart({ sessions, zone, children }: SessionChartProps) {
  const [daysAhead, setDaysAhead] = useState(0);
  // Noon is on the right date whatever the clocks do.
  const noonMs = useMarketTime((nowMs) => dayWindow(zone, nowMs).fromMs + HALF_DAY_MS);
  const day = dayWindow(zone, noonMs + daysAhead * DAY_MS);
  const overlaps = overlapsOf(sessions).filter((span) => placeIn(span, day) !== null);
  return (
    <section aria-labelledby="session-day" className="session-chart">
      <div className="session-chart-head">
        <div className="session-stepper">
          <StepButton label="Previous day" disabled={daysAhead <= -1} onClick={() => setDaysAhead(daysAhead - 1)}>
            <ChevronLeft aria-hidden size={16} />
          </StepButton>
          <StepButton label="Next day" disabled={daysAhead >= 7} onClick={() => setDaysAhead(daysAhead + 1)}>
            <ChevronRight aria-hidden size={16} />
          </StepButton>
          <h2 id="session-day" aria-live="polite" className="font-medium">
            {day.date}
          </h2>
          {daysAhead !== 0 && (
            <Button look="quiet" size="sm" onClick={() => setDaysAhead(0)}>
              Today
            </Button>
          )}
        </div>
        {children}
      </div>
      <div className="session-plot">
        <div className="session-ground" aria-hidden>
          {day.ticks.map(({ label, atMs }) => (
            <span
              key={label}
              className="session-tick"
              data-last={atMs === day.untilMs}
              style={{ insetInlineStart: `${percentOf(atMs, day)}%` }}
            >
              <span className="numerals">{label}</span>
            </span>
          ))}
          <Weekends day={day} />
          {daysAhead === 0 && <NowLine day={day} zone={zone} />}
        </div>
        <dl className="session-rows">
          {sessions.map(({ name, open, holidays }) => (
            <div key={name} className="session-row">
              <dt>{CITIES[name]}</dt>
              <dd>
                {open.map((span) => (
                  <Bar key={span.fromMs} span={span} day={day} zone={zone} colour={`var(--${name})`} />
                ))}
                {holidays.map((span) => (
                  <Bar key={span.fromMs} span={span} day={day} zone={zone} label="Bank holiday" />
                ))}
                {[...open, ...holidays].every((span) => placeIn(span, day) === null) && (
                  <span className="sr-only">Closed all day</span>
                )}
              </dd>
            </div>
          ))}
          <div className="session-row session-overlaps">
            <dt>Overlaps</dt>
            <dd>
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
            </dd>
          </div>
        </dl>
      </div>
    </section>
  );
}

interface StepButtonProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function StepButton({ label, ...rest }: StepButtonProps) {
  return <Button look="quiet" size="sm" aria-label={label} title={label} className="session-step" {...rest} />;
}

interface BarProps {
  span: Span;
  day: DayWindow;
  zone: string;
  label?: string;
  /** None for hours that do not trade. */
  colour?: string;
}

/** A span of the day. It says its own hours, whole even where the day cuts it. */
function Bar({ span, day, zone, label, colour }: BarProps) {
  const place = placeIn(span, day);
  if (place === null) return null;
  const hours = `${timeText(zone, span.fromMs)}–${timeText(zone, span.untilMs)}`;
  const isClosed = colour === undefined;
  const text = label === undefined ? hours : `${label}, ${hours}`;
  return (
    <span
      className="session-span"
      data-closed={isClosed}
      title={text}
      style={{ insetInlineStart: `${place.start}%`, inlineSize: `${place.size}%`, "--colour": colour } as CSSProperties}
    >
      <span className="session-hours">
        {isClosed ? label : label !== undefined && <span className="sr-only">{label}, </span>}
        {isClosed ? <span className="sr-only">, {hours}</span> : hours}
      </span>
    </span>
  );
}

function Weekends({ day }: { day: DayWindow }) {
  return [weekOf(day.fromMs), weekOf(day.untilMs)]
    .filter((week, index, weeks) => weeks.indexOf(week) === index)
    .map((week) => {
      const place = placeIn(weekendOf(week), day);
      return (
        place && (
          <span
            key={week}
            className="session-weekend"
            style={{ insetInlineStart: `${place.start}%`, inlineSize: `${place.size}%` }}
          >
            Weekend
          </span>
        )
      );
    });
}

function NowLine({ day, zone }: { day: DayWindow; zone: string }) {
  const percent = useMarketTime((nowMs) => Math.round(percentOf(nowMs, day) * 20) / 20);
  const time = useMarketTime((nowMs) => timeText(zone, nowMs));
  return (
    <span className="session-now" style={{ insetInlineStart: `${percent}%` }}>
      <span className="numerals">{time}</span>
    </span>
  );
}

function percentOf(atMs: number, day: Span): number {
  return (100 * (atMs - day.fromMs)) / (day.untilMs - day.fromMs);
}
