"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { Button } from "@/components/ui/button";
import { Figure } from "@/components/ui/figure";
import { StepButton } from "@/components/ui/step-button";
import { useFresh } from "@/components/ui/use-fresh";
import {
  type Activity,
  type DayWindow,
  findOverlaps,
  formatClock,
  getDayWindow,
  getPlace,
  type SessionLine,
} from "@/features/sessions/session-days";
import {
  FIRST_DAY,
  formatMinutes,
  getShownDay,
  LAST_DAY,
  moveDay,
  readDay,
  type SessionsChoice,
} from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { getWeek, getWeekend } from "@/lib/market/sessions/session-week";
import { toCivilTime } from "@/lib/time/civil-time";
import { DAY_MS, MINUTE_MS, type Span } from "@/lib/time/units";

interface SessionChartProps {
  sessions: readonly SessionLine[];
  choice: SessionsChoice;
  /** The name of the chosen instrument; null if it is not known. */
  symbolName: string | null;
  /** `isFinal` is false while the line is dragged. */
  onChoose: (change: Partial<SessionsChoice>, isFinal?: boolean) => void;
  children: ReactNode;
}

/** A day of one zone: its sessions, their overlaps in mixed colours, the usual spread and range, and a line to move. */
export function SessionChart({ sessions, choice, symbolName, onChoose, children }: SessionChartProps) {
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
        <SymbolSelect
          value={choice.symbol}
          {...(symbolName === null ? {} : { title: symbolName })}
          onChange={(symbol) => onChoose({ symbol })}
        />
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

/** Hours are added one by one. */
const REFRESH_MS = 300_000;

/** The usual spread and range of each hour, below the sessions on the same time axis. */
function ActivityRows({ choice: { symbol, zone }, day }: { choice: SessionsChoice; day: DayWindow }) {
  const { data, isOffline } = useFresh<Activity>(
    `/sessions/activity?${new URLSearchParams({ symbol, zone })}`,
    REFRESH_MS,
  );
  const rows = [
    { name: "Spread", what: "median spread", values: data?.spreads },
    { name: "Range", what: "median range", values: data?.ranges },
  ] as const;
  return rows.map(({ name, what, values }) => (
    <DayRow key={name} name={name} className="h-14">
      {values === undefined ? (
        isOffline && <span className="text-xs12 text-down">Could not be loaded. Trying again.</span>
      ) : values.every((value) => value === null) ? (
        <span className="text-xs12 text-faint">No complete hour of {symbol} yet.</span>
      ) : (
        <HourBars values={values} day={day} label={`${symbol}, ${what}`} />
      )}
    </DayRow>
  ));
}

interface HourBarsProps {
  /** 24 values in pips. */
  values: readonly (number | null)[];
  day: DayWindow;
  label: string;
}

/** A bar for each hour, from zero. */
function HourBars({ values, day, label }: HourBarsProps) {
  const highest = Math.max(...values.map((value) => value ?? 0));
  const hour = (index: number) => `${String(index).padStart(2, "0")}:00`;
  const text = values.flatMap((value, index) => (value === null ? [] : [`${hour(index)} ${value.toFixed(1)}`]));
  return (
    <span role="img" aria-label={`${label} in pips: ${text.join(", ")}`} className="absolute inset-0">
      {values.map((value, index) => {
        const span = day.hours[index];
        const place = span === undefined ? null : getPlace(span, day);
        if (value === null || place === null) return null;
        const height = highest === 0 ? 0 : (value / highest) * 100;
        return (
          <span
            key={index}
            title={`${hour(index)}: ${value.toFixed(1)} pips`}
            className="absolute inset-y-0 flex flex-col justify-end px-px [container-type:inline-size]"
            style={place}
          >
            <Figure className="text-center text-2xs text-dim @max-[1.9rem]:hidden">{value.toFixed(1)}</Figure>
            <span className="min-h-px flex-none rounded-t-[1px] bg-edge" style={{ height: `${height * 0.62}%` }} />
          </span>
        );
      })}
    </span>
  );
}

interface DayRowProps {
  name: string;
  /** The row's height. */
  className?: string;
  isLow?: boolean;
  children: ReactNode;
}

/** One line of the chart: its name, and what happens over the day. */
function DayRow({ name, className = "h-10", isLow = false, children }: DayRowProps) {
  return (
    <div data-row={name} className={`grid grid-cols-[var(--names)_minmax(0,1fr)] items-center ${className}`}>
      <dt className="text-xs13 text-dim">{name}</dt>
      <dd className={`relative ${className !== "h-10" ? "h-full" : isLow ? "h-4.5" : "h-7"}`}>{children}</dd>
    </div>
  );
}

interface BarProps {
  span: Span;
  day: DayWindow;
  zone: string;
  label?: string;
  /** Omitted for hours without trading. */
  colour?: string;
}

/** A span of the day with its hours. The hours are of the whole span, even beyond the day. */
function Bar({ span, day, zone, label, colour }: BarProps) {
  const place = getPlace(span, day);
  if (place === null) return null;
  const hours = `${formatClock(zone, span.fromMs)}–${formatClock(zone, span.untilMs)}`;
  const isClosed = colour === undefined;
  const figures = <span translate="no">{hours}</span>;
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
        {isClosed ? <span className="sr-only">, {figures}</span> : figures}
      </span>
    </span>
  );
}

interface TimeAxisProps {
  day: DayWindow;
  children: ReactNode;
}

/** The hours of the day, behind the bars. */
function TimeAxis({ day, children }: TimeAxisProps) {
  return (
    <div className="absolute inset-y-0 right-0 left-(--names)">
      {day.ticks.map(({ label, atMs }) => (
        <span
          key={label}
          aria-hidden
          className="group absolute top-5 bottom-6 border-l border-line"
          style={{ insetInlineStart: `${getPercent(atMs, day)}%` }}
        >
          <Figure className={`absolute top-[calc(100%+0.25rem)] text-xs11/4 text-faint ${getTickShift(atMs, day)}`}>
            {label}
          </Figure>
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
function getPercent(atMs: number, day: Span): number {
  return (100 * (atMs - day.fromMs)) / (day.untilMs - day.fromMs);
}

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
function TimeLine({ day, choice, onMove }: TimeLineProps) {
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
        <Figure
          className={`absolute top-0 rounded-sm px-1 text-xs11/4.5 select-none ${isNow ? "" : "bg-accent text-on-accent"}`}
          style={{ insetInlineStart: `${percent}%`, translate: `-${percent}%` }}
        >
          {time}
        </Figure>
      </div>
    </div>
  );
}

function getMinutes(zone: string, atMs: number): number {
  return Math.floor(toCivilTime(zone, atMs).msOfDay / MINUTE_MS);
}

interface DayControlsProps {
  choice: SessionsChoice;
  /** The shown day: "Fri 27 Nov". */
  date: string;
  onChoose: (change: Partial<SessionsChoice>) => void;
}

/** Chooses the day: the one before or after, any date, or today. */
function DayControls({ choice, date, onChoose }: DayControlsProps) {
  const today = useMarketTime((nowMs) => getShownDay({ zone: choice.zone, day: null }, nowMs));
  const shown = choice.day ?? today;
  const before = useMarketTime((nowMs) => moveDay(choice, -1, nowMs) ?? "");
  const after = useMarketTime((nowMs) => moveDay(choice, 1, nowMs) ?? "");
  const show = (day: string) => onChoose({ day: day === "" || day === today ? null : readDay(day) });
  return (
    <div className="flex flex-wrap items-center gap-1 max-md:basis-full">
      <StepButton step={-1} label="Previous day" disabled={shown <= FIRST_DAY} onClick={() => show(before)} />
      <StepButton step={1} label="Next day" disabled={shown >= LAST_DAY} onClick={() => show(after)} />
      <h2 id="session-day" aria-live="polite" className="font-medium">
        {date}
      </h2>
      <input
        type="date"
        aria-label="Day"
        value={shown}
        min={FIRST_DAY}
        max={LAST_DAY}
        // A date that is being typed is incomplete, and then empty.
        onChange={({ target }) => target.value !== "" && show(target.value)}
        className="ml-2 h-8 rounded-md border border-edge bg-raised px-2 font-mono text-xs13 text-ink"
      />
      {(choice.day !== null || choice.at !== null) && (
        <Button look="quiet" size="sm" onClick={() => onChoose({ day: null, at: null })}>
          Back to now
        </Button>
      )}
    </div>
  );
}
