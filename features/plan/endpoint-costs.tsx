import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import type { EndpointCost } from "@/features/plan/data";

const OPEN_TEXTS = { yes: "yes", no: "no", partly: "in part" } as const;

const COLUMNS: readonly Column<EndpointCost>[] = [
  {
    heading: "Endpoint",
    cellClassName: "whitespace-nowrap",
    cell: ({ method, path }) => (
      <code className="font-mono text-xs12">
        <span className="text-faint">{method}</span> {path}
      </code>
    ),
  },
  { heading: "Description", className: "max-md:hidden", cellClassName: "text-dim", cell: ({ summary }) => summary },
  { heading: "Credits", isNumeric: true, isFigure: true, cell: ({ credits }) => credits },
  {
    heading: "In your plan",
    cellClassName: ({ open }) => `whitespace-nowrap ${open === "no" ? "text-faint" : "text-dim"}`,
    cell: ({ open }) => OPEN_TEXTS[open],
  },
];

/** What a call of each endpoint costs, and whether the account's plan opens it. */
export function EndpointCosts({ costs }: { costs: readonly EndpointCost[] }) {
  return (
    <ScrollRegion label="Costs">
      <Table
        caption="Credits that a call of each endpoint costs"
        columns={COLUMNS}
        rows={costs}
        getKey={({ method, path }) => `${method} ${path}`}
        look="text"
        className="w-full"
        cellClassName="border-b border-line px-3 py-1.75 first:pl-4 last:pr-4"
      />
    </ScrollRegion>
  );
}
