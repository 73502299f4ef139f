"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { useFresh } from "@/components/ui/use-fresh";
import { BrokerTable } from "@/features/spreads/broker-table";
import { SessionAverages, SpreadFacts, SpreadPanel } from "@/features/spreads/spread-figures";
import type { SpreadDetailData } from "@/features/spreads/types";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";

const REFRESH_MS = 5_000;

/** The spreads of one symbol over the period: in figures, by session and by broker. */
export function SpreadDetail({ period, initial }: { period: SpreadPeriod; initial: SpreadDetailData }) {
  const { data = initial, isOffline } = useFresh(
    `/spreads/${initial.symbol}/detail?period=${period}`,
    REFRESH_MS,
    initial,
  );
  const { symbol, name, statistics } = data;
  return (
    <section
      aria-labelledby="spread-detail"
      className="px-4 pt-5 pb-8 max-md:px-3 max-md:pt-4 max-md:pb-6"
      data-offline={isOffline || undefined}
    >
      <h2 id="spread-detail" className="font-semibold">
        <Link href={`/symbols/${symbol}`} className="hover:underline">
          {symbol}
        </Link>{" "}
        <span className="ml-1.5 text-xs13 font-normal text-dim">{name}, spread in pips</span>
      </h2>
      {statistics === null ? (
        <EmptyState title="Nothing recorded yet">
          {symbol} has no recorded spread in this period. Recording starts with the first quote.
        </EmptyState>
      ) : (
        <div className="mt-3 grid grid-cols-[minmax(14rem,1fr)_minmax(14rem,1fr)_minmax(24rem,2fr)] gap-x-10 gap-y-6 max-wide:grid-cols-[1fr_1fr] max-wide:[&>:last-child]:col-span-full max-md:grid-cols-1">
          <SpreadFacts statistics={statistics} />
          <SessionAverages statistics={statistics} />
          <SpreadPanel title="By broker">
            {data.sources.length === 0 ? (
              <p className="text-dim">No source has quoted {symbol} in this period.</p>
            ) : (
              <BrokerTable data={data} />
            )}
          </SpreadPanel>
        </div>
      )}
    </section>
  );
}
