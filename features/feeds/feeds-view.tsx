"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useFresh } from "@/components/ui/use-fresh";
import { CATALOG_LIST } from "@/features/feeds/alias-forms";
import type { FeedActions } from "@/features/feeds/feed-details";
import { FEED_GRID, FeedItem } from "@/features/feeds/feed-item";
import { summariseFeeds } from "@/features/feeds/summary";
import type { FeedsData } from "@/features/feeds/types";

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
