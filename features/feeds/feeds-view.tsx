"use client";

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { type DotLook, State } from "@/components/ui/state";
import { ScrollRegion } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { formatDelay, formatRate, REFUSAL_WORDS } from "@/features/feeds/format";
import { CATALOG_LIST, Part, SpellingForms } from "@/features/feeds/spelling-forms";
import type { FeedCondition, FeedRefusal, FeedRow, FeedsData } from "@/features/feeds/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";

/** The interval at which the server reports to its pages. */
const REFRESH_MS = 2_000;

const HEADINGS = [
  ["Last minute", "Accepted ticks of the last minute, and the expected number"],
  ["Last tick", "How long ago the last accepted tick was received"],
  ["Clock", "How far the source's clock is behind ours: its fastest tick of the last minute"],
  ["Latency", "From the source's time to the receipt, on average in the last minute; the clock's offset is in it"],
  ["Reconnected", "How often it was connected again after an interruption"],
  ["Refused", "Refused ticks since the start"],
] as const;

interface FeedsViewProps {
  initial: FeedsData;
  catalog: readonly { readonly symbol: string; readonly name: string }[];
  actions: FeedActions;
}

/** Every source of prices, refreshed every few seconds. Without a script the figures do not change. */
export function FeedsView({ initial, catalog, actions }: FeedsViewProps) {
  const fresh = useFresh<FeedsData>("/operator/feeds/data", REFRESH_MS, initial);
  // After an action the page is rendered with newer data than the last answer.
  const polled = fresh.data ?? initial;
  const { feeds } = polled.readAtMs > initial.readAtMs ? polled : initial;
  if (feeds === null) return <Loading />;
  if (feeds.length === 0) {
    return (
      <EmptyState title="No sources">
        The server runs without a feed. Name one in SPOTLINE_FEED, or in spotline.config.ts, and start it again.
      </EmptyState>
    );
  }
  return (
    <>
      {fresh.isOffline && (
        <div className="px-4 pb-3">
          <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>
        </div>
      )}
      <p className="px-4 pb-2 text-xs13 text-dim" data-summary>
        {summariseFeeds(feeds)}
      </p>
      <div className={fresh.isOffline ? "opacity-60" : ""}>
        <div aria-hidden className={`${FEED_GRID} h-7.5 border-y border-line text-xs12 text-faint max-wide:hidden`}>
          <span />
          <span>State</span>
          <span>Source</span>
          {HEADINGS.map(([heading, tip]) => (
            <span key={heading} title={tip} className="text-right">
              {heading}
            </span>
          ))}
        </div>
        <ul aria-label="Sources" className="text-xs13 max-wide:border-t max-wide:border-line">
          {feeds.map((feed) => (
            <FeedItem key={feed.name} feed={feed} actions={actions} />
          ))}
        </ul>
      </div>
      <datalist id={CATALOG_LIST}>
        {catalog.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 border-t border-line p-4" role="status">
      <p className="text-dim">The server has not reported its sources yet. They will appear here in a few seconds.</p>
      {[1, 2, 3].map((line) => (
        <Skeleton key={line} className="h-5" />
      ))}
    </div>
  );
}

/** The columns of the headings and of every line. The last one is for the button, which is no part of the line. */
const FEED_GRID =
  "grid grid-cols-[1rem_6rem_minmax(9rem,1fr)_minmax(4.5rem,7.5rem)_repeat(5,minmax(4.5rem,5.5rem))_6rem] items-center gap-x-3 px-4 max-wide:grid-cols-[repeat(3,minmax(0,1fr))]";

interface FeedItemProps {
  feed: FeedRow;
  actions: FeedActions;
}

/** One source: a line on a desk, a card on a phone. Its details unfold below it, also without a script. */
function FeedItem({ feed, actions }: FeedItemProps) {
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

/** What an operator can do to a source. */
type FeedActions = Readonly<Record<"pause" | "resume" | "alias" | "unalias" | "add", FormAction>>;

/** Everything about one source, below its line. */
function FeedDetails({ feed, actions }: { feed: FeedRow; actions: FeedActions }) {
  const { name, refusals } = feed;
  return (
    <div className="grid gap-x-8 gap-y-5 border-t border-line bg-panel px-4 py-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] wide:pl-11">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] content-start gap-x-6 gap-y-3 tabular-nums max-wide:grid-cols-2 wide:col-span-full">
        <Fact name="Connection" valueClassName="[overflow-wrap:anywhere]">
          {feed.connection}
          {feed.connectedForMs !== null && <span className="text-dim"> for {formatAge(feed.connectedForMs)}</span>}
        </Fact>
        <Fact name="Reconnected">{feed.reconnections === 1 ? "once" : `${formatCount(feed.reconnections)} times`}</Fact>
        <Fact name="Ticks accepted since the start">{formatCount(feed.accepted)}</Fact>
        <Fact name="Gaps not filled">{formatCount(feed.unfilledGaps)}</Fact>
        <Fact name="Clock, fastest tick of a minute">{formatDelay(feed.clockOffsetMs)}</Fact>
        <Fact name="Latency, mean of a minute">{formatDelay(feed.latencyMs)}</Fact>
        <Fact name="Last error" className="col-span-full" valueClassName="[overflow-wrap:anywhere]">
          {feed.lastError ?? <span className="text-dim">none</span>}
        </Fact>
      </dl>
      <Part id={`refused-${name}`} title="Refused ticks">
        {refusals.length === 0 ? (
          <p className="text-dim">None since the start.</p>
        ) : (
          <RefusedTicks refusals={refusals} />
        )}
      </Part>
      <SpellingForms feed={feed} actions={actions} />
    </div>
  );
}

const LOOKS: Readonly<Record<FeedCondition, { readonly dot: DotLook; readonly colour: string }>> = {
  ok: { dot: "good", colour: "text-up" },
  check: { dot: "warning", colour: "text-warn" },
  slow: { dot: "late", colour: "text-warn" },
  down: { dot: "failed", colour: "text-down" },
  closed: { dot: "off", colour: "text-dim" },
  paused: { dot: "off", colour: "text-dim" },
  pausing: { dot: "waiting", colour: "text-dim" },
  resuming: { dot: "waiting", colour: "text-dim" },
};

/** The state of a source: green only where everything holds. */
function Condition({ condition }: { condition: FeedCondition }) {
  const { dot, colour } = LOOKS[condition];
  return (
    <State look={dot} className={`whitespace-nowrap ${colour}`}>
      {condition}
    </State>
  );
}

/** The colour of what is wrong with a source. */
function getConcernColour(condition: FeedCondition): string {
  return condition === "down" ? "text-down" : condition === "check" || condition === "slow" ? "text-warn" : "text-dim";
}

interface PauseFormProps {
  feed: Pick<FeedRow, "name" | "condition">;
  pause: FormAction;
  resume: FormAction;
}

/** The button that pauses a source, or resumes it. */
function PauseForm({ feed: { name, condition }, pause, resume }: PauseFormProps) {
  const isPaused = condition === "paused" || condition === "pausing";
  return (
    <ActionForm
      key={isPaused ? "resume" : "pause"}
      id={name}
      action={isPaused ? resume : pause}
      size="sm"
      submit={
        <>
          {isPaused ? "Resume" : "Pause"}
          <span className="sr-only"> {name}</span>
        </>
      }
    />
  );
}

const CELL = "py-0.5 pr-4 text-left font-normal whitespace-nowrap";

/** The refused ticks of each reason, and the last of them as the source sent them. */
function RefusedTicks({ refusals }: { refusals: readonly FeedRefusal[] }) {
  return (
    <ScrollRegion label="Refused ticks">
      <table className="w-full text-xs12 tabular-nums">
        <thead className="text-faint">
          <tr>
            {["Spelling", "Bid", "Ask", "Its time, UTC"].map((heading) => (
              <th key={heading} scope="col" className={CELL}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        {refusals.map(({ reason, count, samples }) => (
          <tbody key={reason}>
            <tr className="border-t border-line">
              <th scope="rowgroup" colSpan={4} className={`${CELL} pt-1.5 text-xs13`}>
                {REFUSAL_WORDS[reason]} <span className="text-dim">{formatCount(count)}</span>
              </th>
            </tr>
            {samples.map(({ spelling, bid, ask, timeMs }, index) => (
              <tr key={index} className="font-mono text-dim">
                <td className={`${CELL} max-w-48 truncate`} title={spelling}>
                  {spelling}
                </td>
                <td className={CELL}>{bid ?? "–"}</td>
                <td className={CELL}>{ask ?? "–"}</td>
                <td className={CELL}>{timeMs === null ? "–" : formatTime(timeMs)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}

/** "2026-01-14 09:30:00.250". */
function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace("T", " ").replace("Z", "");
}

/** Worst first. */
const ORDER: readonly FeedCondition[] = ["down", "slow", "check", "resuming", "pausing", "paused", "closed", "ok"];

/** How many sources are in each state: "5 sources: 1 down, 4 ok". */
export function summariseFeeds(feeds: readonly Pick<FeedRow, "condition">[]): string {
  const parts = ORDER.flatMap((condition) => {
    const count = feeds.filter((feed) => feed.condition === condition).length;
    return count === 0 ? [] : [`${count} ${condition === "check" ? "to check" : condition}`];
  });
  return `${feeds.length} ${feeds.length === 1 ? "source" : "sources"}: ${parts.join(", ")}`;
}
