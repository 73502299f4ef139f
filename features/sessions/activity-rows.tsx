"use client";

import { useFresh } from "@/components/ui/use-fresh";
import { DayRow } from "@/features/sessions/day-row";
import { type DayWindow, getPlace } from "@/features/sessions/day-window";
import type { Activity } from "@/features/sessions/session-days";
import type { SessionsChoice } from "@/features/sessions/url";

/** Hours are added one by one. */
const REFRESH_MS = 300_000;

/** The usual spread and range of each hour, below the sessions on the same time axis. */
export function ActivityRows({ choice: { symbol, zone }, day }: { choice: SessionsChoice; day: DayWindow }) {
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
            <span className="numerals text-center text-2xs text-dim @max-[1.9rem]:hidden">{value.toFixed(1)}</span>
            <span className="min-h-px flex-none rounded-t-[1px] bg-edge" style={{ height: `${height * 0.62}%` }} />
          </span>
        );
      })}
    </span>
  );
}
