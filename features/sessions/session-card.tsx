"use client";

import { formatClock, formatDate } from "@/features/sessions/day-window";
import { getStatus, type SessionLine, type Status } from "@/features/sessions/session-days";
import type { SessionsChoice } from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { formatWait } from "@/lib/time/duration";

const LOOKS: Readonly<Record<Status, { readonly word: string; readonly colour: string }>> = {
  open: { word: "Open", colour: "text-up" },
  closed: { word: "Closed", colour: "text-dim" },
  holiday: { word: "Bank holiday", colour: "text-warn" },
  weekend: { word: "Weekend", colour: "text-dim" },
};

/** One city at the shown moment: its clock, whether its session is open, and when that changes. */
export function SessionCard({ session, choice }: { session: SessionLine; choice: SessionsChoice }) {
  const { name, zone } = session;
  const status = useMoment(choice, (atMs) => getStatus(session, atMs).status);
  const time = useMoment(choice, (atMs) => formatClock(zone, atMs));
  const date = useMoment(choice, (atMs) => formatDate(zone, atMs));
  const wait = useMoment(choice, (atMs) => {
    const { isOpen, changesAtMs } = getStatus(session, atMs);
    return changesAtMs === null ? "" : `${isOpen ? "Closes" : "Opens"} in ${formatWait(changesAtMs - atMs)}`;
  });
  const changesAtMs = useMoment(choice, (atMs) => getStatus(session, atMs).changesAtMs ?? 0);
  const isOpen = status === "open";
  return (
    <article
      className={`grid h-full grid-cols-[1fr_auto] content-start items-baseline gap-x-3 gap-y-1 px-4 py-3.5 max-md:p-3 ${isOpen ? "bg-panel" : ""}`}
    >
      <h2 className="flex items-center gap-2 font-semibold">
        <span
          aria-hidden
          className="size-2.5 rounded-full border-2 border-edge"
          style={isOpen ? { borderColor: `var(--${name})`, background: `var(--${name})` } : undefined}
        />
        {CITIES[name]}
      </h2>
      <p className={`text-xs13 ${LOOKS[status].colour}`}>{LOOKS[status].word}</p>
      <p className="col-span-full flex items-baseline gap-2.5 max-md:flex-wrap max-md:gap-x-2 max-md:gap-y-0">
        <time
          aria-label={`Time in ${CITIES[name]}`}
          role="timer"
          aria-live="off"
          className="font-mono text-[1.625rem]/9 tracking-[-0.02em] tabular-nums slashed-zero"
        >
          {time}
        </time>
        <span className="text-xs13 text-dim">{date}</span>
      </p>
      <p className="col-span-full text-xs13 text-dim">
        {wait}{" "}
        {changesAtMs > 0 && (
          <span className="inline-block whitespace-nowrap text-faint">
            at <span className="numerals">{formatClock("UTC", changesAtMs)}</span> UTC
          </span>
        )}
      </p>
    </article>
  );
}
