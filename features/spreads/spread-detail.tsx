"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { StateMark } from "@/components/shared/state-mark";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact } from "@/components/ui/fact";
import { useFresh } from "@/components/ui/use-fresh";
import { SESSION_LABELS } from "@/features/spreads/session-labels";
import { SessionLanes } from "@/features/spreads/session-lanes";
import { pipsText } from "@/features/spreads/spread-text";
import type { SpreadDetailData } from "@/features/spreads/types";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";

const SpreadChart = dynamic(() => import("@/features/spreads/spread-chart").then((module) => module.SpreadChart), {
  ssr: false,
  loading: () => <div className="spread-plot" />,
});

const REFRESH_MS = 5_000;

/** One symbol over the period: through the day, by session, and broker against broker. */
export function SpreadDetail({ period, initial }: { period: SpreadPeriod; initial: SpreadDetailData }) {
  const { data = initial, isOffline } = useFresh(
    `/spreads/${initial.symbol}/detail?period=${period}`,
    REFRESH_MS,
    initial,
  );
  const { symbol, name, statistics, series } = data;
  return (
    <section aria-labelledby="spread-detail" className="spread-detail" data-offline={isOffline || undefined}>
      <h2 id="spread-detail" className="spread-detail-title">
        {symbol} <span>{name}, spread in pips</span>
      </h2>
      {statistics === null ? (
        <EmptyState title="Nothing recorded yet">
          No second of {symbol} was recorded in this period. It fills as quotes come in.
        </EmptyState>
      ) : (
        <>
          <figure className="spread-figure">
            <SpreadChart data={data} />
            <SessionLanes data={data} />
            <figcaption>
              <span className="spread-key" data-key="mean">
                Mean of 15 minutes
              </span>
              <span className="spread-key" data-key="band">
                Nine tenths of the seconds
              </span>
              {series.length < 2 && <span>More will show as hours pass.</span>}
            </figcaption>
          </figure>
          <div className="spread-facts">
            <Facts statistics={statistics} />
            <Sessions statistics={statistics} />
            <Brokers data={data} />
          </div>
        </>
      )}
    </section>
  );
}

type Statistics = NonNullable<SpreadDetailData["statistics"]>;

function Facts({ statistics }: { statistics: Statistics }) {
  const { avg, deviation, median, p5, p95, min, max } = statistics;
  return (
    <Panel title="Over the period">
      <dl className="spread-list">
        <Fact name="Average">{pipsText(avg)}</Fact>
        <Fact name="Median">{pipsText(median)}</Fact>
        <Fact name="Standard deviation">{pipsText(deviation)}</Fact>
        <Fact name="Nine tenths within">
          {pipsText(p5)}–{pipsText(p95)}
        </Fact>
        <Fact name="Lowest to highest">
          {pipsText(min)}–{pipsText(max)}
        </Fact>
      </dl>
    </Panel>
  );
}

function Sessions({ statistics: { bySession } }: { statistics: Statistics }) {
  const groups = ["asian", "london", "new_york"] as const;
  const widest = Math.max(...groups.map((group) => bySession[group] ?? 0));
  return (
    <Panel title="Average by session">
      <dl className="spread-bars">
        {groups.map((group) => (
          <div key={group} data-group={group}>
            <dt>{SESSION_LABELS[group].full}</dt>
            <Bar value={bySession[group]} widest={widest} />
            <dd>{pipsText(bySession[group])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** A length beside its number. */
function Bar({ value, widest }: { value: number | null; widest: number }) {
  const share = value === null || widest === 0 ? 0 : value / widest;
  return (
    <dd aria-hidden className="spread-bar">
      <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </dd>
  );
}

function Brokers({ data: { symbol, sources } }: { data: SpreadDetailData }) {
  return (
    <Panel title="Broker against broker">
      {sources.length === 0 ? (
        <p className="text-dim">No source has quoted {symbol} in this period.</p>
      ) : (
        <table className="broker-table">
          <caption className="sr-only">Spreads of {symbol} by source, tightest on average first</caption>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Now</th>
              <th scope="col">Average</th>
              <th scope="col">Lowest</th>
              <th scope="col">Highest</th>
              <th scope="col">
                <span className="sr-only">State</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sources.map(({ source, current, state, avg, min, max }) => (
              <tr key={source} data-state={state ?? "none"}>
                <th scope="row">{source}</th>
                <td className="spread-now">{pipsText(current, 1)}</td>
                <td>{pipsText(avg)}</td>
                <td>{pipsText(min)}</td>
                <td>{pipsText(max)}</td>
                <td className="broker-state">{state !== null && <StateMark state={state} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="spread-panel">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
