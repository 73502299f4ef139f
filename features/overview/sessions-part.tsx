"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { useZone } from "@/components/shared/zone-context";
import { Part } from "@/features/overview/part";
import type { SessionNow } from "@/features/overview/types";
import { formatWhen } from "@/features/overview/when";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { formatWait } from "@/lib/time/duration";

/** The four sessions: which are open, and when each opens or closes. */
export function SessionsPart({ sessions }: { sessions: readonly SessionNow[] }) {
  return (
    <Part id="overview-sessions" title="Sessions" href="/sessions" note={<NextChange sessions={sessions} />}>
      <ul className="grid grid-cols-4 gap-x-6 gap-y-2.5 max-md:grid-cols-1">
        {sessions.map((session) => (
          <Session key={session.name} session={session} />
        ))}
      </ul>
    </Part>
  );
}

function NextChange({ sessions }: { sessions: readonly SessionNow[] }) {
  const next = sessions.reduce((first, each) => (each.changesAtMs < first.changesAtMs ? each : first));
  const wait = useMarketTime((nowMs) => formatWait(next.changesAtMs - nowMs));
  return `Next: ${CITIES[next.name]} ${next.isOpen ? "closes" : "opens"} in ${wait}`;
}

function Session({ session }: { session: SessionNow }) {
  const { name, isOpen, openedAtMs, changesAtMs } = session;
  const zone = useZone();
  const wait = useMarketTime((nowMs) => formatWait(changesAtMs - nowMs));
  const when = useMarketTime((nowMs) => formatWhen(changesAtMs, nowMs, zone));
  const percent = useMarketTime((nowMs) =>
    openedAtMs === null ? 0 : Math.round(((nowMs - openedAtMs) / (changesAtMs - openedAtMs)) * 100),
  );
  return (
    <li className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 whitespace-nowrap">
      <span className={`flex items-center gap-2 ${isOpen ? "font-medium" : "text-dim"}`}>
        <span
          aria-hidden
          className="size-2.5 rounded-full border-2 border-edge"
          style={isOpen ? { borderColor: `var(--${name})`, background: `var(--${name})` } : undefined}
        />
        {CITIES[name]}
      </span>
      <span className={`text-xs12 ${isOpen ? "text-up" : "text-faint"}`}>{formatState(session)}</span>
      <span className="text-xs12 text-dim tabular-nums">
        {isOpen ? "closes" : "opens"} in {wait}
      </span>
      <span className="text-xs12 text-faint tabular-nums">{when}</span>
      <span aria-hidden className="col-span-full mt-1.5 h-1 overflow-hidden rounded-sm bg-line">
        <span
          className="block h-full"
          style={{ inlineSize: `${isOpen ? percent : 0}%`, background: `var(--${name})` }}
        />
      </span>
    </li>
  );
}

function formatState({ isOpen, isWeekend, isHoliday }: SessionNow): string {
  if (isOpen) return "open";
  return isWeekend ? "weekend" : isHoliday ? "bank holiday" : "closed";
}
