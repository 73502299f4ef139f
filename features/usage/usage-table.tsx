import { Link } from "@/components/ui/link";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import type { UsageTableLine } from "@/features/usage/types";
import { OUTCOMES } from "@/features/usage/usage-text";
import { formatCount } from "@/lib/text/text";

interface UsageTableProps {
  caption: string;
  /** The heading of the first column. */
  heading: string;
  lines: readonly UsageTableLine[];
}

/** Calls by their outcome and the credits they cost, line by line. */
export function UsageTable({ caption, heading, lines }: UsageTableProps) {
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
