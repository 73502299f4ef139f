import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import type { PlanFitLine } from "@/features/plan/types";
import { formatLimit } from "@/lib/access/plan-text";
import type { UsedDay } from "@/lib/access/usage/plan-days";
import { formatCount } from "@/lib/text/text";

const NOTE_CLASS = "max-w-3xl text-xs13 text-dim";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const COLUMNS: readonly Column<PlanFitLine>[] = [
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
      <ScrollRegion label="The last 30 days on each plan" className="rounded-lg border border-line">
        <Table
          caption="The last 30 days on each plan"
          columns={COLUMNS}
          rows={lines}
          getKey={({ label }) => label}
          look="text"
          className="w-full min-w-2xl [&_tbody_tr:last-child>*]:border-0"
          cellClassName="border-b border-line px-3 py-2"
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
