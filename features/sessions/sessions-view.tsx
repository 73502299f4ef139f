"use client";

import { useEffect, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { useMarketClock } from "@/components/shared/market-clock";
import { storeZone } from "@/components/shared/zone";
import { ZoneSelect } from "@/components/shared/zone-select";
import { Figure } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { keepAt } from "@/components/ui/past-address";
import { useFresh } from "@/components/ui/use-fresh";
import { SessionChart } from "@/features/sessions/session-chart";
import {
  type ClockChange,
  formatClock,
  formatDate,
  getStatus,
  type SessionDays,
  type SessionLine,
  type Status,
} from "@/features/sessions/session-days";
import { type SessionsChoice, toSessionsHref } from "@/features/sessions/url";
import { useMoment } from "@/features/sessions/use-moment";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { formatWait } from "@/lib/time/duration";

/** The page computes open sessions from their hours and the clock, so its data changes only with the settings. */
export const REFRESH_MS = 300_000;

interface SessionsViewProps {
  initial: SessionDays;
  /** The choice in the page's address. */
  choice: SessionsChoice;
  /** The zone of an address without one. */
  ownZone: string;
  /** The name of the instrument of that choice. */
  symbolName: string;
  /** Whether there are simulated prices, which move without a session. */
  isSimulated: boolean;
}

/** The four sessions now or at a chosen moment, and a chart of its day. */
export function SessionsView({ initial, choice: first, ownZone, symbolName, isSimulated }: SessionsViewProps) {
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
    if (isFinal) history.replaceState(null, "", keepAt(toSessionsHref(next, ownZone)));
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
      <SessionChart
        sessions={days.sessions}
        choice={choice}
        symbolName={choice.symbol === first.symbol ? symbolName : null}
        onChoose={choose}
      >
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
      {!isNow && <Figure>{moment}: </Figure>}
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

export const LOOKS: Readonly<Record<Status, { readonly word: string; readonly colour: string }>> = {
  open: { word: "Open", colour: "text-up" },
  closed: { word: "Closed", colour: "text-dim" },
  holiday: { word: "Bank holiday", colour: "text-warn" },
  weekend: { word: "Weekend", colour: "text-dim" },
};

/** One city at the shown moment: its clock, whether its session is open, and when that changes. */
function SessionCard({ session, choice }: { session: SessionLine; choice: SessionsChoice }) {
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
          translate="no"
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
            at <Figure>{formatClock("UTC", changesAtMs)}</Figure> UTC
          </span>
        )}
      </p>
    </article>
  );
}

interface ClockNoteProps {
  changes: readonly ClockChange[];
  choice: SessionsChoice;
}

/** Shown in the weeks between the clock changes of the cities, when overlaps differ from the usual ones. */
function ClockNote({ changes, choice }: ClockNoteProps) {
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
