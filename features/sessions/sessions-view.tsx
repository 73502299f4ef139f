"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useMarketClock, useMarketTime } from "@/components/shared/market-clock";
import { ClockNote } from "@/features/sessions/clock-note";
import { SessionCard } from "@/features/sessions/session-card";
import { SessionChart } from "@/features/sessions/session-chart";
import { CITIES, type SessionDays, type SessionLine, statusAt } from "@/features/sessions/session-days";
import { ZoneSelect } from "@/features/sessions/zone-select";
import { formatWait } from "@/lib/time/duration";

/** What is open follows from the hours and the clock; only a change of settings or of the clock makes it old. */
const REFRESH_MS = 300_000;

interface SessionsViewProps {
  initial: SessionDays;
  /** IANA name. */
  initialZone: string;
}

/** The four sessions as they stand, and today's in one picture. */
export function SessionsView({ initial, initialZone }: SessionsViewProps) {
  const [zone, setZone] = useState(initialZone);
  const clock = useMarketClock();
  const { data: days } = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => fetchDays(signal),
    initialData: initial,
    refetchInterval: REFRESH_MS,
    gcTime: 0,
  });
  useEffect(() => clock.set(days.nowMs), [clock, days.nowMs]);

  function choose(next: string): void {
    setZone(next);
    history.replaceState(null, "", next === "UTC" ? location.pathname : `?${new URLSearchParams({ zone: next })}`);
  }

  return (
    <div className="sessions">
      <Headline sessions={days.sessions} />
      <ClockNote changes={days.clockChanges} />
      <ul className="session-cards">
        {days.sessions.map((session) => (
          <li key={session.name}>
            <SessionCard session={session} />
          </li>
        ))}
      </ul>
      <SessionChart sessions={days.sessions} zone={zone}>
        <ZoneSelect zone={zone} sessions={days.sessions} onChange={choose} />
      </SessionChart>
    </div>
  );
}

async function fetchDays(signal: AbortSignal): Promise<SessionDays> {
  const answer = await fetch("/sessions/days", { signal, cache: "no-store" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as SessionDays;
}

/** What is open now, in a sentence, and what happens next. */
function Headline({ sessions }: { sessions: readonly SessionLine[] }) {
  const now = useMarketTime((nowMs) => {
    const open = sessions.filter((session) => statusAt(session, nowMs).isOpen).map(({ name }) => CITIES[name]);
    if (open.length === 0) return "No session is open";
    return `${new Intl.ListFormat("en-GB").format(open)} ${open.length === 1 ? "is" : "are"} open`;
  });
  const next = useMarketTime((nowMs) => nextText(sessions, nowMs));
  return (
    <p className="sessions-headline">
      <span className="font-medium text-ink">{now}.</span> {next}
    </p>
  );
}

function nextText(sessions: readonly SessionLine[], nowMs: number): string {
  const changes = sessions.map((session) => ({ name: session.name, ...statusAt(session, nowMs) }));
  const soonestMs = Math.min(...changes.map(({ changesAtMs }) => changesAtMs ?? Infinity));
  if (soonestMs === Infinity) return "";
  const at = changes.filter(({ changesAtMs }) => changesAtMs === soonestMs);
  const words = at.map(({ name, isOpen }) => `${CITIES[name]} ${isOpen ? "closes" : "opens"}`);
  return `${new Intl.ListFormat("en-GB").format(words)} in ${formatWait(soonestMs - nowMs)}.`;
}
