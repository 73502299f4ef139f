import { formatLimit, formatPlan } from "@/lib/access/plan-text";
import { type Entitlements, getEntitlements, type PlanName, PLAN_NAMES } from "@/lib/access/plans";

const rows: readonly { label: string; of: (terms: Entitlements) => number | boolean }[] = [
  { label: "Requests a minute, per key", of: (terms) => terms.perMinute },
  { label: "Calls a day", of: (terms) => terms.perDay },
  { label: "Economic calendar", of: (terms) => terms.calendar },
  { label: "Released figures in it", of: (terms) => terms.actuals },
  { label: "One-second ticks", of: (terms) => terms.ticks },
  { label: "Past indicator values", of: (terms) => terms.indicatorHistory },
];

/** What every plan includes, with the account's own marked. */
export function PlanTable({ current }: { current: PlanName }) {
  const columns = PLAN_NAMES.map((name) => ({
    name,
    label: formatPlan(name),
    terms: getEntitlements(name, "standard"),
    own: name === current,
  }));
  return (
    <div className="overflow-x-auto rounded-lg border border-line" tabIndex={0} role="region" aria-label="Plans">
      <table className="w-full min-w-3xl text-[0.8125rem]">
        <caption className="sr-only">What each plan includes</caption>
        <thead>
          <tr className="border-b border-line text-left text-dim">
            <th scope="col" className="px-3 py-2 font-normal">
              <span className="sr-only">Included</span>
            </th>
            {columns.map(({ name, label, own }) => (
              <th key={name} scope="col" className={`px-3 py-2 text-right ${own ? "text-accent-ink" : "font-normal"}`}>
                {label}
                {own && <span className="block text-2xs font-normal">your plan</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, of }) => (
            <tr key={label} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-2 text-left font-normal">
                {label}
              </th>
              {columns.map(({ name, terms, own }) => (
                <td key={name} className={`numerals px-3 py-2 text-right ${own ? "text-ink" : "text-dim"}`}>
                  {said(of(terms))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function said(value: number | boolean): string {
  return typeof value === "number" ? formatLimit(value) : value ? "yes" : "no";
}
