"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { Notice } from "@/components/ui/notice";
import { CITIES, type ClockChange } from "@/features/sessions/session-days";

/** Shown in the weeks between the clock changes of the cities, when overlaps differ from the usual ones. */
export function ClockNote({ changes }: { changes: readonly ClockChange[] }) {
  const text = useMarketTime((nowMs) => formatClockNote(changes, nowMs));
  if (text === "") return null;
  return (
    <div className="px-4 pb-3">
      <Notice tone="note">{text}</Notice>
    </div>
  );
}

export function formatClockNote(changes: readonly ClockChange[], nowMs: number): string {
  const list = (some: readonly ClockChange[]) =>
    new Intl.ListFormat("en-GB").format(some.map(({ name, date }) => `${CITIES[name]} on ${date}`));
  const made = changes.filter(({ atMs }) => atMs <= nowMs);
  const ahead = changes.filter(({ atMs }) => atMs > nowMs);
  if (made.length === 0 || ahead.length === 0) return "";
  return (
    `Clocks changed in ${list(made)} and will change in ${list(ahead)}. ` +
    "Until then, some sessions open and overlap one hour earlier or later than usual."
  );
}
