"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { type DotLook, State } from "@/components/ui/state";
import { NothingHere, Part } from "@/features/overview/part";
import type { SourceNow } from "@/features/overview/types";
import { formatAge } from "@/lib/time/duration";

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
        <span className="block truncate" title={source.name}>
          {source.name}
        </span>
      </State>
      <span className={`tabular-nums ${colour}`}>{text}</span>
      <span className="text-right text-faint tabular-nums" title="Age of the newest price">
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
