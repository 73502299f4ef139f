import type { ReactNode } from "react";
import { Fact } from "@/components/ui/facts";
import { AliasForms, UnresolvedForm } from "@/features/feeds/alias-forms";
import { formatDelay } from "@/features/feeds/format";
import { RefusedTicks } from "@/features/feeds/refused-ticks";
import type { FeedRow } from "@/features/feeds/types";
import type { FormAction } from "@/features/forms/action-state";
import { formatCount } from "@/lib/text/text";
import { formatAge } from "@/lib/time/duration";

/** What an operator can do to a source. */
export type FeedActions = Readonly<Record<"pause" | "resume" | "alias" | "unalias", FormAction>>;

/** Everything about one source, below its line. */
export function FeedDetails({ feed, actions }: { feed: FeedRow; actions: FeedActions }) {
  const { name, refusals, unresolved } = feed;
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
      <div className="grid content-start gap-5">
        {unresolved.length > 0 && (
          <Part id={`unresolved-${name}`} title="Spellings without a symbol">
            <p className="text-xs12 text-faint">Their ticks are refused. A wrong symbol would give wrong prices.</p>
            <ul className="max-h-96 overflow-y-auto">
              {unresolved.map((each) => (
                <UnresolvedForm key={each.spelling} source={name} unresolved={each} alias={actions.alias} />
              ))}
            </ul>
          </Part>
        )}
        <Part id={`aliases-${name}`} title="Aliases">
          <AliasForms feed={feed} alias={actions.alias} unalias={actions.unalias} />
        </Part>
      </div>
    </div>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid content-start gap-1.5">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      {children}
    </section>
  );
}
