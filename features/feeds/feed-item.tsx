import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Condition, getConcernColour } from "@/features/feeds/condition";
import { type FeedActions, FeedDetails } from "@/features/feeds/feed-details";
import { formatDelay, formatRate } from "@/features/feeds/format";
import { PauseForm } from "@/features/feeds/pause-form";
import type { FeedRow } from "@/features/feeds/types";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";

/** The columns of the headings and of every line. The last one is for the button, which is no part of the line. */
export const FEED_GRID =
  "grid grid-cols-[1rem_6rem_minmax(9rem,1fr)_minmax(4.5rem,7.5rem)_repeat(5,minmax(4.5rem,5.5rem))_6rem] items-center gap-x-3 px-4 max-wide:grid-cols-[repeat(3,minmax(0,1fr))]";

interface FeedItemProps {
  feed: FeedRow;
  actions: FeedActions;
}

/** One source: a line on a desk, a card on a phone. Its details unfold below it, also without a script. */
export function FeedItem({ feed, actions }: FeedItemProps) {
  const { name, condition, concerns, refusals } = feed;
  const refused = refusals.reduce((sum, { count }) => sum + count, 0);
  return (
    <li className="relative border-b border-line" data-source={name}>
      <details className="group">
        <summary
          className={`${FEED_GRID} min-h-11 cursor-pointer list-none py-1.5 hover:bg-hover focus-visible:-outline-offset-2 max-wide:gap-y-2 max-wide:py-3 [&::-webkit-details-marker]:hidden`}
        >
          <ChevronRight
            aria-hidden
            size={14}
            className="text-faint group-open:rotate-90 max-wide:absolute max-wide:top-4 max-wide:left-3"
          />
          <span className="max-wide:col-start-1 max-wide:row-start-2">
            <Condition condition={condition} />
          </span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 max-wide:col-span-full max-wide:row-start-1 max-wide:pr-24 max-wide:pl-5">
            <b className="font-medium [overflow-wrap:anywhere]">{name}</b>
            {feed.kind !== name && feed.kind !== feed.mode && <span className="text-xs12 text-faint">{feed.kind}</span>}
            {feed.mode !== "live" && <Badge>{feed.mode}</Badge>}
          </span>
          <Figure label="Last minute">{formatRate(feed)}</Figure>
          <Figure label="Last tick">{feed.ageMs === null ? "never" : formatAge(feed.ageMs)}</Figure>
          <Figure label="Clock">{formatDelay(feed.clockOffsetMs)}</Figure>
          <Figure label="Latency">{formatDelay(feed.latencyMs)}</Figure>
          <Figure label="Reconnected" className="max-wide:hidden">
            {feed.reconnections === 0 ? "–" : formatCount(feed.reconnections)}
          </Figure>
          <Figure label="Refused">{refused === 0 ? "–" : formatCount(refused)}</Figure>
          {concerns.length > 0 && (
            <span
              className={`col-[3/-1] text-xs12 [overflow-wrap:anywhere] max-wide:col-span-full ${getConcernColour(condition)}`}
            >
              {concerns.join(" · ")}
            </span>
          )}
        </summary>
        <FeedDetails feed={feed} actions={actions} />
      </details>
      <div className="absolute top-2 right-4">
        <PauseForm feed={feed} pause={actions.pause} resume={actions.resume} />
      </div>
    </li>
  );
}

function Figure({ label, className = "", children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <span className={`tabular-nums wide:text-right ${className}`}>
      <span className="text-xs12 text-faint max-wide:block wide:sr-only">{label} </span>
      {children}
    </span>
  );
}
