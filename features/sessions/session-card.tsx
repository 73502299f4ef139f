"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { dateText, timeText } from "@/features/sessions/day-window";
import { CITIES, type SessionLine, type Status, statusAt } from "@/features/sessions/session-days";
import { formatWait } from "@/lib/time/duration";

const words: Readonly<Record<Status, string>> = {
  open: "Open",
  closed: "Closed",
  holiday: "Bank holiday",
  weekend: "Weekend",
};

/** One city: its clock, whether it trades, and for how long that stays so. */
export function SessionCard({ session }: { session: SessionLine }) {
  const { name, zone } = session;
  const status = useMarketTime((nowMs) => statusAt(session, nowMs).status);
  const time = useMarketTime((nowMs) => timeText(zone, nowMs));
  const date = useMarketTime((nowMs) => dateText(zone, nowMs));
  const wait = useMarketTime((nowMs) => {
    const { isOpen, changesAtMs } = statusAt(session, nowMs);
    return changesAtMs === null ? "" : `${isOpen ? "Closes" : "Opens"} in ${formatWait(changesAtMs - nowMs)}`;
  });
  const changesAtMs = useMarketTime((nowMs) => statusAt(session, nowMs).changesAtMs ?? 0);
  return (
    <article className="session-card" data-session={name} data-open={status === "open"}>
      <h2 className="session-city">
        <span aria-hidden className="session-swatch" />
        {CITIES[name]}
      </h2>
      <p className="session-status" data-status={status}>
        {words[status]}
      </p>
      <p className="session-time">
        <time aria-label={`Time in ${CITIES[name]}`} role="timer" aria-live="off">
          {time}
        </time>
        <span className="session-date">{date}</span>
      </p>
      <p className="session-wait">
        {wait}{" "}
        {changesAtMs > 0 && (
          <span className="session-at">
            at <span className="numerals">{timeText("UTC", changesAtMs)}</span> UTC
          </span>
        )}
      </p>
    </article>
  );
}
