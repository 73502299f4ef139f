import { Figure } from "@/components/ui/figure";
import { Meter } from "@/components/ui/meter";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import type { PlanFitLine, PlanGain } from "@/features/plan/data";
import {
  type Entitlements,
  formatLimit,
  formatPlan,
  getAlertLimits,
  getEntitlements,
  PLAN_NAMES,
  type PlanName,
} from "@/lib/access/plans";
import type { UsedDay } from "@/lib/access/usage/plan-days";
import { formatCount } from "@/lib/text/text";

interface Term {
  readonly label: string;
  readonly read: (terms: Entitlements, plan: PlanName) => number | boolean;
}

const TERMS: readonly Term[] = [
  { label: "Requests a minute, per key", read: (terms) => terms.perMinute },
  { label: "Calls a day", read: (terms) => terms.perDay },
  { label: "Streams of prices, per key", read: (terms) => terms.streams },
  { label: "Symbols in a stream", read: (terms) => terms.streamSymbols },
  { label: "Active alerts", read: (_, plan) => getAlertLimits(plan).active },
  { label: "Webhooks", read: (_, plan) => getAlertLimits(plan).webhooks },
  { label: "Economic calendar", read: (terms) => terms.calendar },
  { label: "Released figures in it", read: (terms) => terms.actuals },
  { label: "One-second ticks", read: (terms) => terms.ticks },
  { label: "Past indicator values", read: (terms) => terms.indicatorHistory },
];

/** The terms of every plan, with the account's plan marked. */
export function PlanTable({ current }: { current: PlanName }) {
  const columns: readonly Column<Term>[] = [
    { heading: "Included", isHeadingHidden: true, className: "sticky left-0 bg-bg", cell: ({ label }) => label },
    ...PLAN_NAMES.map((name) => toColumn(name, name === current)),
  ];
  return (
    <ScrollRegion label="Plans">
      <Table
        caption="What each plan includes"
        columns={columns}
        rows={TERMS}
        getKey={({ label }) => label}
        look="text"
        className="w-full min-w-3xl [&_tbody_tr:last-child>*]:border-0"
        cellClassName="border-b border-line px-3 py-2 first:pl-4 last:pr-4"
      />
    </ScrollRegion>
  );
}

function toColumn(name: PlanName, isOwn: boolean): Column<Term> {
  const terms = getEntitlements(name, "standard");
  const label = formatPlan(name);
  return {
    heading: label,
    note: isOwn ? "your plan" : undefined,
    isNumeric: true,
    headingClassName: isOwn ? "bg-hover text-xs13! font-bold! text-accent-ink!" : "text-xs13! text-dim!",
    cellClassName: `numerals ${isOwn ? "bg-hover text-ink" : "text-dim"}`,
    cell: ({ read }) => formatTerm(read(terms, name)),
  };
}

function formatTerm(value: number | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return formatLimit(value);
}

const NOTE_CLASS = "mx-4 mt-3 max-w-prose text-xs13 text-dim max-md:mx-3";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const COLUMNS: readonly Column<PlanFitLine & { busiest: number }>[] = [
  {
    heading: "Plan",
    cellClassName: ({ isOwn }) => (isOwn ? "font-medium text-accent-ink" : ""),
    cell: ({ label, isOwn }) => (isOwn ? `${label} (yours)` : label),
  },
  {
    heading: "Calls a day",
    isNumeric: true,
    cellClassName: "font-mono text-dim",
    cell: ({ perDay }) => formatLimit(perDay),
  },
  {
    heading: "Your busiest day",
    className: "w-1/4 min-w-36",
    cell: ({ label, perDay, busiest }) => (
      <div className="flex items-center gap-3">
        <Figure className="w-16 flex-none text-right">{formatCount(busiest)}</Figure>
        <Meter
          label={`Calls of the busiest day, ${label}`}
          used={busiest}
          limit={perDay}
          isTight={busiest > perDay}
          className="min-w-12 flex-1"
        />
      </div>
    ),
  },
  {
    heading: "Days over it",
    isNumeric: true,
    cellClassName: ({ fit }) => `font-mono ${fit.daysOver > 0 ? "text-warn" : "text-dim"}`,
    cell: ({ fit }) => formatCount(fit.daysOver),
  },
  {
    heading: "Calls over it",
    isNumeric: true,
    cellClassName: ({ fit }) => `font-mono ${fit.callsOver > 0 ? "text-warn" : "text-dim"}`,
    cell: ({ fit }) => formatCount(fit.callsOver),
  },
  {
    heading: "Endpoints that it does not open",
    cellClassName: "[overflow-wrap:anywhere] text-dim",
    cell: ({ fit: { missing } }) =>
      missing.length === 0
        ? "none of those you called"
        : missing.map(({ endpoint, calls }) => `${endpoint} (${formatCount(calls)} calls)`).join(", "),
  },
];

interface PlanFitsProps {
  lines: readonly PlanFitLine[];
  days: readonly UsedDay[];
}

/** What the account's calls of the last 30 days would have been on each plan. */
export function PlanFits({ lines, days }: PlanFitsProps) {
  const counts = days.map(({ answered }) => sum([...answered.values()]));
  const answered = sum(counts);
  const limited = sum(days.map((day) => day.limited));
  const answeredDays = counts.filter((count) => count > 0).length;
  if (answered === 0) return <p className={NOTE_CLASS}>No call of a standard key was answered in the last 30 days.</p>;
  return (
    <>
      <ScrollRegion label="The last 30 days on each plan">
        <Table
          caption="The last 30 days on each plan"
          columns={COLUMNS}
          rows={lines.map((line) => ({ ...line, busiest: Math.max(...counts) }))}
          getKey={({ label }) => label}
          look="text"
          className="w-full min-w-2xl"
          cellClassName="border-b border-line px-3 py-2 first:pl-4 last:pr-4"
        />
      </ScrollRegion>
      <p className={NOTE_CLASS}>
        {formatCount(answered)} answered calls of standard keys on {formatCount(answeredDays)}{" "}
        {answeredDays === 1 ? "day" : "days"}, today included. Requests a minute are not recorded, so the table says
        nothing about that limit.
        {limited > 0 &&
          ` ${formatCount(limited)} further calls were refused over a limit, so your programs wanted more than the table counts.`}
      </p>
    </>
  );
}

/** The terms that each other plan adds. */
export function PlanGains({ gains }: { gains: readonly PlanGain[] }) {
  return (
    <dl className="mx-4 grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-3 text-xs13 max-md:mx-3">
      {gains.map(({ label, gained, lost, opened }) => (
        <div key={label} className="rounded-lg border border-line bg-panel px-4 py-3">
          <dt className="font-medium">{label}</dt>
          <dd className="pt-1.5 text-dim">
            <ul>
              {gained.map((each) => (
                <li
                  key={each}
                  className="pl-3.5 -indent-3.5 before:font-mono before:text-accent-ink before:content-['+_']"
                >
                  {each}
                </li>
              ))}
            </ul>
            {opened.length > 0 && (
              <p className="mt-1.5 [overflow-wrap:anywhere]">
                Adds{" "}
                {opened.map((path, index) => (
                  <span key={path}>
                    {index > 0 && ", "}
                    <code className="font-mono text-xs12">{path}</code>
                  </span>
                ))}
              </p>
            )}
            {lost.length > 0 && <p className="mt-1.5 [overflow-wrap:anywhere]">Does not include: {lost.join(", ")}.</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
