"use client";

import type { ReactNode } from "react";
import { StateMark } from "@/components/shared/state-mark";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { SESSIONS } from "@/features/spreads/session-lanes";
import { getCurrentClass } from "@/features/spreads/spread-table";
import { formatCurrent, formatMean, formatPips, formatSince } from "@/features/spreads/spread-text";
import type { SpreadDetailData } from "@/features/spreads/types";
import { SESSION_GROUPS, type SpreadPeriod } from "@/lib/history/spreads/spread-period";

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
        <EmptyState art="record" title="Nothing recorded yet">
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
              <div className="overflow-x-auto">
                <BrokerTable data={data} />
              </div>
            )}
          </SpreadPanel>
        </div>
      )}
    </section>
  );
}

const LINE_CLASS = "grid h-8.5 items-center border-t border-line text-xs13";

type Statistics = NonNullable<SpreadDetailData["statistics"]>;

/** The distribution of the period's spreads. */
function SpreadFacts({ statistics }: { statistics: Statistics }) {
  const { avg, deviation, median, p5, p95, min, max } = statistics;
  const facts = [
    ["Average", formatMean(avg)],
    ["Median", formatPips(median)],
    ["Standard deviation", formatMean(deviation)],
    ["90 % within", `${formatPips(p5)}–${formatPips(p95)}`],
    ["Lowest to highest", `${formatPips(min)}–${formatPips(max)}`],
  ];
  return (
    <SpreadPanel title="Over the period">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name} className={`grid-cols-[1fr_auto] ${LINE_CLASS}`}>
            <dt className="text-dim">{name}</dt>
            <Figure as="dd" className="text-right">
              {value}
            </Figure>
          </div>
        ))}
      </dl>
    </SpreadPanel>
  );
}

/** The mean of each session, as figures and lengths. */
function SessionAverages({ statistics: { bySession } }: { statistics: Statistics }) {
  const widest = Math.max(...SESSION_GROUPS.map((group) => bySession[group] ?? 0));
  return (
    <SpreadPanel title="Average by session">
      <dl>
        {SESSION_GROUPS.map((group) => (
          <div key={group} className={`grid-cols-[4.5rem_1fr_3.5rem] ${LINE_CLASS}`}>
            <dt className="text-dim">{SESSIONS[group].full}</dt>
            <Bar value={bySession[group]} widest={widest} colour={SESSIONS[group].colour} />
            <Figure as="dd" className="text-right">
              {formatMean(bySession[group])}
            </Figure>
          </div>
        ))}
      </dl>
      {widest === 0 && (
        <p className="mt-1.5 text-xs12 text-faint">No session was open while these spreads were recorded.</p>
      )}
    </SpreadPanel>
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

/** One titled part of the detail. */
function SpreadPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 text-xs12 text-faint">{title}</h3>
      {children}
    </div>
  );
}

type Source = SpreadDetailData["sources"][number];

const NUMBER = { isNumeric: true, cellClassName: "font-mono" } as const;

const getColumns = (nowMs: number): readonly Column<Source>[] => [
  {
    heading: "Source",
    cell: ({ source, sinceMs }) => (
      <>
        <span translate="no">{source}</span>
        {sinceMs !== null && (
          <span className="block text-2xs text-warn" title="Earlier quotes of this source are not recorded">
            {formatSince(sinceMs, nowMs)}
          </span>
        )}
      </>
    ),
  },
  { heading: "Now", isNumeric: true, cell: ({ current }) => formatCurrent(current), cellClassName: getCurrentClass },
  { heading: "Average", cell: ({ avg }) => formatMean(avg), ...NUMBER },
  { heading: "Lowest", cell: ({ min }) => formatPips(min), ...NUMBER },
  { heading: "Highest", cell: ({ max }) => formatPips(max), ...NUMBER },
  {
    heading: "State",
    isHeadingHidden: true,
    // On a phone only the dot is shown; its shape depends on the state.
    cell: ({ state }) =>
      state !== null && <StateMark state={state} className="max-md:text-[0px] in-data-offline:invisible" />,
  },
];

/** The spreads of one symbol by source. */
function BrokerTable({ data: { symbol, sources, nowMs } }: { data: SpreadDetailData }) {
  return (
    <Table
      look="plain"
      caption={`Spreads of ${symbol} by source, tightest on average first`}
      cellClassName="border-b border-line pl-4 first:pl-0 max-md:pl-2"
      headingClassName="h-4 pb-1.5 text-xs12/4"
      rowProps={() => ({ className: "whitespace-nowrap [&>*]:h-8.5" })}
      columns={getColumns(nowMs)}
      rows={sources}
      getKey={({ source }) => source}
    />
  );
}
