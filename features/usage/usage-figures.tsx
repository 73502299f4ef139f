"use client";

import type { ReactNode } from "react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Stat } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import type { UsageData, UsageTableLine } from "@/features/usage/data";
import { toUsageHref, type UsageView } from "@/features/usage/url";
import { formatStep, formatWholeStep, OUTCOMES, OutcomeSwatch } from "@/features/usage/usage-text";
import type { UsageCounts, UsageReport } from "@/lib/access/usage/usage-report";
import { formatCompactCount, formatCount } from "@/lib/text/text";
import { HOUR_MS } from "@/lib/time/units";

/** The page's meters are refreshed as often. */
const REFRESH_MS = 2_000;

interface UsageFiguresProps {
  view: UsageView;
  initial: UsageData;
}

/** The calls of a period, refreshed every few seconds: their sums, over time, by key and by endpoint. */
export function UsageFigures({ view, initial }: UsageFiguresProps) {
  const { data = initial, isOffline } = useFresh<UsageData>(toUsageHref(view, "/usage/data"), REFRESH_MS, initial);
  const { answered, refused, limited, failed } = data.report.total;
  return (
    <>
      {isOffline && <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>}
      {answered + refused + limited + failed > 0 ? (
        <Calls view={view} data={data} />
      ) : (
        <EmptyState
          art="calls"
          title="No calls"
          action={
            <Link
              href={data.keys.length === 0 ? "/keys/new" : "/usage/requests"}
              className={getButtonClass(data.keys.length === 0 ? "primary" : "secondary")}
            >
              {data.keys.length === 0 ? "Create key" : "Request log"}
            </Link>
          }
        >
          {data.keys.length === 0
            ? "Calls appear here once you have created a key and a program uses it."
            : "There were no calls in this period. A call appears here a second after it was answered."}
        </EmptyState>
      )}
    </>
  );
}

function Calls({ view, data: { report, keys } }: { view: UsageView; data: UsageData }) {
  const { stepMs, total, steps } = report;
  const isHourly = stepMs === HOUR_MS;
  const labels = new Map(keys.map(({ id, label, last4 }) => [id, `${label} …${last4}`]));
  const stepLines = steps.map((step) => toLine(formatWholeStep(step.startMs, stepMs), step));
  const keyLines = report.keys.map(({ keyId, ...counts }) =>
    toLine(labels.get(keyId) ?? "a deleted key", counts, toUsageHref({ ...view, keyId })),
  );
  const endpointLines = report.endpoints.map(({ endpoint, ...counts }) =>
    toLine(endpoint, counts, toUsageHref({ ...view, endpoint })),
  );
  return (
    <>
      <UsageTotals total={total} />
      <figure className="pt-3 pb-2 pl-1">
        <UsageChart
          label={`Calls ${isHourly ? "hour by hour" : "day by day"}, by outcome`}
          stepMs={stepMs}
          steps={steps}
        />
      </figure>
      <p className="px-4 pt-1 pb-3 text-xs12 text-faint">
        Times are UTC; the last {isHourly ? "hour" : "day"} is not complete. Calls of the last second may be missing.
        Only answered calls cost credits and count towards the daily quota.
      </p>
      <details className="border-t border-line">
        <summary className="px-4 py-2.5 text-xs13 text-dim">Chart figures as a table</summary>
        <UsageTable caption="Calls over time" heading={isHourly ? "Hour" : "Day"} lines={stepLines.toReversed()} />
      </details>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 wide:grid-cols-2">
        <Part titleId="by-key" title="By key">
          <UsageTable caption="Calls by key" heading="Key" lines={keyLines} />
        </Part>
        <Part titleId="by-endpoint" title="By endpoint">
          <UsageTable caption="Calls by endpoint" heading="Endpoint" lines={endpointLines} />
        </Part>
      </div>
    </>
  );
}

function Part({ titleId, title, children }: { titleId: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="px-4 pt-5 pb-2 font-medium">
        {title}
      </h2>
      {children}
    </section>
  );
}

function toLine(name: string, counts: UsageTableLine["counts"], href: string | null = null): UsageTableLine {
  return { name, href, counts };
}

interface UsageTableProps {
  caption: string;
  /** The heading of the first column. */
  heading: string;
  lines: readonly UsageTableLine[];
}

/** Calls by their outcome and the credits they cost, line by line. */
function UsageTable({ caption, heading, lines }: UsageTableProps) {
  const columns: readonly Column<UsageTableLine>[] = [
    {
      heading,
      className: "min-w-32 whitespace-normal! [overflow-wrap:anywhere]",
      cell: ({ name, href }) => <LineName name={name} href={href} />,
    },
    ...OUTCOMES.map(({ key, label }): Column<UsageTableLine> => ({
      heading: label,
      isNumeric: true,
      cellClassName: ({ counts }) => (counts[key] === 0 ? "font-mono text-faint" : "font-mono"),
      cell: ({ counts }) => formatCount(counts[key]),
    })),
    {
      heading: "Credits",
      isNumeric: true,
      cellClassName: "font-mono",
      cell: ({ counts }) => formatCount(counts.credits),
    },
  ];
  return (
    <ScrollRegion label={caption}>
      <Table
        caption={caption}
        columns={columns.map((column) => ({
          ...column,
          headingClassName: "max-md:leading-4 max-md:whitespace-normal",
        }))}
        rows={lines}
        getKey={({ name }) => name}
        cellClassName="border-t border-line pr-4 first:pl-4 max-md:pr-2.5"
      />
    </ScrollRegion>
  );
}

function LineName({ name, href }: Pick<UsageTableLine, "name" | "href">) {
  if (href === null) return name;
  return (
    <Link href={href} className="underline-offset-4 hover:underline">
      {name}
    </Link>
  );
}

/** The sums of the period, which are also the chart's legend. */
function UsageTotals({ total }: { total: UsageCounts }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3 border-y border-line px-4 py-3 max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-2.5">
      {OUTCOMES.map(({ key, label, status }) => (
        <Stat
          key={key}
          name={
            <>
              <OutcomeSwatch outcome={key} />
              {label} <span className="text-faint">{status}</span>
            </>
          }
        >
          {formatCount(total[key])}
        </Stat>
      ))}
      <Stat name="Credits">{formatCount(total.credits)}</Stat>
    </dl>
  );
}

type Step = UsageReport["steps"][number];

interface UsageChartProps {
  label: string;
  stepMs: number;
  steps: readonly Step[];
}

/** At most so many times are written below the bars. */
const MOST_TIMES = 12;

const sumOutcomes = (step: Step) => OUTCOMES.reduce((total, { key }) => total + step[key], 0);

/** The calls of each hour or day, stacked by outcome. The figures are in the table below it. */
function UsageChart({ label, stepMs, steps }: UsageChartProps) {
  const ticks = computeCountTicks(Math.max(0, ...steps.map(sumOutcomes)));
  const top = ticks.at(-1) ?? 1;
  const every = Math.ceil(steps.length / MOST_TIMES);
  return (
    <div role="img" aria-label={label} className="h-60 pt-2 pr-12 pb-5 pl-3 font-mono text-2xs text-faint">
      <div className="relative h-full border-b border-line">
        {ticks.slice(1).map((tick) => (
          <div
            key={tick}
            className="absolute inset-x-0 border-t border-line"
            style={{ bottom: `${(tick / top) * 100}%` }}
          >
            <span className="absolute -top-2 left-full pl-2 tabular-nums">{formatCompactCount(tick)}</span>
          </div>
        ))}
        <div className="absolute inset-0 flex">
          {steps.map((step, at) => (
            <div
              key={step.startMs}
              className="group relative flex min-w-0 flex-1 flex-col items-center justify-end hover:bg-hover"
            >
              {OUTCOMES.toReversed().map(({ key, color }) => (
                <div
                  key={key}
                  className="w-[82%]"
                  data-bar={step[key] > 0 ? key : undefined}
                  style={{ height: `${(step[key] / top) * 100}%`, background: color }}
                />
              ))}
              {at % every === 0 && (
                <span className="absolute top-full left-1/2 -translate-x-1/2 pt-1 whitespace-nowrap">
                  {formatStep(step.startMs, stepMs)}
                </span>
              )}
              <Reading step={step} stepMs={stepMs} isLeft={at < steps.length / 2} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The figures of a bar, beside it while the pointer is over it. */
function Reading({ step, stepMs, isLeft }: { step: Step; stepMs: number; isLeft: boolean }) {
  return (
    <div
      className={`pointer-events-none absolute top-2 z-10 hidden rounded-md border border-line bg-raised px-2.5 py-1.5 font-sans text-xs12 whitespace-nowrap text-ink shadow-float group-hover:block ${isLeft ? "left-full ml-1" : "right-full mr-1"}`}
    >
      <p className="text-dim">{formatWholeStep(step.startMs, stepMs)}</p>
      {OUTCOMES.map(({ key, label: outcome }) => (
        <p key={key}>
          <OutcomeSwatch outcome={key} />
          {outcome} <b>{formatCount(step[key])}</b>
        </p>
      ))}
      <p>
        Credits <b>{formatCount(step.credits)}</b>
      </p>
    </div>
  );
}

const MOST_STEPS = 4;

/** Returns whole numbers to mark on an axis from 0, at most five, the last at or above `highest`. */
export function computeCountTicks(highest: number): number[] {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      const steps = Math.max(1, Math.ceil(highest / step));
      if (steps <= MOST_STEPS) return Array.from({ length: steps + 1 }, (_, index) => index * step);
    }
  }
}
