"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useMarketClock, useMarketTime } from "@/components/shared/market-clock";
import { ClockNote } from "@/features/sessions/clock-note";
import { SessionCard } from "@/features/sessions/session-card";
import { SessionChart } from "@/features/sessions/session-chart";
import { CITIES, getStatus, type SessionDays, type SessionLine } from "@/features/sessions/session-days";
import { type SessionsChoice, toSessionsHref } from "@/features/sessions/url";
import { ZoneSelect } from "@/features/sessions/zone-select";
import { formatWait } from "@/lib/time/duration";

/** The page computes open sessions from their hours and the clock, so its data changes only with the settings. */
const REFRESH_MS = 300_000;

interface SessionsViewProps {
  initial: SessionDays;
  /** The choice in the page's address. */
  choice: SessionsChoice;
  /** Whether there are simulated prices, which move without a session. */
  isSimulated: boolean;
}

/** The four sessions now, and a chart of the day. */
export function SessionsView({ initial, choice: first, isSimulated }: SessionsViewProps) {
  const [choice, setChoice] = useState(first);
  const clock = useMarketClock();
  const { data: days } = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => fetchDays(signal),
    initialData: initial,
    refetchInterval: REFRESH_MS,
    gcTime: 0,
  });
  useEffect(() => clock.set(days.nowMs), [clock, days.nowMs]);

  function choose(change: Partial<SessionsChoice>): void {
    const next = { ...choice, ...change };
    setChoice(next);
    history.replaceState(null, "", toSessionsHref(next));
  }

  return (
    <>
      <Headline sessions={days.sessions} isSimulated={isSimulated} />
      <ClockNote changes={days.clockChanges} />
      <ul className="grid grid-cols-4 border-y border-line max-lg:grid-cols-2">
        {days.sessions.map((session) => (
          <li
            key={session.name}
            className="border-line not-first:border-l max-lg:odd:border-l-0 max-lg:nth-[n+3]:border-t"
          >
            <SessionCard session={session} />
          </li>
        ))}
      </ul>
      <SessionChart sessions={days.sessions} choice={choice} onDay={(day) => choose({ day })}>
        <ZoneSelect zone={choice.zone} sessions={days.sessions} onChange={(zone) => choose({ zone })} />
      </SessionChart>
    </>
  );
}

async function fetchDays(signal: AbortSignal): Promise<SessionDays> {
  const answer = await fetch("/sessions/days", { signal, cache: "no-store" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return (await answer.json()) as SessionDays;
}

/** The open sessions, and the next change. */
function Headline({ sessions, isSimulated }: { sessions: readonly SessionLine[]; isSimulated: boolean }) {
  const now = useMarketTime((nowMs) => {
    const open = sessions.filter((session) => getStatus(session, nowMs).isOpen).map(({ name }) => CITIES[name]);
    if (open.length === 0) return isSimulated ? "No session is open, but simulated prices move" : "No session is open";
    return `${new Intl.ListFormat("en-GB").format(open)} ${open.length === 1 ? "is" : "are"} open`;
  });
  const next = useMarketTime((nowMs) => formatNextChange(sessions, nowMs));
  return (
    <p data-headline className="px-4 pt-1 pb-3 text-dim max-md:px-3">
      <span className="font-medium text-ink">{now}.</span> {next}
    </p>
  );
}

function formatNextChange(sessions: readonly SessionLine[], nowMs: number): string {
  const changes = sessions.map((session) => ({ name: session.name, ...getStatus(session, nowMs) }));
  const soonestMs = Math.min(...changes.map(({ changesAtMs }) => changesAtMs ?? Infinity));
  if (soonestMs === Infinity) return "";
  const at = changes.filter(({ changesAtMs }) => changesAtMs === soonestMs);
  const words = at.map(({ name, isOpen }) => `${CITIES[name]} ${isOpen ? "closes" : "opens"}`);
  return `${new Intl.ListFormat("en-GB").format(words)} in ${formatWait(soonestMs - nowMs)}.`;
}
