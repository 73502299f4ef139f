"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { useZone } from "@/components/shared/zone-context";
import { type DotLook, State } from "@/components/ui/state";
import { formatWhen, NothingHere, Part } from "@/features/overview/part";
import type { SessionNow, SourceNow } from "@/features/overview/types";
import { CITIES } from "@/lib/market/sessions/session-hours";
import { formatAge, formatWait } from "@/lib/time/duration";

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
      <span translate="no" className="text-xs12 text-faint tabular-nums">
        {when}
      </span>
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

const MOST_SHOWN = 5;

interface SourcesPanelProps {
  sources: readonly SourceNow[];
  isOperator: boolean;
}

/** The state of each source of prices. Operators get to the page of feeds, members to the board. */
export function SourcesPanel({ sources, isOperator }: SourcesPanelProps) {
  const hidden = sources.slice(MOST_SHOWN);
  return (
    <Part id="overview-sources" title="Feeds" href={isOperator ? "/operator/feeds" : "/quotes"}>
      {sources.length === 0 && <NothingHere>No source of prices is set up.</NothingHere>}
      <ul className="text-xs13">
        {sources.slice(0, MOST_SHOWN).map((source) => (
          <Source key={source.name} source={source} />
        ))}
      </ul>
      {hidden.length > 0 && (
        <p className="pt-1 text-xs12 text-faint">
          {hidden.length} more, {hidden.filter((source) => getCondition(source).dot === "good").length} of them live
        </p>
      )}
    </Part>
  );
}

function Source({ source }: { source: SourceNow }) {
  const { dot, text, colour } = getCondition(source);
  const age = useMarketTime((nowMs) => (source.newestMs === null ? "" : formatAge(nowMs - source.newestMs)));
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_2.25rem] items-baseline gap-x-2 py-1">
      <State look={dot} className="min-w-0">
        <span translate="no" className="block truncate" title={source.name}>
          {source.name}
        </span>
      </State>
      <span className={`tabular-nums ${colour}`}>{text}</span>
      <span translate="no" className="text-right text-faint tabular-nums" title="Age of the newest price">
        {age}
      </span>
    </li>
  );
}

interface Condition {
  readonly dot: DotLook;
  readonly text: string;
  readonly colour: string;
}

/** Describes a source by the states of its quotes. */
export function getCondition({ counts }: Pick<SourceNow, "counts">): Condition {
  const { live, delayed, stale, closed } = counts;
  const open = live + delayed + stale;
  if (open + closed === 0) return { dot: "off", text: "no prices yet", colour: "text-dim" };
  if (open === 0) return { dot: "off", text: "closed", colour: "text-dim" };
  if (live === 0) return { dot: "failed", text: delayed > 0 ? "delayed" : "stale", colour: "text-warn" };
  const late = delayed + stale;
  if (late * 10 > open) return { dot: "late", text: `${live}/${open} live`, colour: "text-warn" };
  return { dot: "good", text: `${live}/${open} live`, colour: "text-dim" };
}
