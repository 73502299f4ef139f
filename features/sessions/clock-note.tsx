"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { Notice } from "@/components/ui/notice";
import { CITIES, type ClockChange } from "@/features/sessions/session-days";

/** In the weeks when some cities have changed their clocks and others have not yet, the usual overlaps do not hold. */
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
    `Clocks have changed in ${list(made)}, and will in ${list(ahead)}. ` +
    "Until then some sessions open and overlap an hour off their usual times."
  );
}
