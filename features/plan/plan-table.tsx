import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { formatLimit, formatPlan } from "@/lib/access/plan-text";
import { type Entitlements, getAlertLimits, getEntitlements, PLAN_NAMES, type PlanName } from "@/lib/access/plans";

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
    { heading: "Included", isHeadingHidden: true, cell: ({ label }) => label },
    ...PLAN_NAMES.map((name) => toColumn(name, name === current)),
  ];
  return (
    <ScrollRegion label="Plans" className="rounded-lg border border-line">
      <Table
        caption="What each plan includes"
        columns={columns}
        rows={TERMS}
        getKey={({ label }) => label}
        look="text"
        className="w-full min-w-3xl [&_tbody_tr:last-child>*]:border-0"
        cellClassName="border-b border-line px-3 py-2"
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
    headingClassName: isOwn ? "text-xs13! font-bold! text-accent-ink!" : "text-xs13! text-dim!",
    cellClassName: `numerals ${isOwn ? "text-ink" : "text-dim"}`,
    cell: ({ read }) => formatTerm(read(terms, name)),
  };
}

function formatTerm(value: number | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return formatLimit(value);
}
