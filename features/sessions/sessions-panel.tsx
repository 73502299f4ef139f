"use client";

import { useEffect } from "react";
import { useMarketClock, useMarketTime } from "@/components/shared/market-clock";
import { PanelLoading, PanelMessage, PanelStale } from "@/components/shared/panel";
import { useZone } from "@/components/shared/zone-context";
import { useFresh } from "@/components/ui/use-fresh";
import {
  formatClock,
  getDayWindow,
  getPlace,
  getStatus,
  type SessionDays,
  type SessionLine,
} from "@/features/sessions/session-days";
import { LOOKS, REFRESH_MS } from "@/features/sessions/sessions-view";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { formatWait } from "@/lib/time/duration";

/** The four sessions in a panel of a screen: which are open, until when, and their hours of the day. */
export function SessionsPanel() {
  const clock = useMarketClock();
  const { data, isOffline } = useFresh<SessionDays>("/sessions/days", REFRESH_MS);
  useEffect(() => {
    if (data !== undefined) clock.set(data.nowMs);
  }, [clock, data]);
  if (data === undefined) {
    return isOffline ? (
      <PanelMessage title="Sessions could not be loaded">Trying again.</PanelMessage>
    ) : (
      <PanelLoading what="sessions" />
    );
  }
  return (
    <>
      {isOffline && <PanelStale />}
      <ul className="px-3 py-1">
        {data.sessions.map((session) => (
          <Session key={session.name} session={session} />
        ))}
      </ul>
    </>
  );
}

function Session({ session }: { session: SessionLine }) {
  const { name, zone } = session;
  const status = useMarketTime((nowMs) => getStatus(session, nowMs).status);
  const time = useMarketTime((nowMs) => formatClock(zone, nowMs));
  const wait = useMarketTime((nowMs) => {
    const { isOpen, changesAtMs } = getStatus(session, nowMs);
    return changesAtMs === null ? "" : `${isOpen ? "closes" : "opens"} in ${formatWait(changesAtMs - nowMs)}`;
  });
  const isOpen = status === "open";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-baseline gap-x-3 border-line py-1.5 text-xs13 not-first:border-t">
      <span className={`flex min-w-0 items-center gap-2 ${isOpen ? "font-medium" : "text-dim"}`}>
        <span
          aria-hidden
          className="size-2.5 flex-none rounded-full border-2 border-edge"
          style={isOpen ? { borderColor: `var(--${name})`, background: `var(--${name})` } : undefined}
        />
        <span className="truncate">{CITIES[name]}</span>
      </span>
      <span className={`text-xs12 ${LOOKS[status].colour}`}>{LOOKS[status].word}</span>
      <time
        aria-label={`Time in ${CITIES[name]}`}
        role="timer"
        aria-live="off"
        translate="no"
        className="font-mono tabular-nums slashed-zero"
      >
        {time}
      </time>
      <span className="col-span-full text-xs12 text-faint tabular-nums">{wait}</span>
      <Day session={session} />
    </li>
  );
}

/** The hours of a session on the day of the visitor's zone, with the moment that the screen shows. */
function Day({ session: { name, open } }: { session: SessionLine }) {
  const zone = useZone();
  const fromMs = useMarketTime((nowMs) => getDayWindow(zone, nowMs).fromMs);
  const day = getDayWindow(zone, fromMs);
  const percent = useMarketTime(
    (nowMs) => Math.round(((nowMs - day.fromMs) / (day.untilMs - day.fromMs)) * 1_000) / 10,
  );
  return (
    <span aria-hidden className="relative col-span-full mt-1 h-1.5 overflow-hidden rounded-sm bg-hover">
      {open.map((span) => {
        const place = getPlace(span, day);
        return (
          place !== null && (
            <span
              key={span.fromMs}
              className="absolute inset-y-0 opacity-80"
              style={{ ...place, background: `var(--${name})` }}
            />
          )
        );
      })}
      <span className="absolute inset-y-0 w-px bg-ink" style={{ insetInlineStart: `${percent}%` }} />
    </span>
  );
}
