"use client";

import { Notice } from "@/components/ui/notice";
import { type ClockChange } from "@/features/sessions/session-days";
import type { SessionsChoice } from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import { CITIES } from "@/lib/market/sessions/session-hours";

interface ClockNoteProps {
  changes: readonly ClockChange[];
  choice: SessionsChoice;
}

/** Shown in the weeks between the clock changes of the cities, when overlaps differ from the usual ones. */
export function ClockNote({ changes, choice }: ClockNoteProps) {
  const text = useMoment(choice, (atMs) => formatClockNote(changes, atMs));
  const hours = useMoment(choice, (atMs) => changes.map((change) => formatHours(change, atMs)).join("\n"));
  if (text === "") return null;
  return (
    <div className="px-4 pb-3 max-md:px-3">
      <Notice tone="note">
        {text}
        <ul className="mt-1 text-dim">
          {hours.split("\n").map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

/** Names the clock changes before and after a moment that lies between them; empty at other times of the year. */
export function formatClockNote(changes: readonly ClockChange[], atMs: number): string {
  const list = (some: readonly ClockChange[]) =>
    new Intl.ListFormat("en-GB").format(some.map(({ name, date }) => `${CITIES[name]} on ${date}`));
  const made = changes.filter((change) => change.atMs <= atMs);
  const ahead = changes.filter((change) => change.atMs > atMs);
  if (made.length === 0 || ahead.length === 0) return "";
  return (
    `Clocks changed in ${list(made)} and will change in ${list(ahead)}. ` +
    "Until then, some sessions open and overlap one hour earlier or later than usual."
  );
}

/** How a clock change moves its session: "New York: 12:00–21:00 UTC since 8 March, 13:00–22:00 before." */
export function formatHours({ name, date, before, after, atMs: changeMs }: ClockChange, atMs: number): string {
  return changeMs <= atMs
    ? `${CITIES[name]}: ${after} UTC since ${date}, ${before} before.`
    : `${CITIES[name]}: ${before} UTC until ${date}, ${after} from then on.`;
}
