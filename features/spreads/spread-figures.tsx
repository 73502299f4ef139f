import type { ReactNode } from "react";
import { SESSIONS } from "@/features/spreads/session-lanes";
import { formatMean, formatPips } from "@/features/spreads/spread-text";
import type { SpreadDetailData } from "@/features/spreads/types";
import { SESSION_GROUPS } from "@/lib/history/spreads/spread-period";

const LINE_CLASS = "grid h-8.5 items-center border-t border-line text-xs13";
const FIGURE_CLASS = "text-right font-mono tabular-nums";

type Statistics = NonNullable<SpreadDetailData["statistics"]>;

/** The distribution of the period's spreads. */
export function SpreadFacts({ statistics }: { statistics: Statistics }) {
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
            <dd className={FIGURE_CLASS}>{value}</dd>
          </div>
        ))}
      </dl>
    </SpreadPanel>
  );
}

/** The mean of each session, as figures and lengths. */
export function SessionAverages({ statistics: { bySession } }: { statistics: Statistics }) {
  const widest = Math.max(...SESSION_GROUPS.map((group) => bySession[group] ?? 0));
  return (
    <SpreadPanel title="Average by session">
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
export function SpreadPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 text-xs12 text-faint">{title}</h3>
      {children}
    </div>
  );
}
