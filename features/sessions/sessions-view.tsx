"use client";

import { useEffect, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call/api-call-button";
import { useMarketClock } from "@/components/shared/market-clock";
import { storeZone } from "@/components/shared/zone";
import { ZoneSelect } from "@/components/shared/zone-select";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { ClockNote } from "@/features/sessions/clock-note";
import { formatClock, formatDate } from "@/features/sessions/day-window";
import { SessionCard } from "@/features/sessions/session-card";
import { type ListedInstrument, SessionChart } from "@/features/sessions/session-chart";
import { getStatus, type SessionDays, type SessionLine } from "@/features/sessions/session-days";
import { type SessionsChoice, toSessionsHref } from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { formatWait } from "@/lib/time/duration";

/** The page computes open sessions from their hours and the clock, so its data changes only with the settings. */
const REFRESH_MS = 300_000;

interface SessionsViewProps {
  initial: SessionDays;
  /** The choice in the page's address. */
  choice: SessionsChoice;
  /** The zone of an address without one. */
  ownZone: string;
  instruments: readonly ListedInstrument[];
  /** Whether there are simulated prices, which move without a session. */
  isSimulated: boolean;
}

/** The four sessions now or at a chosen moment, and a chart of its day. */
export function SessionsView({ initial, choice: first, ownZone, instruments, isSimulated }: SessionsViewProps) {
  const [choice, setChoice] = useState(first);
  const clock = useMarketClock();
  const { data: days = initial, isOffline } = useFresh<SessionDays>(
    `/sessions/days?${new URLSearchParams(choice.day === null ? {} : { day: choice.day })}`,
    REFRESH_MS,
    choice.day === first.day ? initial : undefined,
  );
  useEffect(() => clock.set(days.nowMs), [clock, days.nowMs]);

  // Browsers allow a few changes of the address a second, so the line changes it when it is released.
  function choose(change: Partial<SessionsChoice>, isFinal = true): void {
    const next = { ...choice, ...change };
    setChoice(next);
    if (isFinal) history.replaceState(null, "", toSessionsHref(next, ownZone));
  }

  return (
    <>
      <Headline sessions={days.sessions} choice={choice} isSimulated={isSimulated} />
      {isOffline && (
        <Notice tone="error">The server is not responding. This day may be incomplete. Trying again.</Notice>
      )}
      <ClockNote changes={days.clockChanges} choice={choice} />
      <ul className="grid grid-cols-4 border-y border-line max-lg:grid-cols-2">
        {days.sessions.map((session) => (
          <li
            key={session.name}
            className="border-line not-first:border-l max-lg:odd:border-l-0 max-lg:nth-[n+3]:border-t"
          >
            <SessionCard session={session} choice={choice} />
          </li>
        ))}
      </ul>
      <SessionChart sessions={days.sessions} choice={choice} instruments={instruments} onChoose={choose}>
        <div className="flex items-center gap-3">
          <ApiCallButton of="Sessions" requests={[{ path: "/v1/sessions" }]} />
          <ZoneSelect
            zone={choice.zone}
            zones={days.sessions.map(({ zone, name }) => [zone, `${CITIES[name]} time`])}
            onChange={(zone) => {
              storeZone(zone);
              choose({ zone });
            }}
          />
        </div>
      </SessionChart>
    </>
  );
}

interface HeadlineProps {
  sessions: readonly SessionLine[];
  choice: SessionsChoice;
  isSimulated: boolean;
}

/** The open sessions, and the next change. */
function Headline({ sessions, choice, isSimulated }: HeadlineProps) {
  const isNow = choice.day === null && choice.at === null;
  const state = useMoment(choice, (atMs) => {
    const open = sessions.filter((session) => getStatus(session, atMs).isOpen).map(({ name }) => CITIES[name]);
    if (open.length === 0) {
      return isNow && isSimulated ? "No session is open, but simulated prices move" : "No session is open";
    }
    return `${new Intl.ListFormat("en-GB").format(open)} ${open.length === 1 ? "is" : "are"} open`;
  });
  const moment = useMoment(choice, (atMs) => `${formatDate(choice.zone, atMs)}, ${formatClock(choice.zone, atMs)}`);
  const next = useMoment(choice, (atMs) => formatNextChange(sessions, atMs));
  return (
    <p data-headline className="px-4 pt-1 pb-3 text-dim max-md:px-3">
      {!isNow && <span className="numerals">{moment}: </span>}
      <span className="font-medium text-ink">{state}.</span> {next}
    </p>
  );
}

function formatNextChange(sessions: readonly SessionLine[], atMs: number): string {
  const changes = sessions.map((session) => ({ name: session.name, ...getStatus(session, atMs) }));
  const soonestMs = Math.min(...changes.map(({ changesAtMs }) => changesAtMs ?? Infinity));
  if (soonestMs === Infinity) return "";
  const at = changes.filter(({ changesAtMs }) => changesAtMs === soonestMs);
  const words = at.map(({ name, isOpen }) => `${CITIES[name]} ${isOpen ? "closes" : "opens"}`);
  return `${new Intl.ListFormat("en-GB").format(words)} in ${formatWait(soonestMs - atMs)}.`;
}
