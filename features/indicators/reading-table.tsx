import { CATEGORY_TITLES } from "@/components/shared/indicator-categories";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { SignalMark } from "@/features/indicators/signal-mark";
import type { IndicatorData, ReadingLine } from "@/features/indicators/types";

type Group = IndicatorData["groups"][number];

/** The readings of one category, each a link to its chart. A reading without enough bars shows how many it needs. */
export function ReadingTable({ group, data }: { group: Group; data: IndicatorData }) {
  return (
    <Table
      look="dense"
      caption={CATEGORY_TITLES[group.category]}
      isCaptionShown
      captionClassName="pb-1.5 text-xs12 text-faint"
      areHeadingsHidden
      rowProps={() => ({ className: "border-t border-line" })}
      columns={getColumns(data)}
      rows={group.lines}
      getKey={({ name }) => name}
    />
  );
}

function getColumns({ symbol, timeframe, bars }: IndicatorData): Column<ReadingLine>[] {
  return [
    {
      heading: "Indicator",
      cell: ({ name, title, formula }) => (
        <Link
          href={`/symbols/${symbol}?timeframe=${timeframe}&indicators=${name}`}
          title={`${formula}. Opens the chart.`}
          className="group block py-1"
        >
          <span className="group-hover:underline">{name}</span>
          <span className="block text-2xs whitespace-normal text-faint">{title}</span>
        </Link>
      ),
    },
    {
      heading: "Value",
      cell: ({ value }) => <span className="numerals">{value}</span>,
      isNumeric: true,
      cellClassName: "pl-3",
    },
    {
      heading: "Signal",
      cell: ({ value, signal, warmUp }) => {
        if (value === null) {
          return (
            <span className="block text-right text-faint">
              {bars} of {warmUp} bars
            </span>
          );
        }
        return signal === null ? <span className="sr-only">none</span> : <SignalMark signal={signal} />;
      },
      cellClassName: "w-29 pl-5",
    },
  ];
}
