"use client";

import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { useFresh } from "@/components/ui/use-fresh";
import { BrokerTable } from "@/features/spreads/broker-table";
import { SESSIONS } from "@/features/spreads/session-lanes";
import { formatMean, formatPips } from "@/features/spreads/spread-text";
import type { SpreadDetailData } from "@/features/spreads/types";
import { SESSION_GROUPS } from "@/lib/history/spreads/session-groups";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";

const REFRESH_MS = 5_000;
const LINE_CLASS = "grid h-8.5 items-center border-t border-line text-xs13";
const FIGURE_CLASS = "text-right font-mono tabular-nums";

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
          <Facts statistics={statistics} />
          <SessionAverages statistics={statistics} />
          <Panel title="By broker">
            {data.sources.length === 0 ? (
              <p className="text-dim">No source has quoted {symbol} in this period.</p>
            ) : (
              <BrokerTable data={data} />
            )}
          </Panel>
        </div>
      )}
    </section>
  );
}

type Statistics = NonNullable<SpreadDetailData["statistics"]>;

function Facts({ statistics }: { statistics: Statistics }) {
  const { avg, deviation, median, p5, p95, min, max } = statistics;
  const facts = [
    ["Average", formatMean(avg)],
    ["Median", formatPips(median)],
    ["Standard deviation", formatMean(deviation)],
    ["90 % within", `${formatPips(p5)}–${formatPips(p95)}`],
    ["Lowest to highest", `${formatPips(min)}–${formatPips(max)}`],
  ];
  return (
    <Panel title="Over the period">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name} className={`grid-cols-[1fr_auto] ${LINE_CLASS}`}>
            <dt className="text-dim">{name}</dt>
            <dd className={FIGURE_CLASS}>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function SessionAverages({ statistics: { bySession } }: { statistics: Statistics }) {
  const widest = Math.max(...SESSION_GROUPS.map((group) => bySession[group] ?? 0));
  return (
    <Panel title="Average by session">
      <dl>
        {SESSION_GROUPS.map((group) => (
          <div key={group} className={`grid-cols-[4.5rem_1fr_3.5rem] ${LINE_CLASS}`}>
            <dt className="text-dim">{SESSIONS[group].full}</dt>
            <Bar value={bySession[group]} widest={widest} colour={SESSIONS[group].colour} />
            <dd className={FIGURE_CLASS}>{formatMean(bySession[group])}</dd>
          </div>
        ))}
      </dl>
      {widest === 0 && (
        <p className="mt-1.5 text-xs12 text-faint">No session was open while these spreads were recorded.</p>
      )}
    </Panel>
  );
}

interface BarProps {
  value: number | null;
  widest: number;
  colour: string;
}

/** A length beside its number. */
function Bar({ value, widest, colour }: BarProps) {
  const share = value === null || widest === 0 ? 0 : value / widest;
  return (
    <dd aria-hidden className="h-1.5">
      <span className={`block h-full rounded-[1px] ${colour}`} style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </dd>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 text-xs12 text-faint">{title}</h3>
      {children}
    </div>
  );
}
